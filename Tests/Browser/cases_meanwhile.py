"""What happens meanwhile: a text that is typed on while it is saved, a caller that goes, answers that
come behind another question, and data that come under the hand of whoever works by keyboard."""
import json
import signal
import time

from chromium import Browser, browser, case
from cases_console import IDS, access, at, bearer, go, gone, has, seen, shows_ids
from harness import Server, check, folder, same, soon
from upstream import Upstream

ROOT = ("root", {"admin": True, "types": {"*": {"read": True, "write": True}}})
# A token that the tab has once, at its first page: what signs out stays so.
SIGNED = """if (!sessionStorage.getItem('once')) {
    sessionStorage.setItem('freshet-token', 'root-secret'); sessionStorage.setItem('once', '1'); }"""
# Writes wait as long as `delay` says; the answer of one is lost.
SLOW = """globalThis.delay = 0; globalThis.loses = false; globalThis.plain = fetch;
    globalThis.fetch = async (url, options = {}) => {
        const isWrite = ['PUT', 'POST'].includes(options.method) && !String(url).includes('_live');
        if (isWrite && delay) await new Promise((go) => setTimeout(go, delay));
        const answer = await plain(url, options);
        if (isWrite && loses) { loses = false; throw new TypeError('the connection is lost'); }
        return answer;
    };"""
TEXT = "document.querySelector('[data-test=text]').value"


def write(tab, text):
    tab.run(f"{{ const area = document.querySelector('[data-test=text]'); area.value = {json.dumps(text)};"
            "area.dispatchEvent(new Event('input', { bubbles: true })); } 0")


@case("what is typed while a text is saved is kept, with another's change in between and in a new entity", 412)
def typed(context):
    with Server(context.binary) as server:
        server.put("/v1/task/1", {"title": "a", "n": 1})
        with at(server, "/v1/task/1", before=SLOW) as tab:
            tab.until(f"{TEXT.replace('.value', '?.value')}?.includes('title')")
            write(tab, '{"id": 1, "title": "mine", "n": 1}')
            tab.run("delay = 600; document.querySelector('[data-test=save]').click(); 0")
            server.ask("PATCH", "/v1/task/1", {"n": 2}).is_(200)
            write(tab, '{"id": 1, "title": "mine", "n": 1, "note": "typed on"}')
            soon(lambda: server.get("/v1/task/1").json.get("note") == "typed on", "the second round of the save")
            same(server.get("/v1/task/1").json, {"id": 1, "title": "mine", "n": 2, "note": "typed on"}, "what is stored")
            check("typed on" in tab.run(TEXT), "the text")
        with at(server, "/v1/task?_new=1", before=SLOW) as tab:
            seen(tab, "text")
            write(tab, '{"title": "new"}')
            tab.run("delay = 600; document.querySelector('[data-test=save]').click(); 0")
            write(tab, '{"title": "new", "note": "typed on"}')
            tab.until("!location.hash.includes('_new')", shows="document.body.textContent")
            check("typed on" in tab.run(TEXT), "the text")


@case("a text without an id whose answer was lost is stored once, however often it is saved", "lost", 404)
def stored_once(context):
    with Server(context.binary) as server:
        with at(server, "/v1/task?_new=1", before=SLOW) as tab:
            seen(tab, "text")
            write(tab, '{"title": "once"}')
            tab.run("loses = true; document.querySelector('[data-test=save]').click(); 0")
            seen(tab, "problem")
            tab.run("document.querySelector('[data-test=save]').click(); 0")
            tab.until("!location.hash.includes('_new')", shows="document.body.textContent")
            same(len(server.get("/v1/task").json["items"]), 1, "entities")


