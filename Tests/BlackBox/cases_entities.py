"""http-api.md sections 1, 2 and 5: entities, ids, exact documents, preconditions, problems."""
import hashlib
import json
import random
import re

from harness import Server, case, check, command, folder, same

UUID7 = re.compile(r"^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$")


def cursor(answer):
    mark = answer.header("Freshet-Cursor")
    check(mark and re.match(r"^[^.]+\.\d+$", mark), f"Freshet-Cursor is <epoch>.<seq>, got {mark}")
    return int(mark.split(".")[1])


@case("PUT creates with 201 and replaces with 200")
def put(context):
    s, t = context.server, context.type()
    made = s.put(f"/v1/{t}/a", {"id": "a", "n": 1}).is_(201)
    same(made.header("Location"), f"/v1/{t}/a", "Location")
    same(made.header("Freshet-Durability"), "memory", "Freshet-Durability")
    same(made.header("ETag"), f'"{cursor(made)}"', "ETag is the revision")
    same(made.body, b'{"id":"a","n":1}\n', "the answer is the entity")
    again = s.put(f"/v1/{t}/a", {"id": "a", "n": 2}).is_(200)
    check(cursor(again) > cursor(made), "seq grows")
    got = s.get(f"/v1/{t}/a").is_(200)
    same(got.body, b'{"id":"a","n":2}\n', "the entity")
    same(got.header("ETag"), again.header("ETag"), "ETag")
    same((got.header("Content-Type") or "").split(";")[0], "application/json", "content type")
    same(got.header("X-Content-Type-Options"), "nosniff", "X-Content-Type-Options")


@case("HEAD gives the headers of GET and no body")
def head(context):
    s, t = context.server, context.type()
    s.put(f"/v1/{t}/a", {"id": "a"})
    got, only = s.get(f"/v1/{t}/a"), s.ask("HEAD", f"/v1/{t}/a").is_(200)
    same(only.header("ETag"), got.header("ETag"), "ETag")
    same(only.header("Content-Length"), str(len(got.body)), "Content-Length")
    same(s.ask("HEAD", f"/v1/{t}").is_(200).header("Freshet-Total"), "1", "Freshet-Total")
    same(s.ask("HEAD", f"/v1/{t}/b").status, 404, "HEAD of an absent one")


@case("a write that changes nothing is no commit")
def no_op(context):
    s, t = context.server, context.type()
    first = s.put(f"/v1/{t}/a", '{"id":"a","x":1,"y":[1,2]}').is_(201)
    for text in ('{"id":"a","x":1,"y":[1,2]}', '{"y":[1,2],"id":"a","x":1}', '{"id":"a","x":1.0,"y":[1,2e0]}'):
        again = s.put(f"/v1/{t}/a", text).is_(200)
        same(again.header("Freshet-Changed"), "false", f"Freshet-Changed of {text}")
        same(again.header("ETag"), first.header("ETag"), f"ETag of {text}")
    changed = s.put(f"/v1/{t}/a", '{"id":"a","x":1,"y":[2,1]}').is_(200)
    check(changed.header("Freshet-Changed") != "false", "another order of an array is a change")


@case("PATCH is a merge patch and 404 where absent")
def patch(context):
    s, t = context.server, context.type()
    s.put(f"/v1/{t}/a", '{"id":"a","x":{"p":1,"q":2},"y":1,"z":[1]}')
    got = s.ask("PATCH", f"/v1/{t}/a", '{"x":{"p":null,"r":3},"y":null,"z":[2]}').is_(200)
    same(got.json, {"id": "a", "x": {"q": 2, "r": 3}, "z": [2]}, "merged")
    s.ask("PATCH", f"/v1/{t}/none", {"x": 1}).is_(404, "not-found")
    s.ask("PATCH", f"/v1/{t}/a", {"id": "b"}).is_(422, "id-mismatch")
    s.ask("PATCH", f"/v1/{t}/a", {"w": 1}, {"Content-Type": "application/merge-patch+json"}).is_(200)


@case("POST makes a UUIDv7, keeps a given id, and refuses a taken one")
def post(context):
    s, t = context.server, context.type()
    made = s.ask("POST", f"/v1/{t}", {"n": 1}).is_(201)
    name = made.json["id"]
    check(UUID7.match(str(name)), f"{name} is no UUIDv7")
    same(made.header("Location"), f"/v1/{t}/{name}", "Location")
    s.get(f"/v1/{t}/{name}").is_(200)
    s.ask("POST", f"/v1/{t}", {"id": 5, "n": 1}).is_(201)
    s.ask("POST", f"/v1/{t}", {"id": "5", "n": 1}).is_(409, "exists")


