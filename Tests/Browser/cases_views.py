"""Every page by its address, every page with hostile data, and dialogs, notices and the menu for every reader."""
import json
import urllib.parse

from cases_answers import edited
from cases_console import REACH, at, bearer, go, gone, has, seen, shows_ids
from cases_states import ALONE, EVERYTHING, MAIN, PILL, fresh, furnished, problem, rows, signed
from chromium import browser, case
from harness import Server, check, folder, same, soon
from upstream import Upstream, serving


def quoted(text):
    return urllib.parse.quote(str(text), safe="")


# Addresses -----------------------------------------------------------------------------------------

TITLE = "(document.querySelector('h1')?.textContent ?? '')"


def addresses(outbox):
    """Every address of the console with what it shows: `(address, condition)`."""
    def page(address, title, shown):
        return address, f"{TITLE} === {json.dumps(title)} && ({shown})"

    def has_(selector):
        return f"!!document.querySelector('main {selector}')"
    ids = "[...document.querySelectorAll('main [data-test=rows] [data-test=row]')].map((row) => row.dataset.id).join()"
    heads = "[...document.querySelectorAll('main thead th')].map((th) => th.dataset.name).join()"
    picked = "document.querySelector('main tr[aria-current]')?.dataset.id"
    filter_ = "document.querySelector('[data-test=list-filter]').value"
    sorted_ = "document.querySelector('main thead [aria-sort]')?.dataset.name"
    return [
        page("/start", "Start", has_("[data-test=start-text]")),
        page("/types?filter=count>0&order=-count&_sel=task", "Types", f"{filter_} === 'count>0' && {sorted_} === 'count' && {picked} === 'task' && {has_('[data-test=drawer]')}"),
        page("/v1/task", "task", f"{ids} === '0,1,2'"),
        page("/v1/task?filter=n>0&order=-n&limit=2&_cols=title,n&_sel=2", "task", f"{ids} === '2,1' && {heads} === 'id,title,n' && {sorted_} === 'n' && {picked} === '2' && {has_('[data-test=drawer]')}"),
        page("/v1/task?filter=n>0&_panel=explain", "task", f"{ids} === '1,2' && {has_('[data-test=plan-sentence]')}"),
        page("/v1/task?limit=1&_panel=recent", "task", f"{ids} === '0' && {has_('[data-test=panel-recent]')}"),
        page("/v1/task?group=title&fields=n", "task", "document.querySelectorAll('[data-test=group]').length === 3"),
        page("/v1/task?aggregate=sum(n)", "task", "document.querySelector('[data-test=static]')?.textContent.includes('3')"),
        page("/v1/task?_once=1", "task", f"{ids} === '0,1,2' && document.querySelector('[data-test=status]').textContent.includes('once')"),
        page("/v1/task?_ro=1", "task", f"{ids} === '0,1,2' && document.querySelector('[data-test=new]').getAttribute('aria-disabled') === 'true'"),
        page("/v1/task?_new=1", "task / new", "document.querySelector('[data-test=text]')?.value.trim().startsWith('{')"),
        page("/v1/task/1", "task / 1", "document.querySelector('[data-test=text]')?.value.includes('task 1')"),
        page("/v1/_types?fields=count&order=-count&limit=1", "_types", f"{ids} === 'task'"),
        page("/v1/_conditions", "_conditions", f"{ids} === 'night'"),
        page("/operations?filter=failures==0&order=-id", "Operations", f"{ids} === 'todos' && {sorted_} === 'id' && {filter_} === 'failures==0'"),
        page("/operations/todos", "Operations / todos", has_("[data-test=slot-automatic] [data-test=spec-node]")),
        page("/conditions?filter=value==false", "Conditions", f"{ids} === 'night'"),
        page("/specs", "Specifications", f"{ids} === 'open'"),
        page("/specs/open?_of=todos", "Specifications / open", "document.querySelector('[data-test=seen-by]')?.value === 'todos'"),
        page("/upstreams?order=-id", "Upstreams", f"{ids} === 'api' && {sorted_} === 'id'"),
        page("/upstreams/api", "Upstreams / api", has_("[data-test=credential]")),
        page("/outbox?filter=state=='pending'", "Outbox", f"{filter_} === \"state=='pending'\" && document.querySelectorAll('main [data-test=row]').length === 1"),
        page(f"/outbox/{outbox}", f"Outbox / {outbox}", has_("[data-test=give-up]")),
        page("/streams?order=-since", "Streams", f"{has_('[data-test=own]')} && {sorted_} === 'since'"),
        page("/store", "Store", has_("[data-test=sentence]")),
        page("/metrics", "Metrics", "document.querySelectorAll('[data-test=chart]').length === 12"),
        page("/access?filter=id=='reader'&_sel=reader", "Access", f"{ids} === 'reader' && {has_('[data-test=drawer]')}"),
        page("/configuration?_find=listen", "Configuration", has_("[data-test=settings]")),
        page("/cluster", "Cluster", has_("[data-test=problem]")),
        page("/none-such", "There is no such page", has_("a")),
    ]


