"""Live queries as a browser sees them."""
import hashlib
import json
import pathlib
import re
import urllib.parse

from chromium import Browser
from harness import Server, case, check, folder, same

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
_browser = None


def browser():
    global _browser
    _browser = _browser or Browser()
    return _browser


def end():
    if _browser:
        _browser.end()


def page(server):
    """A page of the server's origin without a script of its own, with `live` at hand."""
    tab = browser().open(f"{server.url}/livez")
    tab.run("import('/live.js').then((module) => { globalThis.live = module.live; })")
    return tab


def rows(tab):
    return tab.run("[...document.querySelectorAll('tbody tr')]"
                   ".map((row) => [...row.cells].map((cell) => cell.textContent))")


def shown(name):
    return f"JSON.stringify({name}.items.map((item) => [item.id, item.n]))"


def shows(tab, name, items):
    wanted = json.dumps(json.dumps(items, separators=(",", ":")))
    tab.until(f"{shown(name)} === {wanted}", shows=shown(name))


def streams(server, headers=None):
    return server.ask("GET", "/v1/_live", headers=headers).is_(200).json["streams"]


def without_faults():
    faults, browser().faults[:] = list(browser().faults), []
    check(not faults, f"exceptions in the page: {faults}")


@case("the demo page shows a query and each change of it")
def demo(context):
    with Server(context.binary) as server:
        for n in (1, 2, 3):
            server.put(f"/v1/tasks/{n}", {"title": f"task {n}", "n": n})
        with browser().open(f"{server.url}/live.html#/v1/tasks?order=-n&limit=2&count=true") as tab:
            state = "document.querySelector('#state').textContent"
            tab.until(f"{state} === 'live, 2 of 3 items'", shows=state)
            same(rows(tab), [["3", "task 3", "3"], ["2", "task 2", "2"]], "rows")
            server.put("/v1/tasks/1", {"title": "first", "n": 9})
            tab.until("document.querySelector('tbody td').textContent === '1'")
            same(rows(tab), [["1", "first", "9"], ["3", "task 3", "3"]], "rows after a change")
            server.ask("DELETE", "/v1/tasks/3").is_(204)
            tab.until(f"{state} === 'live, 2 of 2 items'", shows=state)
            same(rows(tab), [["1", "first", "9"], ["2", "task 2", "2"]], "rows after a removal")
            tab.run("document.querySelector('#url').value = '/v1/tasks?filter=n>';"
                    "document.querySelector('form').requestSubmit()")
            tab.until("document.querySelector('#problem').textContent !== ''", shows=state)
            check("failed" in tab.run(state), "a faulty query says that it failed")
        without_faults()


@case("EventSource alone watches a search, and resumes by itself after kill -9 and a restart")
def event_source(context):
    with folder() as data:
        with Server(context.binary, data) as server:
            server.put("/v1/tasks/1", {"n": 1})
            port = server.port
            tab = page(server)
            tab.run("""globalThis.events = [];
                globalThis.source = new EventSource('/v1/tasks?live=delta&order=n');
                for (const name of ['hello', 'snapshot', 'delta', 'sync', 'bye'])
                    source.addEventListener(name, (event) => events.push([name, event.lastEventId, JSON.parse(event.data)]));
                0""")
            tab.until("events.some(([name]) => name === 'snapshot')", shows="events")
            server.put("/v1/tasks/2", {"n": 2})
            tab.until("events.some(([name]) => name === 'delta')", shows="events")
            delta = tab.run("events.find(([name]) => name === 'delta')")
            same(delta[2]["place"], [["2", 1]], "placement")
            check(delta[1], "a delta has an id")
            server.kill()
            tab.run("events.length = 0")
        with Server(context.binary, data, port=port) as server:
            server.put("/v1/tasks/3", {"n": 3})
            tab.until("events.some(([name]) => ['snapshot', 'delta', 'sync'].includes(name))", shows="events")
            tab.until("events.some(([,, data]) => JSON.stringify(data.put ?? data.items ?? []).includes('\"n\":3'))",
                      shows="events")
            tab.close()
    without_faults()


@case("two tabs share one connection, and one that closes leaves the other live")
def tabs(context):
    with Server(context.binary) as server:
        server.put("/v1/a/1", {"n": 1})
        server.put("/v1/b/1", {"n": 2})
        with page(server) as first:
            with page(server) as second:
                first.run("globalThis.one = live('/v1/a'); globalThis.two = live('/v1/b'); 0")
                second.run("globalThis.one = live('/v1/b?order=-n'); globalThis.two = live('/v1/a'); 0")
                for tab in (first, second):
                    tab.until("one.state === 'live' && two.state === 'live'",
                              shows="[one.state, two.state, one.problem, two.problem]")
                same(streams(server), 1, "connections of two tabs with two queries each")
                server.put("/v1/b/2", {"n": 3})
                shows(second, "one", [["2", 3], ["1", 2]])
                shows(first, "two", [["1", 2], ["2", 3]])
            server.put("/v1/a/2", {"n": 5})
            shows(first, "one", [["1", 1], ["2", 5]])
            same(streams(server), 1, "connections after a tab has closed")
    without_faults()