@case("_set takes an array or NDJSON as one atomic commit")
def set_many(context):
    s, t = context.server, context.type()
    got = s.ask("POST", f"/v1/{t}/_set", [{"id": 1}, {"id": 2}, {"id": "x"}]).is_(200)
    same([i["id"] for i in got.json["items"]], [1, 2, "x"], "ids")
    same(len({i["revision"] for i in got.json["items"]}), 1, "revisions of one commit")
    same(got.json["meta"]["count"], 3, "meta.count")
    same(got.json["meta"]["changed"], 3, "meta.changed")
    lines = '{"id":1}\n{"id":3,"n":1}\n'
    got = s.ask("POST", f"/v1/{t}/_set", lines, {"Content-Type": "application/x-ndjson"}).is_(200)
    same([i["changed"] for i in got.json["items"]], [False, True], "changed")
    answer = s.ask("POST", f"/v1/{t}/_set", '[{"id":9},{"id":[]}]')
    check(answer.status in (400, 422), f"a bad element: {answer.status}")
    s.get(f"/v1/{t}/9").is_(404, "not-found")
    answer = s.ask("POST", f"/v1/{t}/_set", '{"id":9}\n{bad\n', {"Content-Type": "application/x-ndjson"})
    answer.is_(400, "bad-json")
    check(answer.json["detail"].startswith("line 2: at byte 1 of the line: "), answer.json["detail"])
    s.get(f"/v1/{t}/9").is_(404, "not-found")


@case("DELETE is 204, also where absent")
def delete(context):
    s, t = context.server, context.type()
    s.put(f"/v1/{t}/a", {"id": "a"})
    gone = s.ask("DELETE", f"/v1/{t}/a").is_(204)
    same(gone.body, b"", "body")
    check(gone.header("Freshet-Changed") != "false", "a removal is a change")
    same(s.ask("DELETE", f"/v1/{t}/a").is_(204).header("Freshet-Changed"), "false", "Freshet-Changed")
    s.get(f"/v1/{t}/a").is_(404, "not-found")


@case("removing by filter, ids and body; never all by accident")
def remove(context):
    s, t = context.server, context.type()
    s.ask("POST", f"/v1/{t}/_set", [{"id": n, "n": n} for n in range(10)])
    s.ask("DELETE", f"/v1/{t}").is_(400)
    same(s.ask("DELETE", f"/v1/{t}?filter=n%3C3").is_(200).json, {"removed": [0, 1, 2]}, "by filter")
    same(s.ask("DELETE", f"/v1/{t}?ids=3,99").is_(200).json, {"removed": [3]}, "by ids")
    same(s.ask("POST", f"/v1/{t}/_remove", {"ids": [4, "5"]}).is_(200).json, {"removed": [4, 5]}, "by body")
    same(s.ask("POST", f"/v1/{t}/_remove", {"filter": "n==6"}).is_(200).json, {"removed": [6]}, "by body filter")
    for body, word in (({"id": 7}, "did you mean 'ids'"), ({"filter": "n==7", "order": "n"}, "order"), ({"filter": "n==7", "all": True}, "all"),
                       ({"all": 1}, "true or false"), ({}, "neither filter nor ids"), ({"all": False}, "neither"), ([], "object")):
        refused = s.ask("POST", f"/v1/{t}/_remove", body).is_(400)
        check(word in refused.body.decode(), f"{body}: {refused.body}")
    same(s.ask("DELETE", f"/v1/{t}?all=true").is_(200).json, {"removed": [7, 8, 9]}, "all")
    same(s.get(f"/v1/{t}?count=true").is_(200).json["meta"]["total"], 0, "total")


@case("what a batch has made itself has no tag that a condition could name; a surplus member is told where it stands")
def own_work(context):
    s, t = context.server, context.type()
    s.put(f"/v1/{t}/1", {"v": 1}).is_(201)
    for condition in ({"ifMatch": '"0"'}, {"ifMatch": '"1"'}):
        s.ask("POST", "/v1/_batch", {"operations": [
            {"set": {"type": t, "entity": {"id": 1, "v": 2}}}, {"remove": {"type": t, "id": 1}, **condition}]}).is_(412)
    same(s.get(f"/v1/{t}/1").json["v"], 1, "what is stored")
    surplus = s.ask("POST", "/v1/_batch", {"operations": [], "x": 1}).is_(400).json["errors"]
    same(surplus[0]["pointer"], "/x", "what is told of a member that is too much")


@case("_batch is all or nothing over types, each operation seeing those before")
def batch(context):
    s, t, u = context.server, context.type(), context.type()
    got = s.ask("POST", "/v1/_batch", {"operations": [
        {"set": {"type": t, "entity": {"id": 1, "n": 1}}},
        {"patch": {"type": t, "id": 1, "patch": {"m": 2}}},
        {"set": {"type": u, "entity": {"id": "x"}}},
        {"remove": {"type": u, "id": "x"}}]}).is_(200)
    same(len(got.json["results"]), 4, "results")
    same(s.get(f"/v1/{t}/1").json, {"id": 1, "n": 1, "m": 2}, "set then patch")
    s.get(f"/v1/{u}/x").is_(404, "not-found")
    failed = s.ask("POST", "/v1/_batch", {"operations": [
        {"set": {"type": t, "entity": {"id": 2}}},
        {"set": {"type": t, "entity": {"id": 1, "n": 9}}, "ifNoneMatch": "*"}]})
    check(failed.status == 412, f"a failed precondition: {failed.status}")
    s.get(f"/v1/{t}/2").is_(404, "not-found")
    failed = s.ask("POST", "/v1/_batch", {"operations": [
        {"set": {"type": t, "entity": {"id": 3}}}, {"patch": {"type": t, "id": 99, "patch": {}}}]})
    same(failed.status, 404, "a patch of nothing")
    s.get(f"/v1/{t}/3").is_(404, "not-found")
    check(s.ask("POST", "/v1/_batch", {"operations": [{"frob": {}}]}).status in (400, 422), "an unknown operation")


