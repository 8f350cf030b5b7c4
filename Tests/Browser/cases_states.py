"""The frame, and the states that all lists share: each is drawn, on every page, and goes on when its cause has gone."""
import contextlib
import json
import pathlib
import re
import urllib.parse

from cases_console import IDS, access, at, cells, go, gone, has, seen, shows_ids
from chromium import browser, case
from harness import Server, check, folder, same, soon
from upstream import Upstream

MAIN = "document.querySelector('main').textContent"
PILL = "document.querySelector('#pill').textContent"
EVERYTHING = {"admin": True, "types": {"*": {"read": True, "write": True}}}
JSON_PROBLEM = {"Content-Type": "application/problem+json"}

# A page that has its connection itself, so that its requests can be answered by a case: `holds` are those that are never
# answered, `edits` changes the events of its stream: called with the event's name and data, it answers the data, where
# a member `as` is another name.
ALONE = """delete globalThis.SharedWorker; globalThis.holds = null; globalThis.edits = null;
    (() => {
        const plain = fetch, encoder = new TextEncoder();
        const changed = (block) => {
            const name = /^event: (.*)$/m.exec(block)?.[1], data = /^data: (.*)$/m.exec(block)?.[1];
            if (!data || !edits) return block;
            const { as = name, ...rest } = edits(name, JSON.parse(data)) ?? JSON.parse(data);
            return block.replace(/^event: .*$/m, () => 'event: ' + as).replace(/^data: .*$/m, () => 'data: ' + JSON.stringify(rest));
        };
        globalThis.fetch = async (input, init) => {
            if (holds?.test(String(input.url ?? input))) return new Promise(() => {});
            const answer = await plain(input, init);
            if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer;
            let rest = '';
            const body = answer.body.pipeThrough(new TextDecoderStream()).pipeThrough(new TransformStream({ transform(text, to) {
                const blocks = (rest + text).split('\\n\\n');
                rest = blocks.pop();
                for (const block of blocks) to.enqueue(encoder.encode(changed(block) + '\\n\\n'));
            } }));
            return new Response(body, { status: answer.status, headers: answer.headers });
        };
    })();"""


def problem(status, code, detail="what is at fault", **more):
    return status, {"type": f"/problems/{code}", "title": code, "status": status, "code": code, "detail": detail, "requestId": "r-17", **more}, JSON_PROBLEM


@contextlib.contextmanager
def furnished(context, upstream, *flags, **sections):
    """A server that every page has something to show of: one operation, condition, specification, upstream; token root."""
    with folder() as place:
        path = access(place, ("root", EVERYTHING), ("reader", {"types": {"task": {"read": True}}}))
        operations = {"todos": {"type": "todo", "query": {"filter": "n > 0"}, "automatic": {"spec": "open"}, "stale": [{"age": "1h"}]}}
        path.write_text(json.dumps({**json.loads(path.read_text()), "upstreams": {"api": {"base": upstream.base, "retry": {"limit": 0}}},
                                    "types": {"todo": {"remote": {"upstream": "api", "search": {"path": "/todo"}}}}, "conditions": {"night": {}},
                                    "specs": {"open": {"not": {"condition": "night"}}}, "operations": operations, **sections}))
        with Server(context.binary, place / "data", "--config", str(path), *flags) as server:
            root = {"Authorization": "Bearer root-secret"}
            for n in range(3):
                server.ask("PUT", f"/v1/task/{n}", {"n": n, "title": f"task {n}"}, root).is_(201)
            yield server


def signed(name="root", more=""):
    return f"sessionStorage.setItem('freshet-token', '{name}-secret');{more}"


def rows(request):
    request.reply(200, [{"id": "1", "n": 1}])


