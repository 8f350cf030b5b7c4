"""States of Types and Query, and of Operations, Streams, Store and Cluster, that take a cause of their own."""
import contextlib
import json
import os
import pathlib
import threading

from cases_console import IDS, access, at, bearer, go, gone, has, seen, shows_ids
from cases_states import ALONE, MAIN, PILL, fresh, problem, rows
from chromium import browser, case
from harness import Server, check, folder, same, soon
from upstream import Upstream, serving

IS_LONG = bool(os.environ.get("FRESHET_LONG_TESTS"))


def row_text(id_):
    return f"(document.querySelector('main tr[data-id={json.dumps(id_)}]:not(.left)')?.textContent ?? '')"


def cell(id_, column):
    """The text of a row's cell under the header `column`."""
    return (f"(() => {{ const row = document.querySelector('main tr[data-id={json.dumps(id_)}]'); const at = [...row?.closest('table').querySelectorAll('thead th') ?? []]"
            f".findIndex((th) => th.dataset.name === {json.dumps(column)}); return row?.querySelectorAll('th, td')[at]?.textContent ?? ''; }})()")


def shows(tab, id_, column, text):
    tab.until(f"{cell(id_, column)}.includes({json.dumps(text)})", shows=f"[{cell(id_, column)}, {MAIN}.slice(0, 600)]")


def edited(tab, script):
    """What changes the events of the next page that is loaded; answers what takes it back."""
    number = tab.call("Page.addScriptToEvaluateOnNewDocument", {"source": f"edits = {script};"})["identifier"]
    return lambda: tab.call("Page.removeScriptToEvaluateOnNewDocument", {"identifier": number})


# Types ---------------------------------------------------------------------------------------------

@case("Types for a caller under a row rule: the rows that it may read are counted, live, and no other type is named")
def types_by_rule(context):
    with folder() as data:
        path = access(data, ("root", {"admin": True, "types": {"*": {"read": True, "write": True}}}),
                      ("blue", {"types": {"t": {"read": "team == 'blue'"}, "whole": {"read": True}}}))
        with Server(context.binary, None, "--config", str(path)) as server:
            root = bearer("root")
            for n in range(6):
                server.ask("PUT", f"/v1/t/{n}", {"n": n, "team": "blue" if n % 2 else "red"}, root)
                server.ask("PUT", f"/v1/secret/{n}", {"n": n}, root)
            server.ask("PUT", "/v1/whole/1", {"n": 1}, root)
            with at(server, "/types", before="sessionStorage.setItem('freshet-token', 'blue-secret')") as tab:
                tab.until(f"{IDS}.join() === 't,whole'", shows=MAIN)
                shows(tab, "t", "count", "3")
                shows(tab, "whole", "count", "1")
                server.ask("PUT", "/v1/t/0", {"n": 0, "team": "blue"}, root)
                shows(tab, "t", "count", "4")
                server.ask("PUT", "/v1/t/2", {"n": 2, "team": "red", "more": 1}, root)
                server.ask("DELETE", "/v1/t/1", headers=root)
                shows(tab, "t", "count", "3")
                check("secret" not in tab.run(MAIN), "a type that the caller may not read")