@case('7 and "7" are one id; 007 and 7.0 are others')
def ids(context):
    s, t = context.server, context.type()
    s.put(f"/v1/{t}/7", {"id": "7", "n": 1}).is_(201)
    same(s.get(f"/v1/{t}/7").json["id"], "7", "the spelling is kept")
    same(s.put(f"/v1/{t}/7", {"id": 7, "n": 1}).is_(200).header("Freshet-Changed"), "false", "spelling alone")
    s.put(f"/v1/{t}/007", {"id": "007"}).is_(201)
    s.put(f"/v1/{t}/7", {"id": 8}).is_(422, "id-mismatch")
    big = "9223372036854775808"
    s.put(f"/v1/{t}/{big}", {"id": big}).is_(201)
    s.put(f"/v1/{t}/-3", {"id": -3}).is_(201)
    s.put(f"/v1/{t}/zeta", {"id": "zeta"}).is_(201)
    found = [str(i["id"]) for i in s.get(f"/v1/{t}").json["items"]]
    same(found, ["-3", "7", "007", big, "zeta"], "integers first, then strings by bytes")


@case("ids are percent-decoded once, and %2F is part of one")
def encoded(context):
    s, t = context.server, context.type()
    for path, name in (("a%2Fb", "a/b"), ("%C3%A4%20%25", "ä %"), ("g++", "g++"), ("a%2525", "a%25"),
                       ("%2e%2e%2e", "..."), ("x%5Cy", "x\\y"), ("%F0%9F%98%80", "😀"), ("q%3Fr%23", "q?r#")):
        made = s.put(f"/v1/{t}/{path}", {"id": name}).is_(201)
        same(s.get(f"/v1/{t}/{path}").is_(200).json["id"], name, f"id of {path}")
        same(s.get(made.header("Location")).is_(200).json["id"], name, f"Location of {path}")
    for path in ("a%00b", "%0a", "%ff", "%C0%AF", "%2", "%zz"):
        check(s.get(f"/v1/{t}/{path}").status == 400, f"{path} is refused")
    for path in ("%2e", "%2E%2e", "_new"):
        s.put(f"/v1/{t}/{path}", {}).is_(422, "invalid-entity")
    s.put(f"/v1/{t}/{'x' * 256}", {"id": "x" * 256}).is_(201)
    check(s.put(f"/v1/{t}/{'x' * 257}", {"id": "x" * 257}).status in (400, 422), "257 bytes are refused")
    for body in ('{"id":""}', '{"id":1.5}', '{"id":true}', '{"id":null}', '{"id":"a\\u0001"}', '{"id":[1]}'):
        check(s.ask("POST", f"/v1/{t}", body).status in (400, 422), f"{body} is refused")


@case("documents are stored exactly")
def exact(context):
    s, t = context.server, context.type()
    for text in ('{"id":"a","n":123456789012345678901234567890.10}', '{"id":"a","n":1e400}', '{"id":"a","n":-0}',
                 '{"z":1,"id":"a","b":{"y":1,"x":2},"a":[1.50,1E+2]}', '{"id":"a","n":9007199254740993}',
                 '{"id":"a","s":"ä😀\\u0000\\n\\"\\\\/\\u001f"}', '{"id":"a","":{"":[]}}'):
        check(s.put(f"/v1/{t}/a", text).status in (200, 201), f"{text} is accepted")
        same(s.get(f"/v1/{t}/a").body.decode(), text + "\n", "bytes")
    s.put(f"/v1/{t}/b", ' { "id" : "b" ,\n "s":"\\u00e4\\/\\ud83d\\ude00" } ').is_(201)
    same(s.get(f"/v1/{t}/b").json, {"id": "b", "s": "ä/😀"}, "scalars of strings")


@case("a PUT body may lack the id; the path's is taken")
def id_from_path(context):
    s, t = context.server, context.type()
    made = s.put(f"/v1/{t}/k", {"n": 1}).is_(201)
    same(made.json, {"id": "k", "n": 1}, "entity")
    same(json.loads(s.put(f"/v1/{t}/m", {"_meta": {"x": 1}, "n": 1}).is_(201).body).get("_meta"), None, "_meta")