@case("an entity whose stream was closed shows itself again; its form follows what the store takes")
def shown_again(context):
    with folder() as place:
        path = place / "freshet.json"
        path.write_text(json.dumps({"types": {"task": {"properties": {"title": {"type": "string"}}}}}))
        full = (200, {"stores": {"main": {"state": "full", "reason": "no space"}}}, {"Content-Type": "application/json"})
        with Server(context.binary, None, "--config", str(path)) as server:
            server.put("/v1/task/1", {"title": "a"})
            with at(server, "/v1/task/1") as tab:
                seen(tab, "form")
                tab.until("document.querySelector('#pill').textContent === 'live'")
                for one in server.get("/v1/_streams").json["items"]:
                    server.ask("DELETE", f"/v1/_streams/{one['id']}").is_(204)
                seen(tab, "again")
                tab.click("again")
                tab.until(has("text") + " && document.querySelector('main .columns').children.length > 0", shows="document.body.textContent")
                disabled = "[...document.querySelectorAll('[data-test=field]')].map((field) => field.disabled).join()"
                for answers, held in (([(r"/readyz", full)], "true"), ([], "false")):
                    tab.answer(*answers)
                    tab.run("import('/console/server.js').then(({ checkReady }) => checkReady()).then(() => 1)")
                    tab.until(f"{disabled} === '{held}'", shows=disabled)


@case("ids in groups and in what is included keep their digits, a HEAD that fails is a problem, and reaches() asks no remote", 404)
def exact_answers(context):
    with Upstream(lambda request: request.reply(200, [{"id": "1", "n": 1}])) as upstream, folder() as place:
        path = place / "freshet.json"
        path.write_text(json.dumps({
            "upstreams": {"api": {"base": upstream.base}},
            "types": {"todo": {"remote": {"upstream": "api", "search": {"path": "/todo"}}},
                      "task": {"relationships": {"owner": {"type": "big", "association": "one"}}}}}))
        with Server(context.binary, None, "--config", str(path)) as server:
            server.ask("PUT", "/v1/big/9007199254740993", b'{"id":9007199254740993,"k":"a"}').is_(201)
            server.ask("PUT", "/v1/task/1", b'{"id":1,"owner":9007199254740993}').is_(201)
            cursor = server.ask("PUT", "/v1/todo/5?target=local", {"n": 5}).is_(201).header("Freshet-Cursor")
            with at(server, "/start") as tab:
                tab.run("import('/freshet.js').then(({ connect }) => { globalThis.db = connect(); })")
                same(tab.run("db.search('big', { group: 'k' }).then(({ groups }) => groups.map(({ key, items }) => [key, items[0].id, db.text(items[0])]))"),
                     [["a", "9007199254740993", '{"id":9007199254740993,"k":"a"}']], "a group")
                same(tab.run("db.search('task', { include: 'owner' }).then(({ included: { big } }) => Object.values(big).map((one) => [one.id, db.text(one)]))"),
                     [["9007199254740993", '{"id":9007199254740993,"k":"a"}']], "what is included")
                same(tab.run("db.request('HEAD', '/v1/big/1').then(null, ({ name, status }) => [name, status])"), ["FreshetProblem", 404], "a HEAD")
                tab.run("globalThis.local = db.live('todo', { source: 'local' }); 0")
                tab.until("local.state === 'live'")
                tab.run(f"local.reaches('{cursor}')")
                same([tab.run("local.ids"), upstream.paths], [["5"], []], "rows, and what the remote was asked")