@case("every address is its view: opened, reloaded, left by Back and come to again by Forward, pasted into a new tab", 404)
def links(context):
    with Upstream(lambda request: request.reply(503, {})) as upstream:
        far = {"base": upstream.base, "retry": {"limit": 50, "backoff": {"exponential": "600s", "jitter": False}}}
        types = {"todo": {"remote": {"upstream": "api", "search": {"path": "/todo"}}},
                 "far": {"remote": {"upstream": "api", "update": {"method": "PUT", "path": "/{id}"}, "create": {"method": "PUT", "path": "/{id}"}}}}
        with furnished(context, upstream, types=types, upstreams={"api": far}) as server:
            server.ask("PUT", "/v1/far/1?target=both", {"n": 1}, bearer("root")).is_(202)
            outbox = server.ask("GET", "/v1/_outbox", headers=bearer("root")).is_(200).json["items"][0]["id"]
            soon(lambda: server.ask("GET", "/v1/_outbox", headers=bearer("root")).json["items"][0].get("nextAttemptAt"), "a pause before the next try")
            table = addresses(outbox)
            with browser().open(f"{server.url}/livez", signed()) as tab:
                for index, (address, shown) in enumerate(table):
                    before = table[index - 1]
                    hash_ = json.dumps(f"#{address}")
                    # Pasted: a document of its own, then the same again.
                    tab.go(f"{server.url}/livez")
                    tab.go(f"{server.url}/#{address}")
                    tab.until(shown, shows=f"[location.hash, document.body.textContent]")
                    same(tab.run("decodeURI(location.hash)"), json.loads(hash_), "the address stays as it was pasted")
                    tab.call("Page.reload")
                    tab.until(f"document.readyState === 'complete' && {shown}", shows=f"[location.hash, document.body.textContent]")
                    # Another page, back, forward, and back again.
                    go(tab, before[0])
                    tab.until(before[1], shows=f"[location.hash, document.body.textContent]")
                    tab.run("history.back()")
                    tab.until(shown, shows=f"[location.hash, document.body.textContent]")
                    tab.run("history.forward()")
                    tab.until(before[1], shows=f"[location.hash, document.body.textContent]")
            with browser().open(f"{server.url}/#{quoted('/v1/task?limit=2')}", signed()) as tab:
                shows_ids(tab, ["0", "1"])


# Hostile data --------------------------------------------------------------------------------------

EVIL = "<img src=x onerror=\"globalThis.hacked=1\"><script>globalThis.hacked=1</script>\u202e${1}{{1}}javascript:globalThis.hacked=1"