@case("Types: a count falls to nothing, unfit entities in amber and in the drawer, an index that is built, strict types, what is inferred, all removed, a new type", 400, 403, 404, 422)
def types_states(context):
    with folder() as data:
        with Server(context.binary, data) as server:
            for n in range(20):
                server.put(f"/v1/article/{n}", {"id": n, "title": f"title {n}" if n > 1 else n, "author": {"name": "Ada"}, "points": n})
            server.put("/v1/loose/1", {"n": 1})
        file = pathlib.Path(data) / "freshet.json"
        file.write_text(json.dumps({"strict": True, "types": {"article": {"properties": {"title": {"type": "string"}}, "indexes": ["points"]}, "fresh": {"properties": {"n": {"type": "number"}}}}}))
        with Server(context.binary, data, "--config", str(file)) as server, browser().open(f"{server.url}/livez", ALONE) as tab:
            tab.go(f"{server.url}/#/types")
            shows(tab, "article", "unfit", "2 unfit")
            same(tab.run("[...document.querySelectorAll('[data-id=article] .tag')].map((one) => one.classList.contains('warn'))"), [True], "amber")
            shows(tab, "article", "declared", "yes")
            shows(tab, "article", "indexes", "1 ready")
            # The drawer: what is declared, who does not fit, what is in it.
            tab.run("document.querySelector('[data-id=article] td').click()")
            seen(tab, "drawer")
            tab.until("document.querySelector('.drawer').textContent.includes('Schema') && document.querySelector('.drawer').textContent.includes('do not fit')", shows="document.querySelector('.drawer').textContent")
            tab.click("infer")
            seen(tab, "inferred")
            found = tab.run("[...document.querySelectorAll('[data-test=inferred] tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))")
            told = {row[0]: row for row in found}
            same(told["title"][1], "20", "seen in all")
            check("string 18" in told["title"][2] and "number 2" in told["title"][2], f"kinds: {told['title']}")
            same(told["author.name"][1:4], ["20", "string 20", '"Ada"'], "a member of a member")
            snippet = json.loads(tab.run("document.querySelector('[data-test=declaration], .drawer pre').textContent"))
            answer = server.get("/v1/_types/article/infer?sample=1000").is_(200).json
            same(snippet, answer["schema"], "the snippet is ready for the configuration")
            tab.press("Escape")
            gone(tab, "drawer")
            # All removed: the count is typed, another is refused.
            tab.run("document.querySelector('[data-id=article] td').click()")
            seen(tab, "remove-all")
            tab.click("remove-all")
            seen(tab, "typed-count")
            tab.run("document.querySelector('[data-test=typed-count]').focus()")
            tab.type("19")
            tab.press("Enter")
            tab.until("document.querySelector('[data-test=confirm] [role=alert]').textContent !== ''")
            same(server.get("/v1/article?limit=0&count=true").json["meta"]["total"], 20, "nothing is removed by another count")
            tab.run("document.querySelector('[data-test=typed-count]').select()")
            tab.type("20")
            tab.press("Enter")
            tab.until(f"{cell('article', 'count')} === '0'", shows=f"[{cell('article', 'count')}, {MAIN}]")
            check("unfit" not in tab.run(row_text("article")), "nothing is unfit any more")
            # A new type by its first entity: one that is not declared is refused where types are strict.
            tab.click("new-type-button")
            seen(tab, "new-type")
            tab.run("document.querySelector('[data-test=type-name]').focus()")
            tab.type("7 of")
            tab.press("Enter")
            tab.until("document.querySelector('[data-test=new-type] [role=alert]').textContent.includes('letter')")
            tab.run("document.querySelector('[data-test=type-name]').select()")
            tab.type("undeclared")
            tab.press("Enter")
            tab.until("location.hash === '#/v1/undeclared?_new=1'", shows="location.hash")
            seen(tab, "text")
            tab.run("document.querySelector('[data-test=text]').focus(); document.querySelector('[data-test=text]').select()")
            tab.type('{"n": 1}')
            tab.click("save")
            check("unknown-type" in seen(tab, "problem"), f"a strict server refuses it: {tab.text('problem')}")
            same(tab.run("document.querySelector('[data-test=text]').value"), '{"n": 1}', "its text is kept")
            tab.run("document.querySelector('[data-test=text]').select()")
            tab.type("{\n  \n}")
            go(tab, "/v1/fresh?_new=1")
            tab.until("document.querySelector('h1').textContent.includes('fresh') && !!document.querySelector('[data-test=text]')", shows="document.body.textContent")
            tab.run("document.querySelector('[data-test=text]').focus(); document.querySelector('[data-test=text]').select()")
            tab.type('{"n": 2}')
            tab.click("save")
            tab.until("/^#\\/v1\\/fresh\\/[^?]+$/.test(location.hash)", shows=f"[location.hash, {MAIN}]")
            same([one["n"] for one in server.get("/v1/fresh").json["items"]], [2], "its first entity")
            go(tab, "/types")
            shows(tab, "fresh", "count", "1")
            # An index that is being built tells how far it is.
            back = edited(tab, "(name, data) => ({ ...data, items: data.items?.map((row) => (row.id === 'article' ? { ...row, count: 200, indexes: [{ keys: 'points', state: 'building', built: 50 }] } : row)) })")
            fresh(tab, server, "/types")
            shows(tab, "article", "indexes", "building 25 %")
            back()


# Query ---------------------------------------------------------------------------------------------