@case("what is no JSON, or too much, is refused")
def bad_documents(context):
    s, t = context.server, context.type()
    deep = lambda n: '{"id":"a","x":' + "[" * n + "]" * n + "}"
    for text in ('{"id":"a",}', "", '{"id":"a"', '{"id":"a"} x', "{'id':1}", '{"id":"a","n":01}', '{"id":"a","n":+1}',
                 '{"id":"a","n":.5}', '{"id":"a","n":1.}', '{"id":"a","n":NaN}', '{"id":"a","s":"\\x"}',
                 '{"id":"a","s":"\\ud800"}', '{"id":"a","s":"\\udc00\\ud800"}', '{"id":"a","x":1,"x":2}',
                 '{"id":"a","x":1,"\\u0078":2}', '{"id":"a","o":{"k":1,"k":1}}', deep(64), "\ufeff{}",
                 '{"id":"a","s":"\t"}', '{"id":"a" "b":1}', "nul"):
        s.put(f"/v1/{t}/a", text or " ").is_(400, "bad-json")
    for data in (b'{"id":"a","s":"\xff"}', b'{"id":"a","s":"\xc0\xaf"}', b'{"id":"a","s":"\xed\xa0\x80"}', b'{"id":"a","s":"\xf4\x90\x80\x80"}'):
        s.put(f"/v1/{t}/a", data).is_(400, "bad-json")
    problem = s.put(f"/v1/{t}/a", '{"id":"a",}').is_(400, "bad-json")
    check(b"10" in problem.body, f"the offset 10 is told: {problem.body}")
    s.put(f"/v1/{t}/a", deep(63)).is_(201)
    for text in ("[]", "1", "null", '"a"'):
        check(s.put(f"/v1/{t}/a", text).status == 422, f"{text} is no entity")
    s.put(f"/v1/{t}/a", {"s": "x" * (1 << 20)}).is_(413, "payload-too-large")


@case("preconditions hold a write to a revision")
def preconditions(context):
    s, t = context.server, context.type()
    tag = s.put(f"/v1/{t}/a", {"n": 1}, If_None_Match="*").is_(201).header("ETag")
    refused = s.put(f"/v1/{t}/a", {"n": 2}, If_None_Match="*").is_(412, "precondition-failed")
    same(refused.json["current"], {"id": "a", "n": 1}, "current")
    newer = s.put(f"/v1/{t}/a", {"n": 2}, If_Match=tag).is_(200).header("ETag")
    s.put(f"/v1/{t}/a", {"n": 3}, If_Match=tag).is_(412, "precondition-failed")
    s.put(f"/v1/{t}/a", {"n": 3}, If_Match=f'"0", {newer}').is_(200)
    s.put(f"/v1/{t}/b", {"n": 3}, If_Match="*").is_(412, "precondition-failed")
    s.ask("PATCH", f"/v1/{t}/a", {"n": 4}, {"If-Match": tag}).is_(412, "precondition-failed")
    s.ask("DELETE", f"/v1/{t}/a", headers={"If-Match": tag}).is_(412, "precondition-failed")
    now = s.get(f"/v1/{t}/a").header("ETag")
    # What is asked for where it differs is compared weakly, and by its text (RFC 9110, 13.1.2).
    for tags in (now, "W/" + now, f'"0", W/{now}'):
        s.put(f"/v1/{t}/a", {"n": 5}, If_None_Match=tags).is_(412, "precondition-failed")
    s.ask("PATCH", f"/v1/{t}/a", {"n": 5}, {"If-None-Match": "W/" + now}).is_(412, "precondition-failed")
    s.put(f"/v1/{t}/a", {"n": 5}, If_Match="W/" + now).is_(412, "precondition-failed")
    s.put(f"/v1/{t}/a", {"n": 5}, If_Match='"0' + now[1:]).is_(412, "precondition-failed")
    s.put(f"/v1/{t}/a", {"n": 5}, If_None_Match='W/x').is_(400)
    s.get(f"/v1/{t}/a", If_None_Match=now).is_(304)
    s.get(f"/v1/{t}/a", If_None_Match="W/" + now).is_(304)
    s.get(f"/v1/{t}/a", If_None_Match='"0"').is_(200)
    found = s.get(f"/v1/{t}").is_(200).header("ETag")
    check(found, "a search has an ETag")
    s.get(f"/v1/{t}", If_None_Match=found).is_(304)
    s.put(f"/v1/{t}/c", {"n": 1})
    s.get(f"/v1/{t}", If_None_Match=found).is_(200)


@case("Prefer: return=minimal leaves the body out")
def minimal(context):
    s, t = context.server, context.type()
    made = s.put(f"/v1/{t}/a", {"n": 1}, Prefer="return=minimal").is_(201)
    same(made.body, b"", "body of the creation")
    check(made.header("ETag"), "ETag")
    s.put(f"/v1/{t}/a", {"n": 2}, Prefer="return=minimal").is_(204)
    s.ask("PATCH", f"/v1/{t}/a", {"n": 3}, {"Prefer": "return=minimal"}).is_(204)
    s.ask("DELETE", f"/v1/{t}?filter=n==3", headers={"Prefer": "return=minimal"}).is_(204)
    described = s.get("/openapi.json").json["paths"]["/v1/{type}"]["delete"]["parameters"]
    check({"$ref": "#/components/parameters/Prefer"} in described, "Prefer of a removal by query is described")