@case("after kill -9 and a restart every query is exact again")
def restart(context):
    with folder() as data:
        with Server(context.binary, data) as server:
            port = server.port
            server.put("/v1/a/1", {"n": 1})
            tab = page(server)
            tab.run("""globalThis.a = live('/v1/a'); globalThis.b = live('/v1/b?order=-n');
                globalThis.states = []; a.addEventListener('state', () => states.push(a.state)); 0""")
            tab.until("a.state === 'live' && b.state === 'live'", shows="[a.state, b.state]")
            server.kill()
            tab.until("a.state === 'reconnecting'", shows="a.state")
        with Server(context.binary, data, port=port) as server:
            server.put("/v1/a/2", {"n": 2})
            server.put("/v1/b/1", {"n": 7})
            shows(tab, "a", [["1", 1], ["2", 2]])
            shows(tab, "b", [["1", 7]])
            tab.until("a.state === 'live' && b.state === 'live'", shows="[a.state, b.state]")
            server.put("/v1/b/2", {"n": 8})
            shows(tab, "b", [["2", 8], ["1", 7]])
            tab.close()
    without_faults()


@case("queries of a page step together: no change shows one commit half")
def cuts(context):
    with Server(context.binary) as server:
        def move(n):
            server.ask("POST", "/v1/_batch", {"operations": [
                {"set": {"type": "left", "entity": {"id": "x", "n": n}}},
                {"set": {"type": "right", "entity": {"id": "x", "n": -n}}}]}).is_(200)
        move(0)
        with page(server) as tab:
            tab.run("""globalThis.left = live('/v1/left'); globalThis.right = live('/v1/right?order=-n');
                globalThis.torn = []; globalThis.seen = 0;
                const look = () => queueMicrotask(() => setTimeout(() => {
                    seen++;
                    const sum = left.items[0].n + right.items[0].n;
                    if (sum) torn.push([left.items[0].n, right.items[0].n]);
                }));
                globalThis.watch = () => { for (const query of [left, right]) query.addEventListener('change', look); };
                0""")
            tab.until("left.state === 'live' && right.state === 'live'", shows="[left.state, right.state]")
            tab.run("watch()")
            for n in range(1, 101):
                move(n)
            tab.until("left.items[0].n === 100 && right.items[0].n === -100")
            same(tab.run("torn"), [], "states that no commit had")
            check(tab.run("seen") > 1, "changes were seen")
    without_faults()


@case("random writes: what a page shows is what a fresh search answers")
def random_lives(context):
    random = context.random
    with Server(context.binary) as server, page(server) as tab:
        queries = ["/v1/t?order=n&limit=5", "/v1/t?filter=n>50&count=true", "/v1/t?order=-n,id&offset=2&limit=3",
                   "/v1/t?aggregate=count,sum(n)", "/v1/t?group=even", "/v1/t?filter=even==true&fields=n"]
        tab.run(f"globalThis.queries = {json.dumps(queries)}; globalThis.all = queries.map((url) => live(url)); 0")
        for _ in range(12):
            operations = []
            for _ in range(random.randint(1, 25)):
                key = str(random.randint(1, 30))
                if random.random() < 0.3:
                    operations.append({"remove": {"type": "t", "id": key}})
                else:
                    n = random.randint(0, 100)
                    operations.append({"set": {"type": "t", "entity": {"id": key, "n": n, "even": n % 2 == 0}}})
            for start in range(0, len(operations), 7):
                server.ask("POST", "/v1/_batch", {"operations": operations[start:start + 7]}).is_(200)
            tab.run("""Promise.all(queries.map((url) => fetch(url).then((answer) => answer.json())))
                .then((answers) => { globalThis.wanted = JSON.stringify(answers.map(
                    ({items, groups, aggregates, meta}) => [items ?? [], groups ?? null, aggregates ?? null, meta.total ?? null])); })""")
            held = ("JSON.stringify(all.map(({items, groups, aggregates, total}) =>"
                    " [items ?? [], groups ?? null, aggregates ?? null, total ?? null]))")
            tab.until(f"{held} === wanted", shows=f"[{held}, wanted]")
    without_faults()