@case("Query over a remote: what is fetched, held by a gate, failed or old is said above the rows, and what a degraded answer lacks", 502, 503)
def sources(context):
    gate, fails = threading.Event(), threading.Event()

    asked = []

    def answer(request):
        asked.append(request.path)
        if "slow" in request.path:
            gate.wait(60)
        if fails.is_set():
            return request.reply(503, {"why": "<b>later</b>"})
        rows(request)

    remote = {name: {"remote": {"upstream": "api", "search": {"path": f"/{name}"}}} for name in ("slow", "quick", "held")}
    remote["paged"] = {"remote": {"upstream": "api", "search": {"path": "/paged", "query": {"limit": "{limit}", "from": "{offset}"}}}}
    operations = {"held": {"type": "held", "automatic": {"condition": "go"}, "admit": {"when": {"condition": "go"}}}}
    banner = "(document.querySelector('[data-test=source]')?.textContent ?? '')"
    with Upstream(answer) as upstream, serving(context, {"upstreams": {"api": {"base": upstream.base, "retry": {"limit": 0}}}, "types": remote,
                                                         "conditions": {"go": {}}, "operations": operations}) as server:
        with browser().open(f"{server.url}/livez", ALONE) as tab:
            tab.go(f"{server.url}/#/v1/slow")
            tab.until(f"{banner}.includes('fetching')", shows=f"[{banner}, {MAIN}]")
            gate.set()
            shows_ids(tab, ["1"])
            gone(tab, "source")
            go(tab, "/v1/held?count=false")
            tab.until(f"{banner}.includes('gated') && {banner}.includes('Held by admit')", shows=f"[{banner}, {MAIN}]")
            same(tab.run("document.querySelector('[data-test=source]').classList.contains('warn')"), True, "amber")
            server.ask("PATCH", "/v1/_conditions", {"go": True}).is_(200)
            server.ask("POST", "/v1/_operations/held/run?wait=1")
            shows_ids(tab, ["1"])
            gone(tab, "source")
            # A total that nobody has asked for would take all of a remote's pages; also the filter's
            # suggestions are of what is here.
            asked.clear()
            go(tab, "/v1/paged?limit=1")
            shows_ids(tab, ["1"])
            seen(tab, "rows-next")
            tab.press("/")
            tab.type("n==")
            tab.until("!!document.querySelector('.line [role=option]')", shows="document.querySelector('.line').textContent")
            tab.press("Escape")
            same(asked, ["/paged?limit=1&from=0"], "what the remote is asked for")
            fails.set()
            go(tab, "/v1/quick")
            # One question for all of it: the next try says `fetching` in its place.
            tab.until(f"{banner}.includes('failed') && {banner}.includes('503') && document.querySelector('[data-test=source]').classList.contains('bad')"
                      " && document.querySelectorAll('main b').length === 0", shows=f"[{banner}, {MAIN}]")
            fails.clear()
            # What is old, with the next try: as the server words it.
            edited(tab, "(name, data) => (name === 'source' ? { ...data, state: 'stale', next: new Date(Date.now() + 90000).toISOString() } : data)")
            fresh(tab, server, "/v1/quick?limit=3")
            tab.until(f"{banner}.includes('stale') && /Next try in 1 min/.test({banner})", shows=f"[{banner}, {MAIN}]")
        fails.set()
        with at(server, "/v1/slow?source=remoteOrLocal&_once=1") as tab:
            shows_ids(tab, ["1"])
            check("503" in seen(tab, "degraded") or "upstream" in tab.text("degraded"), f"what a degraded answer lacks: {tab.text('degraded')}")
            fails.clear()
            go(tab, "/v1/slow?source=remoteOrLocal&limit=5&_once=1")
            shows_ids(tab, ["1"])
            gone(tab, "degraded")


@case("Query: a query that cannot be live is given once and says why; a type that a strict server does not know; a session that is full", 404, 422, 429, 413, 503)
def finals(context):
    with folder() as data:
        file = pathlib.Path(data) / "freshet.json"
        file.write_text(json.dumps({"strict": True, "types": {"t": {}}}))
        with Server(context.binary, None, "--config", str(file)) as server, browser().open(f"{server.url}/livez", ALONE) as tab:
            server.put("/v1/t/1", {"n": 1}).is_(201)
            for code, detail in (("snapshot-too-large", "the answer has more than 64 MiB"), ("too-many-live-queries", "there are 10,000 already")):
                # Refused at once, and ended later, by a fault that is final.
                fresh(tab, server, "/v1/t", answers=[(r"/v1/_live$", problem(422, code, detail))])
                shows_ids(tab, ["1"])
                status = tab.text("status")
                check("once" in status and detail in status, f"given once, and why: {status}")
                check(not tab.run(has("problem")), "no problem beside rows that are shown")
            fresh(tab, server, "/v1/t")
            shows_ids(tab, ["1"])
            tab.until("document.querySelector('[data-test=status]').textContent.includes('live')")
            tab.run("edits = (name, data) => (name === 'delta' ? { as: 'fault', q: data.q, code: 'snapshot-too-large', status: 413, detail: 'it has grown too large', final: true } : data); 0")
            server.put("/v1/t/2", {"n": 2}).is_(201)
            tab.until("/once/.test(document.querySelector('[data-test=status]').textContent) && document.querySelector('[data-test=status]').textContent.includes('it has grown too large')", shows=MAIN)
            shows_ids(tab, ["1", "2"])
            fresh(tab, server, "/v1/unheard")
            check("unknown-type" in seen(tab, "problem"), f"a type that is not declared: {tab.run(MAIN)}")
            check(not tab.run(has("empty")), "what is refused is not shown as empty")