@case("signing out holds for tabs that were elsewhere and for streams that had just begun, and leaves no data", 401)
def signed_out(context):
    with folder() as place:
        path = access(place, ROOT)
        with Server(context.binary, None, "--config", str(path)) as server:
            server.ask("PUT", "/v1/task/1", {"secret": "s3cr3t"}, bearer("root")).is_(201)
            with at(server, "/v1/task", before=SIGNED) as one, at(server, "/v1/task", before=SIGNED) as two:
                for tab in (one, two):
                    shows_ids(tab, ["1"])
                two.go(f"{server.url}/docs")
                one.click("strip")
                one.until("document.querySelectorAll('[data-test=event]').length > 0")
                one.click("sign-out")
                one.until("sessionStorage.getItem('freshet-token') === null && document.querySelectorAll('[data-test=event]').length === 0",
                          shows="document.body.textContent")
                two.run("history.back(); 0")
                two.until(f"location.pathname === '/' && {has('sign-in')}", shows="document.body.textContent")
                with at(server, "/v1/task") as three:
                    seen(three, "sign-in")
            # The session is being made while the token goes; this page has no worker.
            late = """delete globalThis.SharedWorker; globalThis.plain = fetch;
                globalThis.fetch = async (url, options = {}) => {
                    const answer = await plain(url, options);
                    if (options.method === 'POST' && String(url).endsWith('/v1/_live')) await new Promise((go) => setTimeout(go, 800));
                    return answer;
                };"""
            with at(server, "/v1/task", before=SIGNED + late) as tab:
                seen(tab, "sign-out")
                tab.click("sign-out")
                time.sleep(1.5)
                soon(lambda: server.ask("GET", "/v1/_live", headers=bearer("root")).json["streams"] == 0, "the end of the stream")
                same(server.ask("GET", "/v1/_live", headers=bearer("root")).json["streams"], 0, "streams")


@case("signing out holds where tabs share no worker, and for a tab that was elsewhere when the last one was closed", 401)
def signed_out_apart(context):
    apart = "delete globalThis.SharedWorker;"
    with folder() as place:
        path = access(place, ROOT)
        with Server(context.binary, None, "--config", str(path)) as server:
            server.ask("PUT", "/v1/task/1", {"n": 1}, bearer("root")).is_(201)
            with at(server, "/v1/task", before=SIGNED + apart) as away:
                shows_ids(away, ["1"])
                with at(server, "/v1/task", before=SIGNED + apart) as one, at(server, "/v1/task", before=SIGNED + apart) as two:
                    for tab in (one, two):
                        shows_ids(tab, ["1"])
                    away.go(f"{server.url}/docs")
                    one.click("sign-out")
                    for tab in (one, two):
                        seen(tab, "sign-in")
                away.run("history.back(); 0")
                away.until(f"location.pathname === '/' && {has('sign-in')}", shows="document.body.textContent")


@case("a caller who signs in again finds the chips of a filter as they were", 401)
def chips_kept(context):
    with Server(context.binary) as server:
        server.put("/v1/task/1", {"done": False, "priority": 5})
        with at(server, "/v1/task?filter=done==false+and+priority>2") as tab:
            shows_ids(tab, ["1"])
            tab.until("document.querySelectorAll('[data-test=chip-value]').length === 2", shows="document.querySelector('[data-test=chips]').innerHTML")
            tab.run("{ const [, second] = document.querySelectorAll('[data-test=chip-value]'); second.focus(); second.value = '3';"
                    "second.dispatchEvent(new Event('input', { bubbles: true })); } 0")
            tab.until("decodeURIComponent(location.hash).includes('priority+>+3')", shows="location.hash")
            tab.run("import('/console/server.js').then(({ server }) => { server.tell('access', true); })")
            tab.run("new Promise((go) => setTimeout(go, 1500)).then(() => 0)")
            same(tab.run("decodeURIComponent(location.hash)"), "#/v1/task?filter=done+==+false+and+priority+>+3", "the filter")
            shows_ids(tab, ["1"])


@case("lists ask for no more rows than the server gives, and a property of a late row is a column", 400)
def few_results(context):
    with folder() as place:
        path = place / "freshet.json"
        path.write_text(json.dumps({"limits": {"results": 300}}))
        with Server(context.binary, None, "--config", str(path)) as server:
            for n in range(260):
                server.put(f"/v1/task/{n}", {"n": n, **({"late": 1} if n == 255 else {})})
            with at(server, "/v1/task?limit=300") as tab:
                tab.until("!!document.querySelector('th[data-name=late]')", shows="document.querySelector('main').textContent")
            with at(server, "/streams") as tab:
                tab.until("document.querySelectorAll('[data-test=row]').length > 0", shows="document.body.textContent")
                same(tab.run("document.querySelectorAll('.problem').length"), 0, "problems")