@case("rows are told apart by the text of their ids, and keep every digit")
def exact(context):
    far = 2 ** 53
    ids = [far - 1, far, far + 1, far + 2, -far - 1, "007", "7", "a\\\"]}", "constructor"]
    with Server(context.binary) as server, page(server) as tab:
        def body(key, number):
            return ('{"id":%s,"n":%s,"deep":{"a":[1,{"b":"]}\\""}],"id":5}}' % (json.dumps(key), number)).encode()

        def put(key, number):
            path = f"/v1/t/{urllib.parse.quote(str(key), safe='')}"
            check(server.ask("PUT", path, body(key, number)).status in (200, 201), f"PUT of {key}")
        for key in ids:
            put(key, "0.1000")
        tab.run("""globalThis.rows = live('/v1/t?live=delta'); globalThis.last = live('/v1/t?order=-id&limit=3');
            globalThis.groups = live('/v1/t?group=n'); globalThis.sum = live('/v1/t?aggregate=count'); 0""")

        def same_rows():
            items = server.ask("GET", "/v1/t").is_(200).body.decode()
            tab.until("rows.state === 'live' && rows.ids.map((id) => rows.text(id)).join() === "
                      + json.dumps(items[items.index("[") + 1:items.index('],"meta"')]),
                      shows="rows.ids.map((id) => rows.text(id)).join()")
        same_rows()
        tab.until("last.state === 'live' && groups.state === 'live' && sum.state === 'live'")
        same(tab.run("rows.ids"), [str(-far - 1), "7", str(far - 1), str(far), str(far + 1), str(far + 2),
                                   "007", "a\\\"]}", "constructor"], "ids")
        same(tab.run("rows.items.map(({ id }) => String(id))"), tab.run("rows.ids"), "ids of items")
        same(tab.run("groups.groups[0].items.map(({ id }) => String(id))"), tab.run("rows.ids"), "ids in groups")
        put(far, "1e400")
        put(far + 1, "1234567890123456789012345678901234567890")
        same_rows()
        server.ask("DELETE", f"/v1/t/{far}").is_(204)
        server.ask("DELETE", "/v1/t/constructor").is_(204)
        same_rows()
        same(tab.run(f"[rows.ids.includes('{far}'), rows.ids.includes('{far + 1}'), rows.text('{far}') ?? null]"),
             [False, True, None], "of two that are one in JavaScript, the one that was removed")
        # One that joins what is watched already gets the same.
        tab.run("globalThis.late = live('/v1/t?live=delta'); 0")
        tab.until("late.state === 'live' && late.ids.map((id) => late.text(id)).join() === "
                  "rows.ids.map((id) => rows.text(id)).join()", shows="late.ids")
        with browser().open(f"{server.url}/live.html#/v1/t?filter=n<1") as shown:
            shown.until("document.querySelectorAll('tbody tr').length === 6")
            check("0.1000" in shown.run("document.querySelector('tbody tr').textContent"), "digits of the page")
    without_faults()


@case("the parts of a snapshot count when the last has come")
def parts(context):
    with Server(context.binary) as server, page(server) as tab:
        tab.run("import('/live.js').then(({ Reducer }) => { globalThis.reducer = new Reducer(); })")

        def apply(name, data):
            data = json.dumps(data, separators=(",", ":"))
            return tab.run(f"reducer.apply('{name}', {json.dumps(data)})")

        def ids():
            return tab.run("reducer.items.map((item) => String(item.id))")
        apply("snapshot", {"v": 3, "items": [{"id": 7}, {"id": "x"}], "total": 2, "part": 0, "more": False})
        same(apply("snapshot", {"v": 5, "items": [{"id": 1}], "total": 9, "part": 0, "more": True}), False, "news")
        same([ids(), tab.run("reducer.total")], [["7", "x"], 2], "what is shown behind one part")
        apply("delta", {"from": 3, "to": 4, "remove": {"7": "deleted"}, "place": [], "put": []})
        same(ids(), ["x"], "what is shown where the connection has resumed behind it")
        apply("snapshot", {"v": 6, "items": [{"id": 1}], "part": 0, "more": True})
        same(apply("snapshot", {"v": 6, "items": [{"id": 2}], "part": 1, "more": False}), True, "news")
        same(ids(), ["1", "2"], "both parts")
    without_faults()