@case("Query: columns are chosen, moved, kept for the type and given back; queries are named, found and forgotten")
def columns(context):
    with Server(context.binary) as server:
        for n in range(3):
            server.put(f"/v1/t/{n}", {f"m{at:02}": at for at in range(15)})
        heads = "[...document.querySelectorAll('thead th')].map((th) => th.dataset.name).join()"
        with at(server, "/v1/t") as tab:
            shows_ids(tab, ["0", "1", "2"])
            same(tab.run(heads), ",".join(["id", *(f"m{at:02}" for at in range(11))]), "the first eleven beside the id")
            same(tab.text("columns"), "+4 more columns", "what is cut is said")
            tab.click("columns")
            seen(tab, "column-chooser")
            boxes = "document.querySelectorAll('[data-test=column-chooser] li')"
            same(tab.run(f"{boxes}.length"), 15, "columns to choose from")
            tab.run(f"[...{boxes}].slice(1, 11).forEach((li) => li.querySelector('input').click()); {boxes}[14].querySelector('input').click()")
            # The last is moved up by its button, which keeps the focus.
            tab.run(f"{boxes}[14].querySelector('button').focus()")
            for _ in range(14):
                tab.press("Enter")
            same(tab.run(f"{boxes}[0].textContent.startsWith('m14')"), True, "moved to the top")
            check(tab.run(f"{boxes}[0].contains(document.activeElement)"), f"the focus goes with it: {tab.focused()}")
            tab.run("[...document.querySelectorAll('[data-test=column-chooser] .acts button')].find(({ textContent }) => textContent === 'Show').click()")
            gone(tab, "column-chooser")
            tab.until(f"{heads} === 'id,m14,m00'", shows=heads)
            check("_cols=m14,m00" in tab.run("decodeURIComponent(location.hash)"), "the address has them")
            same(tab.text("columns"), "+13 more columns", "what is cut is said")
            # Kept for the type, also at an address without them.
            with at(server, "/v1/t?limit=2") as other:
                shows_ids(other, ["0", "1"])
                other.until(f"{heads} === 'id,m14,m00'", shows=heads)
            tab.click("columns")
            seen(tab, "column-chooser")
            tab.run("[...document.querySelectorAll('[data-test=column-chooser] .acts button')].find(({ textContent }) => textContent === 'As they come').click()")
            tab.until(f"{heads}.split(',').length === 12 && !location.hash.includes('_cols')", shows=f"[{heads}, location.hash]")
            # Named queries.
            go(tab, "/v1/t?filter=m00==0&limit=1&_panel=recent")
            seen(tab, "panel-recent")
            tab.run("document.querySelector('[data-test=panel-recent] input').focus()")
            tab.type("<b>first</b>")
            tab.run("[...document.querySelectorAll('[data-test=panel-recent] button')].find(({ textContent }) => textContent === 'Keep this query').click()")
            named = "document.querySelector('[data-test=panel-recent] ul').textContent"
            tab.until(f"{named}.includes('<b>first</b>')", shows=named)
            go(tab, "/v1/t?_panel=recent")
            shows_ids(tab, ["0", "1", "2"])
            check(tab.run("[...document.querySelectorAll('[data-test=panel-recent] ul')][1].textContent").startswith("/v1/t"), "the latest query comes first")
            tab.run("document.querySelector('[data-test=panel-recent] ul a').click()")
            shows_ids(tab, ["0"])
            tab.until("location.hash.includes('filter=m00==0')", shows="location.hash")
            go(tab, "/v1/t?_panel=recent")
            shows_ids(tab, ["0", "1", "2"])
            tab.run("[...document.querySelectorAll('[data-test=panel-recent] button')].find(({ textContent }) => textContent === 'Forget').click()")
            tab.until(f"{named} === ''", shows=named)
            same(tab.run("document.querySelectorAll('main b').length"), 0, "elements made by a name")
            # Where no more is kept than 2 KiB of a query, the longer one is not kept at all.
            go(tab, "/v1/t?filter=m00==0" + "+or+m00==0" * 250)
            shows_ids(tab, ["0", "1", "2"])
            check(tab.run("!localStorage.getItem('freshet-console').includes('or+m00==0+or')"), "a very long query is not kept")