def harmless(tab, what):
    """Nothing of data has become an element or has run, and the page is no wider than its window."""
    for width in (1280, 360):
        tab.look(width=width, height=740)
        tab.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        same(tab.run("[globalThis.hacked ?? null, document.querySelectorAll('main :is(img, script, iframe, object, embed, b, i:not(.loading i)), dialog :is(img, script, b)').length,"
                     " [...document.querySelectorAll('a')].filter(({ protocol }) => !/^https?:$/.test(protocol)).length, [...document.body.children].some((one) => [one, ...one.querySelectorAll('*')].some((node) => !node.matches('.mirror, script')"
                     " && [...node.childNodes].some((child) => child.nodeType === 3 && child.data.includes(String.fromCharCode(0x202e)))))]"),
             [None, 0, 0, False], f"what data has made of {what}")
        wide = tab.run("[document.documentElement.scrollWidth, innerWidth]")
        check(wide[0] <= wide[1], f"{what}: the page is {wide[0]} pixels wide of {wide[1]}")
    tab.look()


@case("hostile data on Query: a thousand members, 400 digits, 64 levels, a megabyte, odd ids, what turns text, prototype members: shown as they are, the layout holds")
def hostile_rows(context):
    ids = ["a/b", "a#b", "a?b=c&d", "100%", "two words", "x" * 256, EVIL, "é\u0301\u200b", "proto__", "constructor", "007"]
    deep = '"x"'
    for _ in range(60):
        deep = f'{{"a":{deep}}}'
    digits = "9" * 400
    with Server(context.binary) as server:
        for key in ids:
            server.ask("PUT", f"/v1/odd/{quoted(key)}", json.dumps({"__proto__": EVIL, "constructor": "c", "toString": None, "": "empty", "hasOwnProperty": 1})).is_(201)
        with at(server, "/v1/odd") as tab:
            tab.until(f"document.querySelectorAll('[data-test=row]').length === {len(ids)}", shows=MAIN)
            same(sorted(tab.run("[...document.querySelectorAll('[data-test=row]')].map((row) => row.dataset.id)")), sorted(ids), "ids")
            heads = tab.run("[...document.querySelectorAll('thead th')].map((th) => th.dataset.name)")
            same(sorted(heads), sorted(["id", "__proto__", "constructor", "toString", "", "hasOwnProperty"]), "members")
            cells = tab.run("[...document.querySelectorAll('[data-id=constructor] :is(th, td:not(.mark))')].map((cell) => cell.textContent)")
            wanted = {"id": "constructor", "__proto__": EVIL.replace("\u202e", "U+202E"), "constructor": "c", "toString": "null", "": "empty", "hasOwnProperty": "1"}
            same(dict(zip(heads, cells)), wanted, "texts of the cells")
            harmless(tab, "odd ids and members")
            # Each id leads to its row and its entity, by the address.
            for key in ids:
                go(tab, f"/v1/odd?_sel={quoted(key)}")
                tab.until(f"document.querySelector('main tr[aria-current]')?.dataset.id === {json.dumps(key)} && !!document.querySelector('.drawer a.button')", shows=f"[location.hash, {MAIN}]")
                same(tab.run("document.querySelector('.drawer a.button').hash"), f"#/v1/odd/{tab.run(f'encodeURIComponent({json.dumps(key)})')}", "where the drawer leads")
            harmless(tab, "the drawer")
            # A filter, an order and an aggregate over such members.
            go(tab, f"/v1/odd?filter={quoted('`__proto__` != null')}&order=id&limit=2")
            tab.until("document.querySelectorAll('[data-test=row]').length === 2", shows=MAIN)
            go(tab, f"/v1/odd?group=constructor&fields=id")
            tab.until("document.querySelectorAll('[data-test=group]').length === 1", shows=MAIN)
            harmless(tab, "groups")
        members = ",".join(f'"m{n:04}":{n}' for n in range(1000))
        server.ask("PUT", "/v1/wide/1", f'{{{members},"digits":{digits},"deep":{deep},"evil":{json.dumps(EVIL)}}}').is_(201)
        with at(server, "/v1/wide") as tab:
            shows_ids(tab, ["1"])
            same(tab.run("document.querySelectorAll('thead th').length"), 12, "columns are capped")
            same(tab.text("columns"), "+992 more columns", "and that is said")
            harmless(tab, "a thousand members")
            go(tab, "/v1/wide?_cols=digits,deep,evil")
            tab.until("document.querySelectorAll('thead th').length === 4", shows=MAIN)
            cell = tab.run("document.querySelector('[data-id=\"1\"] td:nth-of-type(2)').textContent")
            check(cell.startswith("9" * 20) and "400" in cell and len(cell) < 120, f"digits are cut with their number: {cell}")
            harmless(tab, "long digits")
            tab.run("document.querySelector('[data-id=\"1\"] td:nth-of-type(2)').click()")
            tab.until("document.querySelector('.drawer .body')?.textContent.includes('m0000')", shows="document.querySelector('.drawer')?.textContent.slice(0, 300)")
            # Members beyond the first 200 come by asking.
            while tab.run("[...document.querySelectorAll('.drawer .chip')].some((one) => /more$/.test(one.textContent) && (one.click(), true))"):
                pass
            check(digits in tab.text("drawer"), "the drawer has every digit")
            levels = tab.run("(() => { let most = 0; for (const one of document.querySelectorAll('.drawer details[open]')) { let depth = 0; for (let up = one; up; up = up.parentElement.closest('details')) depth++; most = Math.max(most, depth); } return most; })()")
            check(levels <= 6, f"{levels} levels are open")
            # The folds open down to the last value.
            tab.run("document.querySelector('.drawer').dataset.looked = '1'")
            for _ in range(70):
                tab.run("for (const one of document.querySelectorAll('.drawer details:not([open])')) one.open = true")
                tab.run("new Promise((done) => setTimeout(done))")
            same(tab.run("document.querySelectorAll('.drawer details').length >= 60"), True, "all levels can be opened")
            harmless(tab, "64 levels")
        text = ("<b>" + "x" * 997) * 1024
        server.ask("PUT", "/v1/long/1", json.dumps({"text": text})).is_(201)
        with at(server, "/v1/long") as tab:
            shows_ids(tab, ["1"])
            cell = tab.run("document.querySelector('[data-id=\"1\"] td:nth-of-type(2)').textContent")
            check(len(cell) < 300 and f"{len(text):,}" in cell, f"a megabyte in a cell: {cell[:300]}")
            harmless(tab, "a megabyte")
            go(tab, "/v1/long/1")
            tab.until("(document.querySelector('[data-test=text]')?.value.length ?? 0) > 1000000", shows=MAIN + ".slice(0, 300)")
            same(json.loads(tab.run("document.querySelector('[data-test=text]').value"))["text"] == text, True, "the editor has all of it")
            harmless(tab, "a megabyte in the editor")