@case("signing out asks before it drops a text that is not saved, and then drops it in all tabs", 401)
def signed_out_unsaved(context):
    with folder() as place:
        path = access(place, ROOT)
        with Server(context.binary, None, "--config", str(path)) as server:
            server.ask("PUT", "/v1/task/1", {"n": 1}, bearer("root")).is_(201)
            texts = "[...document.querySelectorAll('textarea')].map(({ value }) => value).join()"
            with at(server, "/v1/task/1", before=SIGNED) as two, at(server, "/v1/task/1", before=SIGNED) as one:
                for tab in (two, one):
                    tab.until("document.querySelector('[data-test=text]')?.value.includes('\"n\": 1')", shows="document.body.textContent")
                    write(tab, '{"id": 1, "n": "s3cr3t"}')
                seen(one, "sign-out")
                one.click("sign-out")
                seen(one, "unsaved")
                one.run("document.querySelector('[data-test=unsaved] .acts button:last-child').click(); 0")
                gone(one, "unsaved")
                same(one.run(f"[{texts}.includes('s3cr3t'), sessionStorage.getItem('freshet-token')]"), [True, "root-secret"], "what stays")
                one.click("sign-out")
                seen(one, "unsaved")
                one.run("document.querySelector('[data-test=unsaved] button').click(); 0")
                for tab in (one, two):
                    seen(tab, "sign-in")
                    tab.until(f"!{texts}.includes('s3cr3t') && !document.querySelector('main .facts')", shows=texts)


@case("a name that the server does not take any more is asked for seldom, and good again when it is", 421)
def host_back(context):
    other = Browser("--host-resolver-rules=MAP *.example 127.0.0.1")
    try:
        with folder() as place:
            path = place / "freshet.json"
            path.write_text(json.dumps({"hosts": ["team.example"]}))
            with Server(context.binary, None, "--config", str(path)) as server:
                server.put("/v1/t/1", {"n": 1})
                status = lambda: server.get("/v1", Host="team.example").status  # noqa: E731
                count = """globalThis.asked = 0; delete globalThis.SharedWorker; globalThis.plain = fetch;
                    globalThis.fetch = (url, options = {}) => { if (String(url).includes('_live')) asked++; return plain(url, options); };"""
                with other.open(f"http://team.example:{server.port}/#/v1/t", before=count) as tab:
                    shows_ids(tab, ["1"])
                    path.write_text(json.dumps({"hosts": ["else.example"]}))
                    server.signal(signal.SIGHUP)
                    soon(lambda: status() == 421, "the other name")
                    tab.run("asked = 0; location.hash = '/store'; 0")
                    tab.run("new Promise((go) => setTimeout(go, 3000))")
                    check(tab.run("asked") < 20, f"{tab.run('asked')} requests in 3 s")
                    go(tab, "/v1/t?limit=1")
                    tab.until("document.querySelector('#pill').textContent === 'host refused'", shows="document.querySelector('#pill').textContent")
                    path.write_text(json.dumps({"hosts": ["team.example"]}))
                    server.signal(signal.SIGHUP)
                    soon(lambda: status() == 200, "the name")
                    tab.click("again")
                    tab.until("document.querySelector('#pill').textContent === 'open'", shows="document.querySelector('#pill').textContent")
                    gone(tab, "banner-host")
    finally:
        other.end()