@case("Query: a Delete that is refused is a problem card; a pause without an answer is none; a pause outlives a sort", 400, 403)
def refused(context):
    with Server(context.binary) as server:
        for n in range(3):
            server.put(f"/v1/t/{n}", {"n": 3 - n})
        with at(server, "/v1/t?filter=n+==") as tab:
            seen(tab, "problem")
            tab.press("p")
            tab.press("p")
            tab.press("Delete")
            tab.until("document.querySelector('[data-test=remove]').nextElementSibling.matches('.problem')", shows=MAIN)
            go(tab, "/v1/t")
            shows_ids(tab, ["0", "1", "2"])
            tab.answer((r"/_remove$", problem(403, "forbidden", "not you")))
            tab.press("j")
            tab.press("Delete")
            seen(tab, "confirm")
            tab.press("Enter")
            tab.until("document.querySelector('[data-test=remove]').nextElementSibling.textContent.includes('not you')", shows=MAIN)
            tab.answer()
            tab.press("p")
            tab.run("document.querySelector('th[data-name=n] button').click()")
            shows_ids(tab, ["2", "1", "0"])
            check("paused" in tab.text("status"), f"the pause goes on: {tab.text('status')}")


@case("Query: rows in groups that are cut are said, and the next are had; of many figures by group 300 are shown")
def cut_groups(context):
    with Server(context.binary) as server:
        server.ask("POST", "/v1/t/_set", [{"id": f"{n:03}", "g": n % 4, "h": n} for n in range(310)]).is_(200)
        with at(server, "/v1/t?group=g") as tab:
            tab.until("document.querySelector('[data-test=status]').textContent.startsWith('100 of 310')", shows=MAIN)
            tab.click("rows-next")
            tab.until("document.querySelectorAll('[data-test=group] tbody tr').length === 100 && location.hash.includes('offset=100')", shows=MAIN)
            seen(tab, "rows-before")
            go(tab, "/v1/t?group=h&aggregate=sum(h)")
            tab.until("document.querySelectorAll('[data-test=static] tbody tr').length === 300", shows=f"{MAIN}.length")
            check("10 more groups are not shown" in tab.text("answer"), "the rest is said")


@case("Query: of more than 50 rows that change at once the number is told, and none is marked; of 50 each is")
def bursts(context):
    with Server(context.binary) as server:
        def write(value, numbers):
            server.ask("POST", "/v1/t/_set", [{"id": f"{n:03}", "n": value} for n in numbers]).is_(200)
        write(0, range(90))
        marked = "document.querySelectorAll('main td.changed').length"
        with at(server, "/") as tab:
            # What is here is seen first, wherever there is something.
            tab.until("location.hash === '#/types'", shows="location.href")
            tab.run(f"""marks = 0; new MutationObserver(() => {{ marks = Math.max(marks, {marked}); }})
                .observe(document.querySelector('main'), {{ subtree: true, childList: true, attributes: true }}); 0""")
            go(tab, "/v1/t")
            tab.until(f"{IDS}.length > 20", shows=MAIN)
            write(1, range(3))
            tab.until("marks > 0 && marks <= 3", shows="marks")
            tab.run("marks = 0; 0")
            tab.until(f"{marked} === 0", shows=marked)
            tab.run("marks = 0; 0")
            write(2, range(60))
            tab.until("document.querySelector('[data-test=status]').textContent.includes('60 rows changed at once')", shows=MAIN)
            check("0002" in tab.run(MAIN), "what they are now")
            same(tab.run("marks"), 0, "cells that were marked")


@contextlib.contextmanager
def types_held(context):
    """Types of a caller under a row rule, while the answer that names them waits for `release()`: server and tab."""
    with folder() as data:
        path = access(data, ("root", {"admin": True, "types": {"*": {"read": True, "write": True}}}), ("blue", {"types": {"t": {"read": "n > 0"}}}))
        slow = """sessionStorage.setItem('freshet-token', 'blue-secret'); globalThis.waits = false; (() => { const plain = fetch; globalThis.fetch = async (input, init) => {
            if (waits && String(input).endsWith('/v1')) await new Promise((go) => { globalThis.release = go; });
            return plain(input, init); }; })();"""
        with Server(context.binary, None, "--config", str(path)) as server, at(server, "/access", before=slow) as tab:
            server.ask("PUT", "/v1/t/1", {"n": 1}, bearer("root")).is_(201)
            tab.until("document.querySelector('h1')?.textContent === 'Access' && document.querySelector('#who').textContent.includes('blue')", shows=MAIN)
            tab.run("waits = true; location.hash = '#/types'; 0")
            yield server, tab


@case("Types that are left while its types are read watch nothing")
def left_types(context):
    with types_held(context) as (server, tab):
        tab.until("!!globalThis.release")
        tab.run("location.hash = '#/access'; 0")
        tab.until("document.querySelector('h1')?.textContent === 'Access'", shows=MAIN)
        tab.run("release(); 0")

        def watched():
            return [query["text"] for one in server.ask("GET", "/v1/_streams", headers=bearer("root")).json["items"] for query in one["queries"]]
        # A query goes 2 s after its last tab.
        soon(lambda: not watched(), "the end of all queries")
        same(watched(), [], "what is watched")