@case("hostile data in the questions before a removal and in what another has changed: controls are chips, all of it is text", 404)
def hostile_questions(context):
    with Server(context.binary) as server:
        server.ask("PUT", f"/v1/odd/{quoted(EVIL)}", {"n": 1}).is_(201)

        def asked(tab, what):
            check("U+202E" in seen(tab, "confirm"), f"{what}: {tab.text('confirm')}")
            harmless(tab, what)
            tab.press("Escape")
            gone(tab, "confirm")
        with at(server, "/v1/odd") as tab:
            tab.until("document.querySelectorAll('[data-test=row]').length === 1", shows=MAIN)
            for key in ("j", "Delete"):
                tab.press(key)
            asked(tab, "the question of a row")
            go(tab, f"/v1/odd?filter={quoted('id == ' + json.dumps(EVIL, ensure_ascii=False))}")
            tab.until("location.hash.includes('filter') && document.querySelectorAll('[data-test=row]').length === 1", shows=MAIN)
            tab.click("remove")
            asked(tab, "the question of a filter")
            go(tab, f"/v1/odd/{quoted(EVIL)}")
            tab.until("document.querySelector('[data-test=remove]')?.ariaDisabled === null && !!document.querySelector('[data-test=text]')?.value", shows=MAIN)
            tab.click("remove")
            asked(tab, "the question of an entity")
            server.ask("PATCH", f"/v1/odd/{quoted(EVIL)}", {EVIL: 1}).is_(200)
            tab.until("document.querySelector('[data-test=edit-state]').textContent.includes('U+202E') && document.querySelector('#live-region').textContent.includes('U+202E')", shows=MAIN)
            harmless(tab, "what another has changed")