@case("what an empty answer says is of its question; a chip keeps its values; pages behind a mark go on; odd addresses lead somewhere", 400)
def of_its_question(context):
    with Server(context.binary) as server:
        for n in range(9):
            server.put(f"/v1/task/{n}", {"n": n, "tags": ["a", "b"], "title": "t"})
        with at(server, '/v1/task?filter=titel=="x"') as tab:
            tab.until("document.querySelector('[data-test=hint]')?.textContent.includes('title')")
            go(tab, '/v1/task?filter=title=="zzz"')
            tab.until("document.querySelector('[data-test=hint]')?.textContent === ''", shows="document.body.textContent")
            go(tab, "/v1/task?offset=50")
            tab.until("document.querySelector('[data-test=empty]')?.textContent.includes('Without the filter') === false", shows="document.body.textContent")
        with at(server, '/v1/task?filter=tags hasAny ["a","b"]') as tab:
            seen(tab, "chip-op")
            tab.run("{ const op = document.querySelector('[data-test=chip-op]'); op.value = 'hasAll'; op.dispatchEvent(new Event('change', { bubbles: true })); } 0")
            tab.until("""document.querySelector('[data-test=filter]').value === 'tags hasAll ["a","b"]'""", shows="document.querySelector('[data-test=filter]').value")
        first = server.get("/v1/task?limit=4&order=n").json["meta"]["next"]
        with at(server, f"/v1/task?limit=4&order=n&after={first}") as tab:
            shows_ids(tab, ["4", "5", "6", "7"])
            seen(tab, "rows-next")
            tab.click("rows-next")
            shows_ids(tab, ["8"])
            gone(tab, "rows-next")
        for odd in ("/v1/task?_cols=50%25", "//v1/task"):
            with at(server, odd) as tab:
                shows_ids(tab, [str(n) for n in range(9)])


@case("a list of types under a row rule is ordered and filtered as it says")
def ruled_types(context):
    with folder() as place:
        path = access(place, ("ruled", {"types": {"a": {"read": True}, "b": {"read": "team == 'x'"}, "c": {"read": True}}}), ROOT)
        with Server(context.binary, None, "--config", str(path)) as server:
            for type_, count in (("a", 1), ("b", 2), ("c", 3)):
                for n in range(count):
                    server.ask("PUT", f"/v1/{type_}/{n}", {"team": "x"}, bearer("root")).is_(201)
            with at(server, "/types?order=-count", before=SIGNED.replace("root", "ruled")) as tab:
                # By count; behind them what is under a rule, whose count may be there before the list.
                shows_ids(tab, ["c", "a", "b"])
                go(tab, "/types?filter=count>2")
                shows_ids(tab, ["c"])


@case("the focus stays where it is while data come, `i` tells what is in a type, and Esc closes what stands beside")
def focus_stays(context):
    with folder() as place:
        path = place / "freshet.json"
        path.write_text(json.dumps({"types": {"task": {"relationships": {"author": {"type": "person", "association": "one"}}}}}))
        with Server(context.binary, None, "--config", str(path)) as server:
            server.put("/v1/person/p", {"name": "Ada"})
            for n in range(3):
                server.put(f"/v1/task/{n}", {"title": "a", "author": "p"})
            with at(server, "/v1/task") as tab:
                shows_ids(tab, ["0", "1", "2"])
                tab.press("j")
                tab.press("j")
                before = tab.run("document.activeElement.dataset.id")
                check(before in ("0", "1"), f"the row with the focus: {before}")
                server.put("/v1/task/8", {"title": "x", "extra": 1})
                tab.until("[...document.querySelectorAll('main thead th')].some(({ dataset }) => dataset.name === 'extra')")
                same(tab.run("document.activeElement.dataset.id"), before, "the row with the focus, behind a new column")
                tab.run("document.querySelectorAll('#rail a')[3].focus(); 0")
                name = tab.run("document.activeElement.textContent")
                tab.run("import('/console/server.js').then(({ checkReady }) => checkReady()).then(() => 1)")
                same(tab.run("document.activeElement.textContent"), name, "the link of the rail with the focus")
            with at(server, "/types") as tab:
                tab.until(f"{IDS}.length === 2", shows=IDS)
                tab.press("j")
                tab.press("i")
                seen(tab, "declaration")
                go(tab, "/v1/task?include=author")
                seen(tab, "included")
                tab.run("document.querySelector('button[data-test=included]')?.click(); 0")
                seen(tab, "drawer")
                tab.press("Escape")
                gone(tab, "drawer")
                same(tab.run("location.hash"), "#/v1/task?include=author", "the place")