@case("Types under a row rule says that nothing is stored only when that is known")
def types_not_known(context):
    with types_held(context) as (server, tab):
        tab.until(f"!!globalThis.release && {PILL} === 'live'", shows=PILL)
        tab.run("new Promise((go) => setTimeout(go, 200)).then(() => 0)")
        same(tab.run(f"[{has('empty')}, {has('loading')}, document.querySelector('[data-test=status]').textContent]"), [False, True, ""], "while it is read")
        tab.run("waits = false; release(); 0")
        shows_ids(tab, ["t"])


@case("Query: groups stay where they are scrolled to when they change; a value in a group and on Start opens from its chip")
def groups_stay(context):
    with Server(context.binary) as server:
        server.ask("POST", "/v1/t/_set", [{"id": f"{n:03}", "g": [n % 2], "h": n, "tags": ["first", "second"]} for n in range(90)]).is_(200)
        with at(server, "/v1/t?group=g") as tab:
            seen(tab, "groups")
            place = "document.querySelector('[data-test=groups]')"
            tab.until(f"({place}.scrollTop = 300) === {place}.scrollTop", shows=f"{place}.scrollHeight")
            server.put("/v1/t/000", {"g": [0], "h": 4711, "tags": []})
            tab.until(f"{place}.textContent.includes('4711')", shows=f"{place}.textContent")
            same(tab.run(f"{place}.scrollTop"), 300, "the place")
            for chip, wanted in (("td [data-open]", "first"), ("h2 [data-open]", "[1")):
                tab.run(f"[...{place}.querySelectorAll('{chip}')].at(-1).focus(); 0")
                tab.press("Enter")
                tab.until(f"document.querySelector('dialog')?.textContent.includes('{wanted}')", shows="document.querySelector('dialog')?.textContent")
                tab.press("Escape")
                tab.until("!document.querySelector('dialog')")
        server.put("/v1/task/1", {"title": {"a": 1}})
        with at(server, "/start") as tab:
            tab.until("!!document.querySelector('main [data-open]')", shows=MAIN)
            tab.run("document.querySelector('main [data-open]').click()")
            tab.until("location.hash === '#/v1/task/1'", shows="location.hash")


@case("Query: Ask reads again what was given once or has failed; another type drops columns and row", 503)
def asked_again(context):
    with Server(context.binary) as server:
        server.put("/v1/t/1", {"n": 1})
        server.put("/v1/u/2", {"m": 1})
        with at(server, "/v1/t?_once=1&_cols=n&_sel=1") as tab:
            def has_n(n):
                tab.until(f"{row_text('1')} === '1{n}'", shows=MAIN)
            has_n(1)
            server.put("/v1/t/1", {"n": 2})
            tab.click("ask")
            has_n(2)
            tab.answer((r"/v1/t$", problem(503, "unavailable", "not now")))
            tab.click("ask")
            seen(tab, "problem")
            server.put("/v1/t/1", {"n": 3})
            tab.answer()
            tab.click("ask")
            has_n(3)
            gone(tab, "problem")
            tab.run("document.querySelector('[data-test=url]').value = '/v1/u'")
            tab.click("ask")
            shows_ids(tab, ["2"])
            same(tab.run("location.hash"), "#/v1/u?_once=1", "the address")
            tab.until(f"{row_text('2')} === '21'", shows=MAIN)


@case("an import that is cancelled half-way tells how many of its lines are stored, and stores no more", "lost")
def cancelled(context):
    waiting = """globalThis.sent = 0; (() => { const plain = fetch; globalThis.fetch = async (input, init) => {
        if (!String(input.url ?? input).endsWith('/_set')) return plain(input, init);
        sent++;
        if (sent === 2) await new Promise((resolve) => { globalThis.release = resolve; });
        return plain(input, init); }; })();"""
    lines = "\n".join(json.dumps({"id": n, "n": n}) for n in range(12_000))
    drop = """((name, text) => { const data = new DataTransfer(); data.items.add(new File([text], name));
        document.querySelector('main article').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })); })"""
    with Server(context.binary) as server, at(server, "/v1/t?limit=5", before=waiting) as tab:
        seen(tab, "empty")
        tab.run(f"{drop}('some.ndjson', {json.dumps(lines)})")
        tab.until("globalThis.release && document.querySelector('[data-test=import-status]').textContent.startsWith('4,000 entities stored')", shows="document.querySelector('[data-test=import-status]')?.textContent")
        tab.run("[...document.querySelectorAll('[data-test=import-dialog] .acts button')].at(-1).click()")
        tab.run("release(); 0")
        # The part under way ends; what is stored is told, where the person still looks.
        tab.until("/8,000 entities stored/.test(document.querySelector('[data-test=import-dialog]')?.textContent ?? '') && /left out/.test(document.querySelector('[data-test=import-dialog]').textContent)",
                  shows="[document.querySelector('[data-test=import-dialog]')?.textContent, document.body.textContent.slice(-300)]")
        same([tab.run("sent"), server.get("/v1/t?limit=0&count=true").json["meta"]["total"]], [2, 8000], "parts that were sent, and what is stored")