# The pages: where they stand, what answers them, what they show in the end.
LIVE = r"/v1/_live(\?|$)"
PAGES = [("/start", LIVE, "[data-test=row]"), ("/types", LIVE, "[data-test=row]"), ("/v1/task", LIVE, "[data-test=row]"), ("/v1/task/1", LIVE, "[data-test=text]"),
         ("/operations", LIVE, "[data-test=row]"), ("/operations/todos", LIVE, "[data-test=slot-automatic]"), ("/conditions", LIVE, "[data-test=row]"),
         ("/specs", LIVE, "[data-test=row]"), ("/specs/open", LIVE, "[data-test=spec-node]"), ("/upstreams", LIVE, "[data-test=row]"),
         ("/upstreams/api", LIVE, "[data-test=credential]"), ("/outbox", LIVE, "[data-test=needs], [data-test=empty]"), ("/streams", LIVE, "[data-test=row]"),
         ("/access", LIVE, "[data-test=rows] [data-test=row]"), ("/store", r"/v1/_store$", "[data-test=sentence]"), ("/metrics", r"/metrics$", "[data-test=chart]"),
         ("/configuration", r"/v1/_service$", "[data-test=settings]"), ("/cluster", r"/v1/_cluster$", "[data-test=problem]")]
STATES = {"error": (422, "unprocessable", problem(422, "bad-parameter", "<b>no</b>", hint="another way")),
          "401": (401, "unauthenticated", problem(401, "unauthenticated")),
          "403": (403, "forbidden", problem(403, "forbidden", "the token lacks a right"))}


def fresh(tab, server, place, **hooks):
    """Loads a page anew: a hash alone would be another view of the one before."""
    tab.answer()
    tab.go(f"{server.url}/livez")
    tab.answer(*hooks.get("answers", ()))
    tab.go(f"{server.url}/#{place}")


@case("each page: loading, an error with its code and another try, 401, 403, a lost connection; none is shown as empty meanwhile", 401, 403, 404, 422, "lost")
def states_of_pages(context):
    faults = []

    def wanted(tab, place, state, condition, what):
        try:
            tab.until(condition, 8, shows=f"[location.hash, {PILL}, document.querySelector('main').innerHTML.slice(0, 700)]")
        except Exception as fault:  # all pages are looked at before the case fails
            faults.append(f"{place}, {state}: {what}: {str(fault)[:900]}")

    with Upstream(rows) as upstream, furnished(context, upstream) as server:
        with browser().open(f"{server.url}/livez", signed(more=ALONE)) as tab:
            for place, pattern, shown in PAGES:
                is_there = f"!!document.querySelector('main :is({shown})')"
                card = "document.querySelector('main [data-test=problem]')"
                isEmpty = "!!document.querySelector('main [data-test=empty]')"
                says_none = (f"{isEmpty} || /Nothing needs you|No specification has a name/.test({MAIN})"
                             " || [...document.querySelectorAll('main [data-test$=status]')].some((one) => one.textContent === '0')")
                # Loading: nothing of a second is shown, then grey lines, never "nothing is there".
                tab.go(f"{server.url}/livez")
                hold = tab.call("Page.addScriptToEvaluateOnNewDocument", {"source": r"holds = /\/v1\/(?!_access\/me)|\/metrics$/;"})["identifier"]
                tab.go(f"{server.url}/#{place}")
                if place not in ("/start",):
                    wanted(tab, place, "loading", "[...document.querySelectorAll('main [data-test=loading]')].some((one) => one.checkVisibility({ visibilityProperty: true }))", "grey lines")
                    if tab.run(says_none):
                        faults.append(f"{place}: what loads is shown as empty")
                tab.call("Page.removeScriptToEvaluateOnNewDocument", {"identifier": hold})
                # Errors, and the way on.
                if place != "/cluster":
                    fresh(tab, server, place, answers=[(pattern, STATES["error"][2])])
                    wanted(tab, place, "error", f"({card}?.textContent ?? '').includes('<b>no</b>') && {card}.textContent.includes('another way') && {card}.textContent.includes('r-17')", "detail, hint and request")
                    wanted(tab, place, "error", f"{card}?.querySelector('a')?.getAttribute('href') === '/problems/bad-parameter'", "the code as a link")
                    if tab.run(isEmpty) or tab.run("!!document.querySelector('main b')"):
                        faults.append(f"{place}: what failed is shown as empty, or as markup")
                    tab.answer()
                    wanted(tab, place, "error", has("again"), "another try")
                    tab.run("for (const one of document.querySelectorAll('main [data-test=again]')) one.click()")
                    wanted(tab, place, "error", f"{is_there} && !{card}", "rows after another try")
                    fresh(tab, server, place, answers=[(pattern, STATES["403"][2])])
                    wanted(tab, place, "403", f"({card}?.textContent ?? '').includes('forbidden')", "what lacks")
                    wanted(tab, place, "403", f"!{isEmpty}", "not shown as empty")
                fresh(tab, server, place, answers=[(pattern, STATES["401"][2])])
                wanted(tab, place, "401", f"{has('sign-in')} && {PILL} === 'sign in'", "the dialog and the pill")
                # Lost before anything has come: nothing is known, so nothing is said to be empty.
                fresh(tab, server, place, answers=[(pattern, None)])
                lost = f"/^reconnecting/.test({PILL}) && {has('banner-lost')} && document.querySelector('main').classList.contains('dimmed')" if pattern == LIVE else f"!!{card}"
                wanted(tab, place, "lost", lost, "the pill, the banner, what is shown is dimmed")
                if tab.run(says_none):
                    faults.append(f"{place}: what is not known is shown as empty")
                tab.answer()
                tab.run("document.querySelector('[data-test=now]')?.click(); document.querySelector('main [data-test=again]')?.click()")
                wanted(tab, place, "lost", is_there, "rows when it is back")
            tab.answer()
    check(not faults, "\n      ".join(["states that are not drawn:", *faults]))