@case("hostile data on every other page: names, texts, problems, reasons and filters are text, the layout holds", 400, 403, 404, 422, 503)
def hostile_pages(context):
    long = EVIL + "W" * 900
    name = "n" * 200

    def answer(request):
        request.reply(503, {"detail": long})
    query = "title == " + json.dumps(EVIL)
    with Upstream(answer) as upstream, folder() as place:
        path = place / "freshet.json"
        remote = {"upstream": "api", "search": {"path": "/todo"}, "create": {"method": "PUT", "path": "/{id}"}, "update": {"method": "PUT", "path": "/{id}"}}
        path.write_text(json.dumps({
            "upstreams": {"api": {"base": upstream.base, "retry": {"limit": 0}}}, "types": {"todo": {"remote": remote}}, "conditions": {"night": {}},
            "specs": {"open": {"not": {"condition": "night"}}}, "operations": {"todos": {"type": "todo", "query": {"filter": query}, "automatic": {"spec": "open"}}}}))
        with Server(context.binary, place / "data", "--config", str(path)) as server:
            server.put("/v1/task/1", {"title": EVIL})
            server.ask("PUT", f"/v1/todo/{quoted(EVIL)}?target=both", {"title": EVIL, "long": long}).is_(202)
            server.ask("POST", "/v1/_operations/todos/run?wait=1")
            soon(lambda: server.get("/v1/_outbox").json["items"][0]["state"] in ("dead", "rejected"), "the end of the entry")
            outbox = server.get("/v1/_outbox").json["items"][0]["id"]
            with server.watch(f"/v1/task?filter={quoted(query)}&live=delta") as stream, browser().open(f"{server.url}/livez", ALONE) as tab:
                stream.until("snapshot")
                pages = [("/types?_sel=task", "[data-test=drawer]"), ("/operations", "[data-test=row]"), ("/operations/todos", "[data-test=problem]"), ("/conditions", "[data-test=row]"),
                         ("/specs/open", "[data-test=spec-node]"), ("/upstreams", "[data-test=row]"), ("/upstreams/api", "[data-test=credential]"), ("/outbox", "[data-test=row]"),
                         (f"/outbox/{outbox}", "[data-test=give-up]"), ("/streams", "[data-test=row] ~ [data-test=row], [data-test=row]"), ("/store", "[data-test=sentence]"), ("/metrics", "[data-test=chart]"),
                         ("/access", "[data-test=open-server]"), ("/configuration", "[data-test=settings]"), ("/start", "[data-test=start-text]"), ("/v1/_outbox", "[data-test=row]"), ("/v1/_streams", "[data-test=row]"),
                         (f"/v1/todo/{quoted(EVIL)}", "[data-test=text]"), (f"/v1/task?filter={quoted(query)}&_panel=explain", "[data-test=plan-sentence]")]
                for address, shown in pages:
                    fresh(tab, server, address)
                    tab.until(f"!!document.querySelector('main :is({shown})')", shows=f"[location.hash, {MAIN}]")
                    tab.run("for (const one of document.querySelectorAll('main details:not([open])')) one.open = true")
                    harmless(tab, address)
                # What a page says of addresses that nothing stands at, and of problems of others.
                for address in (f"/operations/{quoted(EVIL)}", f"/specs/{quoted(EVIL)}", f"/upstreams/{quoted(EVIL)}", f"/outbox/{quoted(EVIL)}", f"/{quoted(EVIL)}", f"/v1/task?filter={quoted(EVIL)}",
                                f"/types?filter={quoted(EVIL)}", f"/v1/{quoted(EVIL)}", f"/configuration?_find={quoted(EVIL)}", f"/v1/task?_cols={quoted(EVIL)},__proto__,{name}"):
                    fresh(tab, server, address)
                    tab.until("!!document.querySelector('main h1') && !document.querySelector('main > article > [data-test=loading]')", shows=MAIN)
                    harmless(tab, address)
                evil = problem(422, "bad-parameter", long, hint=EVIL, errors=[{"pointer": f"/{EVIL}", "detail": long}, {"pointer": "", "detail": EVIL}])
                for address, pattern in (("/types", r"/v1/_live$"), ("/v1/task", r"/v1/_live$"), ("/store", r"/v1/_store$"), ("/configuration", r"/v1/_service$"), ("/cluster", r"/v1/_cluster$"), ("/metrics", r"/metrics$")):
                    fresh(tab, server, address, answers=[(pattern, evil)])
                    check("U+202E" in seen(tab, "problem"), "what turns text is a chip")
                    harmless(tab, f"a problem of {address}")
                low = {"status": "unavailable", "stores": {"main": {"state": "failed", "reason": long, "revision": 1}}}
                fresh(tab, server, "/v1/task", answers=[(r"/readyz$", (503, low, {"Content-Type": "application/json"}))])
                seen(tab, "banner-read-only")
                harmless(tab, "the reason of a store")
                # Names of system rows, as a server with others' names would send them.
                for address in ("/types", "/operations", "/upstreams", "/conditions", "/streams", "/outbox"):
                    back = edited(tab, f"(name, data) => ({{ ...data, items: data.items?.map((row, at) => ({{ ...row, id: {json.dumps(EVIL)} + at, type: {json.dumps(EVIL)}, text: {json.dumps(long)} }})) }})")
                    fresh(tab, server, address)
                    tab.until("!!document.querySelector('main :is([data-test=row], [data-test=empty])')", shows=MAIN)
                    harmless(tab, f"names of {address}")
                    back()