# Operations, Streams, Store, Cluster ---------------------------------------------------------------

@case("controllers that hang and flood are told with their counts, in the list and on the page")
def controllers(context):
    def answer(request):
        if request.path.startswith("/events"):
            return request.stream("event: todo\ndata: {\"id\":\"1\"}\n\n")
        rows(request)

    controller = {"sse": {"upstream": "api", "path": "/events"}, "attach": "always", "reduce": [{"on": "*", "do": "ignore"}]}
    with Upstream(answer) as upstream, serving(context, {"upstreams": {"api": {"base": upstream.base, "retry": {"limit": 0}}},
                                                         "types": {"todo": {"remote": {"upstream": "api", "search": {"path": "/todo"}}}},
                                                         "operations": {"led": {"type": "todo", "controllers": [controller]}}}) as server:
        with browser().open(f"{server.url}/livez", ALONE) as tab:
            fresh(tab, server, "/operations")
            shows(tab, "led", "controllers", "sse running")
            for state, counts, word in (("hung", {"hangs": 3}, "3 hangs"), ("pausing", {"floods": 2}, "2 floods")):
                back = edited(tab, "(name, data) => ({ ...data, items: data.items?.map((row) => ({ ...row, controllers: row.controllers.map((one) => ({ ...one, "
                                   f"state: '{state}', activity: 'holding its thread', lastError: '<b>no</b>', counts: {{ ...one.counts, ...{json.dumps(counts)} }} }})) }})) }})")
                fresh(tab, server, "/operations")
                shows(tab, "led", "controllers", f"sse {state}")
                same(tab.run("[...document.querySelectorAll('[data-id=led] .word')].filter(({ textContent }) => textContent.includes('sse')).map((one) => one.matches('.bad, .warn'))"), [True], "marked")
                fresh(tab, server, "/operations/led")
                tab.until("!!document.querySelector('[data-test=controller]')", shows=MAIN)
                said = tab.text("controller")
                check(state in said and word in said and "holding its thread" in said and "<b>no</b>" in said, f"its card: {said}")
                check(tab.run("document.querySelector('[data-test=controller] h3 .word').classList.contains('bad')"), "red")
                back()


@case("thousands of operations: a window of rows in the document, the rest by asking, the last by a key")
def many_operations(context):
    number = 10_000 if IS_LONG else 2_000
    with Upstream(rows) as upstream, serving(context, {"upstreams": {"api": {"base": upstream.base, "retry": {"limit": 0}}},
                                                       "types": {"todo": {"remote": {"upstream": "api", "search": {"path": "/todo"}}}},
                                                       "operations": {f"o{n:05}": {"type": "todo", "query": {"filter": f"n > {n}"}} for n in range(number)}}) as server:
        with at(server, "/operations") as tab:
            tab.until(f"document.querySelector('[data-test=status]')?.textContent === '500 of {number:,}'", 60, shows=MAIN + ".slice(0, 300)")
            for shown in range(1000, 2001, 500):
                tab.click("more")
                text = f"{shown:,}" + (f" of {number:,}" if shown < number else "")
                tab.until(f"document.querySelector('[data-test=status]').textContent === {json.dumps(text)}", 60, shows="document.querySelector('[data-test=status]').textContent")
            check(tab.run("document.querySelectorAll('tbody tr').length") <= 300, "rows in the document")
            tab.run("document.activeElement.blur()")
            tab.press("End")
            tab.until("document.activeElement.dataset.id === 'o01999'", shows="document.activeElement.outerHTML.slice(0, 300)")
            tab.press("i")
            shows(tab, "o01999", "valueUpdatedAt", "no value")
            tab.press("/")
            tab.type(f"id=='o{number - 1:05}'")
            tab.press("Enter")
            shows_ids(tab, [f"o{number - 1:05}"])