@case("an Idempotency-Key gives the first answer again")
def idempotency(context):
    s, t = context.server, context.type()
    key = {"Idempotency-Key": f"key-{t}"}
    first = s.ask("POST", f"/v1/{t}", {"n": 1}, key).is_(201)
    again = s.ask("POST", f"/v1/{t}", {"n": 1}, key).is_(201)
    same(again.body, first.body, "body")
    same(again.header("Location"), first.header("Location"), "Location")
    s.ask("POST", f"/v1/{t}", {"n": 2}, key).is_(422, "idempotency-mismatch")
    same(s.get(f"/v1/{t}?count=true").json["meta"]["total"], 1, "entities")


@case("one Idempotency-Key at several methods of a path is several requests")
def key_of_methods(context):
    s, t = context.server, context.type()
    key = {"Idempotency-Key": f"methods-{t}"}
    same(s.ask("DELETE", f"/v1/{t}?ids=nosuch", headers=key).is_(200).json["removed"], [], "what there was to remove")
    # The same bytes, as a body.
    s.ask("POST", f"/v1/{t}", "ids=nosuch", {"Content-Type": "application/json", **key}).is_(400)
    made = s.ask("POST", f"/v1/{t}", {"id": "1"}, key).is_(201)
    same(s.ask("POST", f"/v1/{t}", {"id": "1"}, key).is_(201).body, made.body, "again")
    same(s.ask("DELETE", f"/v1/{t}?ids=nosuch", headers=key).is_(200).json["removed"], [], "and again")
    # Another query asks for something else.
    s.ask("POST", f"/v1/{t}?meta=true", {"id": "1"}, key).is_(422, "idempotency-mismatch")


@case("types are listed with counts")
def types(context):
    s, t = context.server, context.type()
    s.ask("POST", f"/v1/{t}/_set", [{"id": 1}, {"id": 2}])
    check(t in s.get("/v1").is_(200).body.decode(), "GET /v1 lists the type")
    same(s.get("/").is_(200).body, s.get("/v1").body, "GET / gives what GET /v1 gives")
    page = s.get("/", Accept="text/html")
    check("text/html" in page.header("Content-Type"), "HTML where Accept names it")
    s.get("/v1/_types").is_(200)
    s.get(f"/v1/_types/{t}").is_(200)
    s.get("/v1/_types/neverwritten").is_(404)
    same(s.get("/v1/neverwritten").is_(200).json["items"], [], "a type that was never written")
    s.get("/v1/neverwritten/x").is_(404, "not-found")


@case("export and import carry everything")
def export(context):
    s, t = context.server, context.type()
    s.ask("POST", f"/v1/{t}/_set", '[{"id":1,"n":1.50},{"id":"ä","m":{}}]')
    text = s.get("/v1/_export").is_(200)
    check("ndjson" in text.header("Content-Type"), "content type")
    lines = [l for l in text.body.decode().splitlines() if json.loads(l)["type"] == t]
    same([json.loads(l) for l in lines], [{"type": t, "entity": {"id": 1, "n": 1.5}}, {"type": t, "entity": {"id": "ä", "m": {}}}], "lines")
    check('"n":1.50' in lines[0], "numbers keep their digits")
    s.ask("DELETE", f"/v1/{t}?all=true").is_(200)
    back = s.ask("POST", "/v1/_import", "\n".join(lines) + "\n", {"Content-Type": "application/x-ndjson"}).is_(200)
    same(back.json["meta"]["changed"], 2, "changed")
    same(len(s.get(f"/v1/{t}").json["items"]), 2, "items")


@case("meta=true tells revisions")
def meta(context):
    s, t = context.server, context.type()
    tag = s.put(f"/v1/{t}/a", {"n": 1}).header("ETag")
    same(f'"{s.get(f"/v1/{t}/a?meta=true").is_(200).json["_meta"]["revision"]}"', tag, "_meta.revision of get")
    same(f'"{s.get(f"/v1/{t}?meta=true").is_(200).json["items"][0]["_meta"]["revision"]}"', tag, "of search")
    # The harness holds parameters of requests that were done against the description.
    for method, path, body in (("POST", "", {"id": "b"}), ("PUT", "/a", {"n": 2}), ("PATCH", "/a", {"n": 3})):
        wrote = s.ask(method, f"/v1/{t}{path}?meta=true", body)
        same(f'"{wrote.json["_meta"]["revision"]}"', wrote.header("ETag"), f"of {method}")
    s.ask("DELETE", f"/v1/{t}/a?meta=true").is_(204)