@case("a server that is away is asked once a second; a key whose act fails then says so", "lost")
def away(context):
    with Server(context.binary) as server:
        with at(server, "/v1/task") as tab:
            seen(tab, "empty")
            server.kill()
            # Each look is one that a lost request or stream would give.
            tab.run("""import('/console/server.js').then(async ({ checkReady }) => {
                for (let n = 0; n < 6; n++) { await checkReady(); await new Promise((go) => setTimeout(go, 60)); }
            })""")
            browser().requests.clear()
            tab.run("new Promise((go) => setTimeout(() => go(1), 1500))")
            asked = [url for url, _ in browser().requests if url.endswith("/readyz")]
            check(1 <= len(asked) <= 3, f"{len(asked)} requests for /readyz in 1.5 s")
            tab.press("?")
            tab.until("document.querySelector('main .problem')?.textContent.includes('did not load')", shows="document.body.textContent")


@case("what a caller has seen is gone with it; a sign-in that is declined is asked for again by the user alone", 401, 404)
def declined(context):
    with folder() as place:
        path = access(place, ROOT, ("other", {"types": {"task": {"read": "n > 100"}}}))
        with Server(context.binary, None, "--config", str(path)) as server:
            server.ask("PUT", "/v1/task/1", {"secret": "s3cr3t"}, bearer("root")).is_(201)
            names = "import('/console/suggest.js').then(({ properties }) => properties('task')).then((all) => [...all.keys()].join())"
            polled = "import('/console/server.js').then(({ ask }) => ask('GET', '/v1/_store')).catch(({ status }) => status)"
            with at(server, "/v1/task", before=SIGNED) as two, at(server, "/v1/task", before=SIGNED) as one:
                for tab in (one, two):
                    shows_ids(tab, ["1"])
                check("secret" in one.run(names), "suggestions")
                two.run("import('/console/dom.js').then(({ openDialog }) => { openDialog({ title: 'Raw', body: 's3cr3t', actions: [], test: 'raw' }); })")
                one.click("sign-out")
                for tab in (one, two):
                    seen(tab, "sign-in")
                gone(two, "raw")
                one.run("document.querySelector('[data-test=sign-in] .acts button:last-child').click(); 0")
                gone(one, "sign-in")
                same([one.run(polled), one.run(polled)], [401, 401], "what is read again")
                check(not one.run(has("sign-in")), "it is asked for again")
                one.click("sign-in-button")
                seen(one, "sign-in")
                one.run("document.querySelector('[data-test=token]').value = 'other-secret'; document.querySelector('[data-test=sign-in] button').click(); 0")
                one.until("document.querySelector('#who').textContent.includes('other')")
                same(one.run(names), "", "suggestions for another")


@case("an import whose answer was lost does not say that nothing was stored")
def import_lost(context):
    with Server(context.binary) as server:
        with at(server, "/v1/task", before=SLOW) as tab:
            seen(tab, "empty")
            tab.run("""import('/console/transfer.js').then(({ importFile }) => {
                loses = true;
                importFile(new File(['{"id":1}\\n{"id":2}\\n'], 'two.ndjson'), 'task');
            })""")
            tab.until("document.querySelector('[data-test=import-status]')?.textContent.includes('(2 lines) it is not known')", shows="document.body.textContent")
            same(len(server.get("/v1/task").json["items"]), 2, "entities")


@case("rights that change while a page is open, and a name that was lost on the way, are told", 403, "lost")
def rights_change(context):
    with folder() as place:
        path = access(place, ROOT)
        with Server(context.binary, None, "--config", str(path)) as server:
            off = "document.querySelectorAll('#rail .off').length"
            with at(server, "/store", before=SIGNED) as tab:
                tab.until("document.querySelector('#who').textContent.includes('root')")
                same(tab.run(off), 0, "pages that root may not see")
                access(place, ("root", {"types": {"*": {"read": True}}}))
                server.signal(signal.SIGHUP)
                soon(lambda: server.ask("GET", "/v1/_store", headers=bearer("root")).status == 403, "the other rights")
                tab.run("import('/console/server.js').then(({ ask }) => ask('GET', '/v1/_store')).catch(() => 1)")
                tab.until(f"{off} > 5", shows=off)
                # What was known of the caller outlives a request that is lost.
                tab.answer((r"/_access/me", None))
                tab.run("import('/console/server.js').then(({ introduce }) => introduce())")
                check("root" in tab.run("document.querySelector('#who').textContent"), "the name has gone")
                tab.answer()