@case("Streams without any, a store that recovers, a cluster without a leader, with a log that is away, and whose lead cannot be handed over", 404, 409, 503)
def rare(context):
    with folder() as data, Server(context.binary, data) as server, browser().open(f"{server.url}/livez", ALONE) as tab:
        server.put("/v1/t/1", {"n": 1})
        back = edited(tab, "(name, data) => (data.items ? { ...data, items: [], total: 0 } : data)")
        fresh(tab, server, "/streams")
        check("Nobody watches" in seen(tab, "empty"), "what would be here")
        back()
        # A store that reads its log: the frame says how far it is, the page shows what it knows.
        report = server.get("/v1/_store").is_(200).json
        progress = {"phase": "log", "done": 610, "all": 1000, "commits": 7}
        fresh(tab, server, "/store", answers=[
            (r"/readyz$", (503, {"status": "recovering", "stores": {"main": {"state": "recovering", "reason": "the log is being read", "progress": progress}}}, {"Content-Type": "application/json"})),
            (r"/v1/_store$", (200, {**report, "state": "recovering", "reason": "the log is being read"}, {"Content-Type": "application/json"}))])
        tab.until(f"{PILL} === 'recovering 61 %'", shows=PILL)
        check("610 of 1000" in seen(tab, "banner-recovering").replace(",", "") and "7 commits" in tab.text("banner-recovering"), f"the banner: {tab.text('banner-recovering')}")
        said = seen(tab, "recovery")
        check("log" in said and "610 B of 1.0 KB" in said and "7" in said, f"phase, bytes and commits in the page: {said}")
        tab.answer((r"/v1/_store$", (200, {**report, "state": "recovering", "reason": "the log is being read"}, {"Content-Type": "application/json"})))
        # It goes on by itself; the page has a word of its own for a store that is not ready.
        check("recovering" in seen(tab, "sentence", 40), f"the page's own word: {tab.text('sentence')}")
        tab.answer()
        tab.until(f"/^(live|ready)$/.test({PILL})", 40, shows=PILL)
        # A cluster as replication.md words it.
        replica = {"id": "a", "url": "http://a:1", "role": "follower", "seq": 90, "lagSeconds": 4, "snapshotSeq": 50, "format": 1, "digest": "d" * 16, "ready": True, "seenAt": "2026-11-23T04:38:27Z"}
        state = {"cluster": "c1", "epoch": "e1", "term": 7, "leader": None, "head": {"seq": 100, "at": "2026-11-23T04:38:27Z"}, "floor": 10,
                 "self": {"id": "a", "instance": "i", "role": "candidate", "reason": None}, "replicas": [replica],
                 "engine": {"kind": "etcd", "state": "reachable", "since": None, "lastError": None, "bytes": 10, "quota": 100}}

        def told(**changes):
            return r"/v1/_cluster$", (200, {**state, **changes}, {"Content-Type": "application/json"})
        fresh(tab, server, "/cluster", answers=[told()])
        check("Nobody leads" in seen(tab, "no-leader"), "no leader")
        check(not tab.run(f"{has('step-down')} || {has('hand-over')}"), "nobody can hand over")
        check("10 behind" in tab.text("replicas") and "4 s" in tab.text("replicas"), f"who lags: {tab.text('replicas')}")
        fresh(tab, server, "/cluster", answers=[told(engine={**state["engine"], "state": "away", "since": "2026-11-23T04:38:27Z", "lastError": "<b>refused</b>"})])
        check("away" in seen(tab, "engine") and "<b>refused</b>" in tab.text("engine"), f"the log is away: {tab.text('engine')}")
        fresh(tab, server, "/cluster", answers=[told(self={**state["self"], "role": "stopped", "reason": "another epoch"})])
        check("another epoch" in seen(tab, "stopped"), "a server that has stopped")
        leads = told(leader={"id": "b", "url": "http://b:1"}, replicas=[replica, {**replica, "id": "b", "role": "leader", "seq": 100, "lagSeconds": 0}])
        fresh(tab, server, "/cluster", answers=[leads, (r"/v1/_cluster/step-down", problem(409, "no-successor", "no other server is near enough"))])
        seen(tab, "replicas")
        tab.click("step-down")
        check("Does b hand the lead over" in seen(tab, "confirm"), f"who hands over: {tab.text('confirm')}")
        tab.run("document.querySelector('[data-test=confirm] .danger').click()")
        check("no-successor" in seen(tab, "problem"), "why it did not")
        a_leads = told(leader={"id": "a", "url": "http://a:1"}, replicas=[{**replica, "role": "leader", "seq": 100, "lagSeconds": 0}, {**replica, "id": "b"}])
        tab.answer(leads, (r"/v1/_cluster/step-down\?to=a$", (200, {"leader": {"id": "a", "url": "http://a:1"}}, {"Content-Type": "application/json"})))
        tab.click("hand-over")
        check("to a" in seen(tab, "confirm"), "to whom")
        tab.answer(a_leads, (r"/v1/_cluster/step-down\?to=a$", (200, {"leader": {"id": "a", "url": "http://a:1"}}, {"Content-Type": "application/json"})))
        tab.run("document.querySelector('[data-test=confirm] .danger').click()")
        tab.until("document.querySelector('[data-test=replica][data-id=a]')?.children[1].textContent.trim() === 'leader'", shows=MAIN)