@case("health, version, metrics, the description and problem pages are served")
def service(context):
    s = context.server
    for path in ("/livez", "/readyz", "/version"):
        s.get(path).is_(200)
    check(b"freshet_" in s.get("/metrics").is_(200).body, "metrics are named freshet_")
    same(s.get("/openapi.json").is_(200).json["openapi"][:3], "3.1", "openapi")
    check(b"bad-filter" in s.get("/problems/bad-filter").is_(200).body, "a page per problem code")
    s.get("/problems/no-such-code").is_(404)


@case("problems name what is wrong")
def problems(context):
    s, t = context.server, context.type()
    s.get("/nowhere").is_(404, "not-found")
    s.get(f"/v1/{t}/a/b").is_(404, "not-found")
    wrong = s.ask("PUT", f"/v1/{t}", {"n": 1}).is_(405, "method-not-allowed")
    allow = {m.strip() for m in wrong.header("Allow").split(",")}
    check({"GET", "HEAD", "POST", "DELETE"} <= allow, f"Allow: {allow}")
    check(s.ask("OPTIONS", f"/v1/{t}").status in (200, 204), "OPTIONS")
    form = s.ask("POST", f"/v1/{t}", "n=1", {"Content-Type": "application/x-www-form-urlencoded"})
    form.is_(415, "unsupported-media-type")
    check("--json" in form.json.get("hint", ""), "the hint names --json")
    s.ask("POST", f"/v1/{t}", "{}", {"Content-Type": "text/plain"}).is_(415, "unsupported-media-type")
    s.ask("POST", f"/v1/{t}", b"{}", {"Content-Encoding": "gzip"}).is_(415)
    named = s.get(f"/v1/{t}?nosuch=1").is_(400, "bad-parameter")
    check("nosuch" in named.body.decode(), "the parameter is named")
    s.get(f"/v1/{t}?limit=1&limit=2").is_(400, "bad-parameter")
    s.get("/livez?x=1").is_(400, "bad-parameter")
    s.get(f"/v1/{t}", Host="evil.test").is_(421, "host-not-allowed")
    s.get("/", Host="evil.test").is_(421, "host-not-allowed")
    s.get(f"/v1/{t}", Host="192.0.2.7:8080").is_(200)
    s.get("/livez", Host="evil.test").is_(200)
    s.get("/readyz", Host="evil.test").is_(200)
    s.get("/livez", Host=f"localhost:{s.port}").is_(200)
    s.put(f"/v1/{t}/a", {"n": 1}, Origin="http://evil.test").is_(403, "origin-not-allowed")
    s.put(f"/v1/{t}/a", {"n": 1}, Sec_Fetch_Site="cross-site").is_(403, "origin-not-allowed")
    same(s.get("/livez", X_Request_Id="mine-1").header("X-Request-Id"), "mine-1", "X-Request-Id")
    check(s.get("/livez", X_Request_Id="a b\"<").header("X-Request-Id") != "a b\"<", "an insane request id is replaced")


@case("what was never configured is an empty list, and a type without a remote has no source=remote")
def unconfigured(context):
    s, t = context.server, context.type()
    s.put(f"/v1/{t}/a", {"n": 1})
    check(s.get(f"/v1/{t}?source=remote").status == 400, "source=remote without a remote is 400")
    for path in ("/v1/_operations", "/v1/_conditions", "/v1/_upstreams"):
        answer = s.get(path)
        check(answer.status == 200 and answer.json["items"] == [], f"{path} is an empty list")
    check(s.get("/v1/_conditions/none").status == 404, "an undeclared condition is 404")


def deep(chance, levels):
    """A value that nests `levels` deep."""
    value = chance.choice(["", 0, "x", None])
    for _ in range(levels):
        value = [value] if chance.random() < 0.5 else {chance.choice(["a", "\u00e9", "\\", "_meta", "id"]): value}
    return value


def any_entity(chance, id_):
    """Anything that may be stored: ids of every form, up to 64 levels and 1 MiB, any text."""
    entity = {"id": id_}
    for number in range(chance.randrange(4)):
        kind = chance.randrange(5)
        if kind == 0:
            entity[f"p{number}"] = deep(chance, chance.choice([1, 2, 30, 61, 62, 63]))
        elif kind == 1:
            entity[f"p{number}"] = "".join(chance.choice('a\u2028"\\\n\u0001\U0001f600\u00e9') for _ in range(chance.randrange(60)))
        elif kind == 2:
            entity[f"p{number}"] = chance.choice([1.50, -0.0, 12345678901234567890123, 1e300, True, None, 2**53 + 1])
        elif kind == 3:
            entity["\u0000 \n/~"] = number
        else:
            entity[f"p{number}"] = [deep(chance, 2) for _ in range(chance.randrange(5))]
    return entity