@case("live queries go on when the shared worker ends, and where it did not load")
def worker_ends(context):
    with Server(context.binary) as server:
        server.put("/v1/task/1", {"n": 1})
        with at(server, "/v1/task") as one, at(server, "/v1/task") as two:
            for tab in (one, two):
                shows_ids(tab, ["1"])
            worker = [session for session, kind in browser()._kinds.items() if kind == "shared_worker"][-1]
            browser().call("Runtime.evaluate", {"expression": "self.close()"}, worker)
            server.put("/v1/task/2", {"n": 2})
            for tab in (one, two):
                shows_ids(tab, ["1", "2"])
        broken = """globalThis.SharedWorker = class extends EventTarget {
            port = { postMessage() {} };
            constructor() { super(); setTimeout(() => this.onerror?.(new Event('error')), 50); }
        };"""
        with at(server, "/v1/task", before=broken) as tab:
            shows_ids(tab, ["1", "2"])


@case("what is staged while a change is sent stays staged")
def staged_meanwhile(context):
    with folder() as place:
        path = place / "freshet.json"
        path.write_text(json.dumps({"conditions": {name: {"initial": False} for name in "ab"}}))
        with Server(context.binary, None, "--config", str(path)) as server:
            with at(server, "/conditions", before=SLOW.replace("'PUT', 'POST'", "'PATCH'")) as tab:
                tab.until("document.querySelectorAll('[data-test=stage]').length === 2")
                tab.run("document.querySelectorAll('[data-test=stage]')[0].click(); delay = 400; 0")
                tab.click("apply")
                tab.run("document.querySelectorAll('[data-test=stage]')[1].click(); 0")
                staged = "[...document.querySelectorAll('[data-test=staged-one]')].map(({ dataset }) => dataset.id).join()"
                tab.until(f"{staged} === 'b'", shows=staged)
                same([one["value"] for one in server.get("/v1/_conditions").json["items"]], [True, False], "what was turned")


@case("a text that is not saved is asked for once, however often the place changes; odd addresses and `g l` lead nowhere else")
def asked_once(context):
    with Server(context.binary) as server:
        server.put("/v1/task/1", {"n": 1})
        with at(server, "/types") as tab:
            for place in ("/v1/task", "/v1/task/1"):
                tab.until("!!document.querySelector('main h1')")
                go(tab, place)
            seen(tab, "text")
            tab.until(f"{TEXT} !== ''")
            write(tab, '{"id": 1, "n": 2}')
            asked = "document.querySelectorAll('[data-test=unsaved]').length"
            for hash_ in ("#/v1/task", "#/types"):
                tab.run("history.back(); 0")
                tab.until(f"location.hash === '{hash_}'")
            tab.until(f"{asked} > 0")
            same(tab.run(asked), 1, "questions")
            tab.press("Escape")
            gone(tab, "unsaved")
            tab.until("location.hash === '#/v1/task/1'", shows="location.hash")
            tab.run("history.back(); 0")
            seen(tab, "unsaved")
            tab.run("history.forward(); 0")
            gone(tab, "unsaved")
            check('"n": 2' in tab.run(TEXT), "the text")
            write(tab, tab.run("fetch('/v1/task/1').then((answer) => answer.text())"))
        with at(server, "/v1/task") as tab:
            shows_ids(tab, ["1"])
            tab.press("g")
            tab.press("l")
            check("_once" not in tab.run("location.hash"), "`l` was taken by itself")
            go(tab, "/v1/task/1/more")
            tab.until("document.querySelector('main h1')?.textContent === 'There is no such page'", shows="document.body.textContent")
            tab.run("import('/freshet.js').then(({ connect }) => connect().set('task', { id: 2, n: new Number(3), s: new String('x') }))")
            same(server.get("/v1/task/2").json, {"id": 2, "n": 3, "s": "x"}, "boxed values")