@case("a query at fault says its problem; the others of the page go on")
def fault(context):
    with Server(context.binary) as server, page(server) as tab:
        server.put("/v1/a/1", {"n": 1})
        tab.run("globalThis.good = live('/v1/a'); globalThis.bad = live('/v1/a?filter=n>'); 0")
        tab.until("good.state === 'live' && bad.state === 'failed'",
                  shows="[good.state, good.problem, bad.state, bad.problem]")
        same(tab.run("bad.problem.code"), "bad-filter", "problem of the faulty query")
        server.put("/v1/a/1", {"n": 2})
        shows(tab, "good", [["1", 2]])
        tab.run("globalThis.late = live('/v1/a?filter=n>1'); 0")
        shows(tab, "late", [["1", 2]])
    without_faults()


@case("a token in the script opens what it may read, and never stands in a URL")
def token(context):
    secret = "browser-secret"
    with folder() as data:
        configuration = data / "freshet.json"
        configuration.write_text(json.dumps({"access": {"tokens": [
            {"name": "ui", "sha256": hashlib.sha256(secret.encode()).hexdigest(), "subject": "ui",
             "types": {"a": {"read": "n > 0", "write": True}}},
            {"name": "root", "sha256": hashlib.sha256(b"root-secret").hexdigest(), "admin": True,
             "types": {"*": {"read": True, "write": True}}}]}}))
        with Server(context.binary, None, "--config", str(configuration)) as server:
            root = {"Authorization": "Bearer root-secret"}
            for n in (0, 1):
                server.ask("PUT", f"/v1/a/{n}", {"n": n}, root)
            with page(server) as tab:
                tab.run(f"globalThis.mine = live('/v1/a', {{ token: '{secret}' }});"
                        f"globalThis.theirs = live('/v1/b', {{ token: '{secret}' }}); 0")
                tab.until("mine.state === 'live' && theirs.state === 'failed'",
                          shows="[mine.state, mine.problem, theirs.state, theirs.problem]")
                shows(tab, "mine", [["1", 1]])
                server.ask("PUT", "/v1/a/2", {"n": 2}, root)
                shows(tab, "mine", [["1", 1], ["2", 2]])
                same(streams(server, root), 1, "connections")
                items = server.ask("GET", "/v1/_live", headers=root).body
                check(secret.encode() not in items, "the operators' view has no token")
    without_faults()


@case("no page is wider than a phone")
def narrow(context):
    with Server(context.binary) as server:
        server.put("/v1/a-type-with-a-long-name-that-may-not-break-the-page/1", {"n": 1})
        listed = re.findall(r"\]\((/docs/[^)]*)\.md\)", server.get("/llms.txt").body.decode())
        check(len(listed) > 20, f"pages: {listed}")
        with browser().open(f"{server.url}/docs") as tab:
            tab.call("Page.enable")
            tab.call("Emulation.setDeviceMetricsOverride", {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True})
            for path in ["/", "/docs", "/problems", "/problems/bad-filter", "/live.html", *listed]:
                tab.call("Page.navigate", {"url": server.url + path})
                tab.until(f"location.pathname === {json.dumps(path)} && document.readyState === 'complete'")
                wide = tab.run("document.documentElement.scrollWidth")
                check(wide <= 360, f"{path} is {wide} pixels wide")
    without_faults()


def sample(page, kind, word):
    """The block of this kind in a page of the repository that has `word` in it."""
    text = (ROOT / page).read_text()
    found = [code for code in re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL) if word in code]
    check(len(found) == 1, f"{page} has {len(found)} samples with {word}")
    return found[0]


@case("the samples of README and documentation for a page show what they watch")
def samples(context):
    script = re.search(r"<script>(.*)</script>", sample("README.md", "html", "EventSource"), re.DOTALL)[1]
    page_of_live = "Sources/Policy/Server/Docs/live.md"
    plain = sample(page_of_live, "js", "EventSource")
    module = sample(page_of_live, "js", "import { live }").replace(
        'import { live } from "/live.js";', 'const { live } = await import("/live.js");')
    with Server(context.binary) as server:
        server.put("/v1/task/1", {"title": "Buy milk", "done": False})
        server.put("/v1/task/2", {"title": "Call home", "done": True})
        told = "globalThis.told = []; const show = (items) => told.push(items.map((x) => x.id).join());"
        count = "told.join(';')"
        for name, code in (
                ("README", script.replace("console.log(", "show(")),
                ("EventSource", plain), ("live.js", f"(async () => {{ {module} }})()")):
            with browser().open(f"{server.url}/livez") as tab:
                tab.run(f"{{ {told} {code} }} 0")
                tab.until(f"{count}.endsWith('1')", shows=count)
                server.put("/v1/task/2", {"title": "Call home", "done": False})
                tab.until(f"{count}.endsWith('1,2')", shows=f"'{name}: ' + {count}")
                server.put("/v1/task/2", {"title": "Call home", "done": True})
                tab.until(f"{count}.endsWith('1')", shows=count)
        without_faults()