@case("states of Types: loading, empty, error and again, forbidden, more rows, a list that the server cuts, narrow", 422, 403)
def states_of_types(context):
    with Server(context.binary) as server:
        with browser().open(f"{server.url}/livez", ALONE) as tab:
            tab.go(f"{server.url}/#/types")
            check("first entity" in seen(tab, "empty"), "what would be here")
            same(tab.run("[...document.querySelectorAll('[data-test=empty] a')].map((one) => one.getAttribute('href'))"), ["#/start", "/docs"], "what makes it")
            server.ask("POST", "/v1/_batch", {"operations": [{"set": {"type": f"t{n:04}", "entity": {"id": 1}}} for n in range(1000)]}).is_(200)
            tab.until("document.querySelector('[data-test=status]').textContent === '500 of 1,000'", shows="document.querySelector('[data-test=status]').textContent")
            check(tab.run("document.querySelectorAll('tbody tr').length") <= 300, "rows in the document")
            tab.click("more")
            tab.until("document.querySelector('[data-test=status]').textContent === '1,000'", shows="document.querySelector('[data-test=status]').textContent")
            tab.press("End")
            tab.until(f"{IDS}.includes('t0999')", shows=IDS)
            same(tab.run("document.activeElement.dataset.id"), "t0999", "the last of 1,000 types has the focus")
            # Narrow: sideways scroll is inside the table alone.
            tab.look(width=360, height=640)
            tab.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            check(tab.run("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than a phone")
            check(tab.run("document.querySelector('.scroller').scrollWidth > document.querySelector('.scroller').clientWidth"), "the table scrolls by itself")
            tab.look()
            # A list that the server itself cuts.
            fresh(tab, server, "/types")
            tab.call("Page.addScriptToEvaluateOnNewDocument", {"source": "edits = (name, data) => (name === 'snapshot' && !data.more ? { ...data, truncated: true } : data);"})
            fresh(tab, server, "/types")
            tab.until("/does not list/.test(document.querySelector('[data-test=status]')?.textContent ?? '')", shows=MAIN + ".slice(0, 400)")


# The frame -----------------------------------------------------------------------------------------

@case("on a phone the rail is a menu that opens, leads on and closes; the theme button goes round and is kept; each page has its key")
def frame(context):
    with Server(context.binary) as server:
        server.put("/v1/t/1", {"n": 1})
        with at(server, "/types") as tab:
            seen(tab, "rows")
            tab.look(width=360, height=640)
            rail = "document.querySelector('#rail')"
            tab.until(f"getComputedStyle({rail}).display === 'none' && document.querySelector('#menu').checkVisibility()", shows=f"{rail}.outerHTML")
            tab.run("document.querySelector('#menu').focus()")
            tab.press("Enter")
            tab.until(f"{rail}.checkVisibility() && document.querySelector('#menu').getAttribute('aria-expanded') === 'true'", shows=f"{rail}.outerHTML")
            check(tab.run("document.documentElement.scrollWidth <= innerWidth"), "the menu makes the page wide")
            check(tab.run(f"[...{rail}.children].every((one) => {{ const box = one.getBoundingClientRect(); return box.right <= innerWidth && box.height >= 24; }})"), "entries of the menu are in sight")
            for _ in range(9):
                tab.press("Tab")
                if tab.run(f"{rail}.contains(document.activeElement)"):
                    break
            check(tab.run(f"{rail}.contains(document.activeElement)"), "the menu is come to by keyboard")
            tab.run(f"[...{rail}.querySelectorAll('a')].find(({{ textContent }}) => textContent === 'Operations').click()")
            tab.until("document.querySelector('h1')?.textContent === 'Operations'", shows=MAIN)
            tab.until(f"!{rail}.checkVisibility() && document.querySelector('#menu').getAttribute('aria-expanded') === 'false'", shows=f"{rail}.outerHTML")
            tab.look()
            # Themes.
            ground = "getComputedStyle(document.body).backgroundColor"
            same(tab.run(ground), "rgb(255, 255, 255)", "the system's light")
            tab.look(theme="dark")
            same(tab.run(ground), "rgb(20, 23, 28)", "the system's dark")
            for word, colour in (("light", "rgb(255, 255, 255)"), ("dark", "rgb(20, 23, 28)")):
                tab.click("theme")
                same(tab.run(f"[{ground}, document.querySelector('#theme').textContent, document.querySelector('#theme').ariaLabel]"), [colour, f"◐ {word}", f"Theme: {word}"], "the button")
            tab.look(theme="light")
            same(tab.run(ground), "rgb(20, 23, 28)", "what was chosen holds")
            tab.call("Page.reload")
            tab.until("document.querySelector('#theme')?.textContent === '◐ dark'", shows="document.querySelector('#theme')?.textContent")
            same(tab.run(ground), "rgb(20, 23, 28)", "and is kept")
            tab.click("theme")
            same(tab.run(f"[{ground}, document.querySelector('#theme').textContent]"), ["rgb(255, 255, 255)", "◐ auto"], "round")
            for key, title in (("t", "Types"), ("o", "Operations"), ("q", "Types")):
                tab.press("g")
                tab.press(key)
                tab.until(f"document.querySelector('h1')?.textContent === {json.dumps(title)}", shows=f"[location.hash, {MAIN}]")


@case("the switches behind `?`: single keys off, times in UTC, all forgotten; and the keys of a query: n e y w x /")
def switches(context):
    copying = "Object.defineProperty(Clipboard.prototype, 'writeText', { value: (text) => { globalThis.copied = text; return globalThis.refuses ? Promise.reject(new Error('no')) : Promise.resolve(); } });"
    with Server(context.binary) as server:
        server.put("/v1/t/a", {"n": 9007199254740993, "text": "one\ntwo"})
        server.put("/v1/t/b", {"n": 2})
        with at(server, "/v1/t?order=id", before=copying) as tab:
            shows_ids(tab, ["a", "b"])
            # Keys of the page.
            tab.press("j")
            tab.press("y")
            tab.until("globalThis.copied !== undefined")
            same(tab.run("copied"), '{"id":"a","n":9007199254740993,"text":"one\\ntwo"}', "what is copied is the row's own text")
            tab.run("globalThis.refuses = true; document.querySelector('[data-id=a]').focus()")
            tab.press("y")
            seen(tab, "copy")
            tab.until("document.activeElement.tagName === 'TEXTAREA' && getSelection().toString() !== null && document.activeElement.selectionEnd === document.activeElement.value.length")
            same(tab.run("document.activeElement.value"), '{"id":"a","n":9007199254740993,"text":"one\\ntwo"}', "where there is no clipboard the text stands selected")
            tab.press("Escape")
            gone(tab, "copy")
            same(tab.run("document.activeElement.dataset.id"), "a", "the focus is back on the row")
            tab.press("w")
            tab.until("location.hash.includes('_panel=explain')", shows="location.hash")
            seen(tab, "plan-sentence")
            tab.run("document.querySelector('[data-id=a]').focus()")
            tab.press("w")
            tab.until("!location.hash.includes('_panel')", shows="location.hash")
            tab.press("/")
            tab.until("document.activeElement.matches('input, textarea')")
            tab.press("Escape")
            tab.run("document.querySelector('[data-id=a]').focus()")
            tab.press("e")
            tab.until("location.hash === '#/v1/t/a' && !!document.querySelector('[data-test=text]')", shows="location.hash")
            tab.run("history.back()")
            shows_ids(tab, ["a", "b"])
            tab.run("document.activeElement.blur()")
            tab.press("n")
            tab.until("location.hash === '#/v1/t?_new=1'", shows="location.hash")
            tab.run("history.back()")
            shows_ids(tab, ["a", "b"])
            # Times.
            tab.run("document.activeElement.blur()")
            tab.press("?")
            seen(tab, "help")
            keys = tab.run("[...document.querySelectorAll('[data-test=help] dt')].map(({ textContent }) => textContent.trim())")
            check({"g t", "g l", "Esc", "?", "n", "e", "y", "c", "l", "p", "w", "x", "/", "Delete"} <= {re.sub(r"\s+", " ", key) for key in keys}, f"keys that are listed: {keys}")
            tab.run("document.querySelector('[data-test=setting-utc]').click(); document.querySelector('[data-test=setting-keys]').click()")
            tab.press("Escape")
            gone(tab, "help")
            # Single keys do nothing; keys that are no characters do.
            tab.run("document.querySelector('[data-id=a]').focus()")
            for key in ("g", "t", "n", "w", "e", "x", "p"):
                tab.press(key)
            same(tab.run("[location.hash, document.querySelector('[data-test=pause]').getAttribute('aria-pressed'), document.querySelectorAll('input[type=checkbox]:checked').length]"),
                 ["#/v1/t?order=id", "false", 0], "single keys are off")
            tab.press("ArrowDown")
            same(tab.run("document.activeElement.dataset.id"), "b", "arrows go on")
            go(tab, "/store")
            seen(tab, "sentence")
            tab.until("/Read at [\\d:]+ UTC/.test(document.querySelector('main').textContent)", shows=MAIN)
            tab.call("Page.reload")
            tab.until("/Read at [\\d:]+ UTC/.test(document.querySelector('main')?.textContent ?? '')", shows="document.body.textContent")
            tab.click("theme")
            # All forgotten: as a browser that was never here. The button of the top, since `?` is off.
            tab.run("document.querySelector('#help').click()")
            seen(tab, "help")
            same(tab.run("[document.querySelector('[data-test=setting-utc]').checked, document.querySelector('[data-test=setting-keys]').checked]"), [True, True], "what is kept")
            tab.run("globalThis.isOld = true; document.querySelector('[data-test=forget]').click()")
            tab.until("globalThis.isOld === undefined && document.readyState === 'complete'")
            seen(tab, "sentence")
            same(tab.run("[localStorage.length, document.querySelector('#theme').textContent]"), [0, "◐ auto"], "nothing is kept")
            tab.until("/Read at [\\d:]+\\./.test(document.querySelector('main').textContent)", shows=MAIN)
            tab.press("?")
            seen(tab, "help")


@case("the strip of events: folded at first, then each event with its query, seq and bytes, and its raw text")
def strip(context):
    with Server(context.binary) as server:
        server.put("/v1/t/1", {"n": 1})
        with at(server, "/v1/t?filter=n>0") as tab:
            shows_ids(tab, ["1"])
            same(tab.run("[document.querySelector('#strip').getAttribute('aria-expanded'), document.querySelector('#events').hidden]"), ["false", True], "folded")
            tab.click("strip")
            tab.until("document.querySelector('#strip').getAttribute('aria-expanded') === 'true' && document.querySelector('#events').checkVisibility()", shows="document.querySelector('#events').textContent")
            server.put("/v1/t/2", {"n": 9007199254740993, "text": "<i>\u202e"})
            delta = "[...document.querySelectorAll('[data-test=event]')].find((row) => row.cells[0].textContent === 'delta')"
            tab.until(f"!!{delta}", shows="document.querySelector('#events').textContent")
            line = tab.run(f"[...{delta}.cells].map(({{ textContent }}) => textContent)")
            check(urllib.parse.unquote(line[1]).startswith("/v1/t?filter=n>0") and line[2].isdigit() | (line[2] == "") and re.fullmatch(r"\d+ B", line[3]), f"an event's query, seq and bytes: {line}")
            tab.until("[...document.querySelectorAll('[data-test=event]')].some((row) => row.cells[0].textContent === 'sync' && /^\\d+$/.test(row.cells[2].textContent))", shows="document.querySelector('#events').textContent")
            tab.run(f"{delta}.querySelector('button').focus()")
            tab.press("Enter")
            raw = "document.querySelector('dialog pre').textContent"
            tab.until("!!document.querySelector('dialog pre')")
            check("9007199254740993" in tab.run(raw) and "<i>" in tab.run(raw) and tab.run("document.querySelectorAll('dialog i').length") == 0, f"the raw text: {tab.run(raw)}")
            check("U+202E" in tab.run(raw) and "\u202e" not in tab.run(raw), "what turns text is a chip")
            tab.press("Escape")
            for n in range(230):
                server.put("/v1/t/2", {"n": n + 1})
                if n % 10 == 0:
                    tab.until(f"document.querySelector('[data-id=\"2\"]')?.textContent.includes('{n + 1}')")
            check(tab.run("document.querySelectorAll('[data-test=event]').length") <= 200, "at most 200 events")
            tab.click("strip")
            tab.until("document.querySelector('#events').hidden")


# The pause before the connection is tried again is made a minute: only the button is faster.
PATIENT = """(() => { const plain = setTimeout; globalThis.setTimeout = (act, wait, ...rest) => plain(act, wait >= 500 && wait < 1000 && wait !== 600 && wait % 100 ? 60000 : wait, ...rest); })();"""


@case("while the connection is lost a button makes it anew at once; what is shown is dimmed until then", "lost")
def now(context):
    with Server(context.binary) as server:
        server.put("/v1/t/1", {"n": 1})
        with browser().open(f"{server.url}/livez", ALONE + PATIENT) as tab:
            tab.answer((LIVE, None))
            tab.go(f"{server.url}/#/v1/t")
            tab.until(f"/^reconnecting/.test({PILL})", shows=PILL)
            check("as of" in seen(tab, "banner-lost"), "since when what is shown is old")
            same(tab.run("document.querySelector('main').classList.contains('dimmed')"), True, "dimmed")
            tab.answer()
            tab.click("now")
            shows_ids(tab, ["1"])
            tab.until(f"{PILL} === 'live' && !document.querySelector('main').classList.contains('dimmed')", shows=PILL)
            gone(tab, "banner-lost")