@case("what is exported is imported: by the route and by the program, any depth and size, and nothing at all")
def round_trip(context):
    seed = context.random.randrange(1 << 32)
    print(f"      round trip: seed {seed}", flush=True)
    chance = random.Random(seed)
    lines = {"Content-Type": "application/x-ndjson"}
    with folder() as place, Server(context.binary) as origin:
        entities = {}
        for number in range(300):
            id_ = chance.choice([number, str(number), -number, f"_{number}", f"a,/%{number}", "\u00e9" * 100 + str(number)])
            entities[(chance.choice(["t", "u-1"]), str(id_))] = any_entity(chance, id_)
        # The largest that may be: the canonical text is 1 MiB to the byte.
        entities[("t", "largest")] = {"id": "largest", "x": "x" * (1048576 - 24)}
        for count, part in ((0, []), (len(entities), list(entities.items()))):
            body = "".join(json.dumps({"type": type_, "entity": entity}) + "\n" for (type_, _), entity in part)
            origin.ask("POST", "/v1/_import", body, lines).is_(200)
            export = origin.get("/v1/_export").is_(200).body
            same(export.count(b"\n"), count, "exported lines")
            with Server(context.binary) as copy:
                copy.ask("POST", "/v1/_import", export.decode(), lines).is_(200)
                same(copy.get("/v1/_export").body, export, "the export of what the route has imported")
            with Server(context.binary) as copy:
                file = place / "export.ndjson"
                code, output, text = command(context.binary, "export", "--server", origin.url)
                file.write_bytes(output.encode())
                same(code, 0, text)
                code, _, text = command(context.binary, "import", "--server", copy.url, file)
                same(code, 0, text)
                same(copy.get("/v1/_export").body, export, "the export of what the program has imported")
            with Server(context.binary) as copy:
                for type_ in ("t", "u-1"):
                    code, output, text = command(context.binary, "export", type_, "--server", origin.url)
                    same(code, 0, text)
                    code, _, text = command(context.binary, "import", type_, "-", "--server", copy.url, stdin=output.encode())
                    same(code, 0, text)
                same(copy.get("/v1/_export").body, export, "the export of what the program has imported by type")


@case("what a stricter declaration would refuse is told by line, and imported as it is where that is asked for")
def verbatim(context):
    lines = {"Content-Type": "application/x-ndjson"}
    rows = [("gone", {"id": "1"}), ("t", {"id": "_a", "title": "b", "body": "c"}), ("t", {"id": "d", "more": 1}), ("t", {"id": "e", "title": 7})]
    declared = {"title": {"type": "string", "required": True}, "body": {"type": "string", "lazy": True}, "status": {"type": "string", "default": "new"}}
    with folder() as place:
        (place / "strict.json").write_text(json.dumps({"strict": True, "types": {
            "t": {"identifier": "string", "additionalProperties": False, "properties": declared}}}))
        with Server(context.binary) as loose:
            for type_, entity in rows:
                loose.ask("POST", "/v1/_import", json.dumps({"type": type_, "entity": entity}), lines).is_(200)
            export = loose.get("/v1/_export").is_(200).body
            typed = command(context.binary, "export", "t", "--server", loose.url)[1]
        (place / "export.ndjson").write_bytes(export)
        strict = lambda: Server(context.binary, None, "--config", str(place / "strict.json"))
        with strict() as s:
            refused = s.ask("POST", "/v1/_import", export.decode(), lines).is_(404, "unknown-type").json
            same([fault["line"] for fault in refused["errors"]], [1, 3, 3, 4], "the lines at fault")
            check("verbatim=true" in refused["hint"] and "--verbatim" in refused["hint"], refused["hint"])
            code, _, text = command(context.binary, "import", place / "export.ndjson", "--server", s.url)
            check(code == 1 and "export.ndjson:1" in text and "--verbatim" in text, text)
            code, _, text = command(context.binary, "import", "t", "-", "--server", s.url, stdin=typed.encode())
            check(code == 1 and "standard input:2" in text and "--verbatim" in text, text)
            s.ask("POST", "/v1/_import?verbatim=yes", "", lines).is_(400, "bad-parameter")
            s.ask("POST", "/v1/_import?type=gone", "", lines).is_(404, "unknown-type")
            same(s.get("/v1/_export").body, b"", "what was imported")
            # A stored member that a line lacks is not kept, and no default is added.
            s.put("/v1/t/e", {"title": "x", "body": "kept?"}).is_(201)
            s.ask("POST", "/v1/_import?verbatim=true", export.decode(), lines).is_(200)
            same(s.get("/v1/_export").body, export, "the export of what the route has imported")
            same(s.get("/v1/_types/t").json["unfit"], 2, "entities that do not fit")
        for arguments, text, wanted in ((["import", "--verbatim", place / "export.ndjson"], "", export), (["import", "--verbatim", "t", "-"], typed, None)):
            with strict() as s:
                code, _, said = command(context.binary, *arguments, "--server", s.url, stdin=text.encode())
                same(code, 0, said)
                if wanted is None:
                    same(command(context.binary, "export", "t", "--server", s.url)[1], typed, "the export of a type")
                else:
                    same(s.get("/v1/_export").body, wanted, "the export")