# For every reader ----------------------------------------------------------------------------------

def holds(tab, what):
    """What reach.js finds of what is shown now, in both themes, narrow and large."""
    for look in ({}, {"theme": "dark"}, {"width": 360, "height": 640}, {"forced": True}):
        tab.look(**look)
        tab.until("!document.querySelector('tr.entered, tr.left, td.changed')")
        tab.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        same(tab.run(f"({REACH})({json.dumps(bool(look.get('forced')))})"), [], f"{what} {look}")
    tab.look()


@case("dialogs, problem cards, banners, the conflict panel, the event strip and the open menu hold for every reader", 400, 401, 404, 412, 421, 422, 503)
def reach(context):
    with Upstream(rows) as upstream, furnished(context, upstream) as server:
        with browser().open(f"{server.url}/livez", signed(more=ALONE)) as tab:
            fresh(tab, server, "/v1/task")
            shows_ids(tab, ["0", "1", "2"])
            # Dialogs.
            for test, act in (("copy-text", "document.querySelector('[data-test=copy-as]').click()"), ("column-chooser", "document.querySelector('[data-test=columns]').click()"),
                              ("help", "document.querySelector('#help').click()"), ("confirm", "document.querySelectorAll('[data-test=row] input')[0].click(), document.querySelectorAll('[data-test=row] input')[1].click(), document.querySelector('[data-test=remove]').click()"),
                              ("export-dialog", "URL.createObjectURL = () => 'blob:none', HTMLAnchorElement.prototype.click = () => {}, document.querySelector('[data-test=export]').click()")):
                tab.run(f"{act}; 0")
                seen(tab, test)
                holds(tab, f"the dialog {test}")
                tab.press("Escape")
                tab.until("!document.querySelector('dialog')")
            # A bad filter, its underline and its problem; the strip of events with something in it.
            go(tab, "/v1/task?filter=n>")
            seen(tab, "problem")
            holds(tab, "a bad filter")
            go(tab, "/v1/task?filter=n>=0")
            shows_ids(tab, ["0", "1", "2"])
            tab.click("strip")
            server.ask("PUT", "/v1/task/1", {"n": 1, "title": "again"}, bearer("root"))
            seen(tab, "event")
            holds(tab, "the strip of events")
            tab.click("strip")
            # The menu of a phone.
            tab.look(width=360, height=640)
            tab.run("document.querySelector('#menu').click()")
            for theme in ("light", "dark"):
                tab.look(theme=theme, width=360, height=640)
                tab.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
                same(tab.run(f"({REACH})(false)"), [], f"the open menu, {theme}")
            tab.run("document.querySelector('#menu').click()")
            tab.look()
            # Two writers in conflict.
            go(tab, "/v1/task/2")
            tab.until("document.querySelector('[data-test=text]')?.value.includes('task 2')", shows=MAIN)
            tab.run("document.querySelector('[data-test=text]').focus(); document.querySelector('[data-test=text]').select()")
            tab.type('{"id": "2", "n": 2, "title": "mine"}')
            server.ask("PUT", "/v1/task/2", {"id": "2", "n": 2, "title": "theirs"}, bearer("root")).is_(200)
            tab.click("save")
            seen(tab, "conflicts")
            holds(tab, "the conflict panel")
            tab.run("document.querySelector('[data-test=text]').select()")
            tab.type('{"id": "2", "n": ')
            tab.run("document.querySelector('[data-test=save]').click()")
            holds(tab, "a text at fault")
            # Banners of the frame.
            low = {"status": "unavailable", "stores": {"main": {"state": "failed", "reason": "the disk is broken", "revision": 1}}}
            # A text that is not saved would hold the page.
            tab.click("revert")
            tab.until("document.querySelector('[data-test=edit-state]').dataset.state === 'clean'", shows=MAIN)
            fresh(tab, server, "/types", answers=[(r"/readyz$", (503, low, {"Content-Type": "application/json"}))])
            seen(tab, "banner-read-only")
            holds(tab, "the banner of a broken disk")
            recovering = {"status": "recovering", "stores": {"main": {"state": "recovering", "reason": "the log is being read", "progress": {"phase": "log", "done": 61, "all": 100, "commits": 7}}}}
            fresh(tab, server, "/types", answers=[(r"/readyz$", (503, recovering, {"Content-Type": "application/json"}))])
            seen(tab, "banner-recovering")
            holds(tab, "the banner of a start")
            fresh(tab, server, "/types", answers=[(r"/v1$", problem(421, "host-not-allowed"))])
            seen(tab, "banner-host")
            holds(tab, "the banner of a refused host")
            fresh(tab, server, "/v1/task", answers=[(r"/v1/_live$", problem(422, "bad-parameter", "what is at fault", hint="another way", errors=[{"pointer": "/a", "detail": "one"}, {"pointer": "/b", "detail": "two"}]))])
            seen(tab, "problem")
            holds(tab, "a problem card")
            tab.answer()
            # Signed out.
            fresh(tab, server, "/types")
            tab.until("document.querySelectorAll('main [data-test=row]').length > 0", shows=MAIN)
            tab.click("sign-out")
            seen(tab, "sign-in")
            tab.run("document.querySelector('[data-test=token]').focus()")
            tab.type("wrong")
            tab.press("Enter")
            tab.until("document.querySelector('[data-test=token-fault]').textContent !== ''")
            holds(tab, "the sign-in")
            same(tab.run(PILL), "sign in", "the pill")