@case("a repeated PUT, PATCH or DELETE with an Idempotency-Key gives the first answer")
def idempotent(context):
    s, t = context.server, context.type()
    path = f"/v1/{t}/1"

    def ask(method, body, key, status, **headers):
        answer = s.ask(method, path, json.dumps(body) if body is not None else None, {"Idempotency-Key": key, **headers}).is_(status)
        return answer.status, answer.body, answer.header("ETag"), answer.header("Freshet-Cursor"), answer.header("Freshet-Changed"), answer.header("Location")

    put = ask("PUT", {"n": 1}, "a", 201)
    s.put(path, {"n": 2}).is_(200)
    same(ask("PUT", {"n": 1}, "a", 201), put, "the second PUT")
    same(s.get(path).json["n"], 2, "what came between")
    s.ask("PUT", path, '{"n":3}', {"Idempotency-Key": "a"}).is_(422, "idempotency-mismatch")
    # A key is of one method: the same body as a PATCH is another request.
    patch = ask("PATCH", {"n": 1}, "a", 200)
    tag = s.get(path).header("ETag")
    match = ask("PATCH", {"m": 1}, "b", 200, **{"If-Match": tag})
    s.put(path, {"n": 4}).is_(200)
    same(ask("PATCH", {"n": 1}, "a", 200), patch, "the second PATCH")
    same(ask("PATCH", {"m": 1}, "b", 200, **{"If-Match": tag}), match, "a PATCH that is applied, and whose condition no longer holds")
    gone = ask("DELETE", None, "a", 204)
    s.put(path, {"n": 5}).is_(201)
    same(ask("DELETE", None, "a", 204), gone, "the second DELETE")
    same(s.get(path).json["n"], 5, "what came behind the removal")
    # What was refused may be tried again.
    s.ask("PATCH", f"/v1/{t}/2", "{}", {"Idempotency-Key": "c"}).is_(404)
    s.put(f"/v1/{t}/2", {}).is_(201)
    s.ask("PATCH", f"/v1/{t}/2", "{}", {"Idempotency-Key": "c"}).is_(200)


@case("what is refused says what was sent and what is meant")
def told(context):
    s, t = context.server, context.type()
    s.put(f"/v1/{t}/1", {"n": 1}).is_(201)

    def refused(answer, status, code, *texts):
        problem = answer.is_(status, code).json
        for text in texts:
            check(text in problem["detail"] + " " + problem["hint"], f"'{text}' in {problem['detail']}: {problem['hint']}")

    refused(s.put(f"/v1/{t}/1", {}, If_None_Match="*"), 412, "precondition-failed", "is there already", "leave out If-None-Match")
    refused(s.put(f"/v1/{t}/2", {}, If_Match="*"), 412, "precondition-failed", "no such entity")
    refused(s.put(f"/v1/{t}/1", {}, If_Match='"999"'), 412, "precondition-failed", "Read the entity again")
    refused(s.get(f"/v1/{t}?filter=n+=~+'x'"), 400, "bad-filter", "'=~' is no operator", "filter=n+~=+'x'")
    refused(s.get(f"/v1/{t}?order=a,"), 400, "bad-parameter", "order, at byte 2")
    for body in ('"x"', "7", "null"):
        refused(s.ask("POST", f"/v1/{t}/_set", body), 400, "bad-json", "no array", "[{…},{…}]")
    for kind in ("json-patch+json", "merge-patch+json"):
        refused(s.ask("PUT", f"/v1/{t}/1", "{}", {"Content-Type": f"application/{kind}"}), 415, "unsupported-media-type", "PATCH", "application/json")
    refused(s.ask("PATCH", f"/v1/{t}/1", "[]", {"Content-Type": "application/json-patch+json"}), 415, "unsupported-media-type", "merge-patch+json")
    s.ask("PUT", f"/v1/{t}/1", "{}", {"Content-Type": "application/ld+json"}).is_(200)


@case("whoever may write a type and not import sends a file of that type all the same")
def import_by_writer(context):
    token = "writer-of-t"
    access = {"anonymous": {"*": {"read": True}}, "tokens": [
        {"name": "writer", "sha256": hashlib.sha256(token.encode()).hexdigest(), "types": {"t": {"read": True, "write": True}}}]}
    with folder() as place:
        (place / "f.json").write_text(json.dumps({"access": access}))
        with Server(context.binary, None, "--config", str(place / "f.json")) as s:
            def run(*arguments, stdin=b'{"id":1}\n{"a":2}\n'):
                return command(context.binary, *arguments, "--server", s.url, stdin=stdin, FRESHET_TOKEN=token)
            code, output, text = run("import", "t", "-")
            same((code, output), (0, "imported 2 entities (2 changed)\n"), text)
            same(s.get("/v1/t?count=true&limit=0").json["meta"]["total"], 2, "entities")
            lines = b'{"type":"t","entity":{"id":1}}\n'
            for arguments, lines in ((("import", "--verbatim", "t", "-"), None), (("import", "-"), lines), (("import", "u", "-"), None)):
                code, _, text = run(*arguments, **({"stdin": lines} if lines else {}))
                check(code == 1 and ("may not" in text or "administration" in text), f"{arguments}: {text}")
