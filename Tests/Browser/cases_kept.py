"""What a person has begun stays where it is, and an answer stands beside its own question."""
import contextlib
import json
import signal

from chromium import case
from cases_console import access, at, bearer, go, gone, has, seen, shows_ids
from cases_meanwhile import SLOW, TEXT, write
from cases_outbox import Remote, change, count_of
from harness import Server, check, folder, same, soon
from upstream import Upstream, serving

ALL = {"admin": True, "types": {"*": {"read": True, "write": True}}}
FIRST = "sessionStorage.setItem('freshet-token', 'one-secret');"


def said(test):
    return f"(document.querySelector('[data-test={json.dumps(test)}]')?.textContent ?? '')"


def put(tab, test, text):
    """Text into a field, as a person types it."""
    tab.run(f"document.querySelector('[data-test={json.dumps(test)}]').focus(); document.activeElement.select?.(); 0")
    tab.type(text)


def dropped(tab, name, text):
    """A file that is let fall on the page."""
    tab.run(f"""((name, text) => {{ const data = new DataTransfer(); data.items.add(new File([text], name));
        document.querySelector('main article').dispatchEvent(new DragEvent('drop', {{ dataTransfer: data, bubbles: true, cancelable: true }}));
        }})({json.dumps(name)}, {json.dumps(text)})""")


def sign_in(tab, name):
    seen(tab, "sign-in")
    put(tab, "token", f"{name}-secret")
    tab.press("Enter")
    gone(tab, "sign-in")


@contextlib.contextmanager
def expiring(context, more=None):
    """A server whose token `one` is taken away by the function that comes with it; `two` stays."""
    with folder() as place:
        path = access(place, ("one", ALL), ("two", ALL))
        whole = {**json.loads(path.read_text()), **(more or {})}
        path.write_text(json.dumps(whole))

        def expire():
            whole["access"]["tokens"] = [token for token in whole["access"]["tokens"] if token["name"] != "one"]
            path.write_text(json.dumps(whole))
            server.signal(signal.SIGHUP)
            soon(lambda: server.ask("GET", "/v1", headers=bearer("one")).status == 401, "the end of a token")
        with Server(context.binary, None, "--config", str(path)) as server:
            yield server, expire


@case("what is typed into Start, Access and Query, and what is staged, outlives a new sign-in; their rows go on", 400, 401)
def typed(context):
    with expiring(context, {"conditions": {"night": {"initial": False}}}) as (server, expire):
        server.ask("PUT", "/v1/task/1", {"title": "there"}, bearer("two")).is_(201)
        with contextlib.ExitStack() as tabs:
            start, check_, query, staged = (tabs.enter_context(at(server, place, before=FIRST)) for place in ("/start", "/access", "/v1/task", "/conditions"))
            for tab, test in ((start, "start-text"), (check_, "check-type"), (query, "url"), (staged, "stage")):
                seen(tab, test)
            shows_ids(query, ["1"])
            put(start, "start-text", '{"id":"mine","title":"begun"}')
            put(check_, "check-type", "task")
            put(query, "url", "/v1/task?limit=7")
            staged.click("stage")
            seen(staged, "staged-one")
            expire()
            sign_in(staged, "two")  # the tab that is seen
            for tab in (start, check_, query, staged):
                tab.until("!document.querySelector('dialog[open]') && document.querySelector('#who').textContent.includes('two')", shows="document.body.textContent")
            value = "document.querySelector('[data-test=%s]')?.value"
            # Pages are made anew behind the name of who has come.
            seen(start, "start-text")
            seen(check_, "check-type")
            same(start.run(value % "start-text"), '{"id":"mine","title":"begun"}', "the text of Start")
            same(check_.run(value % "check-type"), "task", "the question of Access")
            same(query.run(value % "url"), "/v1/task?limit=7", "the address that is not asked yet")
            check(staged.run(has("staged-one")), "what is staged")
            start.click("start-save")
            for tab in (start, query):
                tab.until("!!document.querySelector('main [data-id=mine]')", shows="document.querySelector('main').textContent")
            put(start, "start-text", "{")
            start.click("start-save")
            seen(start, "problem")
            staged.click("apply")
            soon(lambda: server.ask("GET", "/v1/_conditions/night", headers=bearer("two")).json["value"], "what was staged")


@case("a write that waits for a sign-in tells at the head of the page what became of it", 400, 401)
def asked_amid(context):
    with expiring(context) as (server, expire), at(server, "/start", before=FIRST) as tab:
        seen(tab, "start-text")
        put(tab, "start-text", "{")
        expire()
        seen(tab, "sign-in")
        tab.click("start-save")
        sign_in(tab, "two")
        tab.until("document.querySelector('#who').textContent.includes('two')", shows="document.querySelector('#who').textContent")
        seen(tab, "problem")
        same(tab.run("document.querySelector('[data-test=start-text]').value"), "{", "the text")


@case("a new entity with its own id whose answer was lost is saved as its own, changed meanwhile or not", "lost", 404, 412)
def own_id(context):
    with Server(context.binary) as server:
        with at(server, "/v1/task?_new=1", before=SLOW) as tab:
            for id_, more in (("same", {}), ("other", {"n": 2})):
                go(tab, "/v1/task?_new=1")
                tab.until(f"location.hash.includes('_new') && {TEXT.replace('.value', '?.value')}?.length < 10", shows=TEXT)
                write(tab, json.dumps({"id": id_, "n": 1}))
                tab.run("loses = true; 0")
                tab.click("save")
                seen(tab, "outcome-unknown")
                write(tab, json.dumps({"id": id_, "n": 1, **more}))
                tab.click("save")
                tab.until(f"location.hash === '#/v1/task/{id_}' && document.querySelector('[data-test=edit-state]').dataset.state === 'clean'", shows="document.body.textContent")
                check(not tab.run(has("exists")) and not tab.run(has("outcome-unknown")), "nothing is left to be told")
                same(server.get(f"/v1/task/{id_}").json, {"id": id_, "n": 1, **more}, "what is stored")
            go(tab, "/v1/task?_new=1")
            tab.until("location.hash.includes('_new')")
            seen(tab, "text")
            write(tab, '{"id": "same", "n": 9}')
            tab.click("save")
            seen(tab, "exists")
            same(server.get("/v1/task/same").json["n"], 1, "what another has stored")


@case("an import tells the place in the file of what is at fault, and what Escape leaves of it", 400, 422)
def imported(context):
    waiting = """(() => { const plain = fetch; globalThis.fetch = async (input, init) => {
        if (String(input.url ?? input).endsWith('/_set') && globalThis.waits) await new Promise((resolve) => { globalThis.release = resolve; });
        return plain(input, init); }; })();"""
    good = [json.dumps({"id": n}) for n in range(4000)]
    with Server(context.binary) as server, at(server, "/v1/t?limit=5", before=waiting) as tab:
        seen(tab, "empty")
        for name, text, place in (("some.ndjson", "\n".join(["", *good, "", '{"id":4000}', '{"id":']), "line 4004: "),
                                  ("all.json", "[" + ",\n".join([*good, '{"id":4000}', '{"id":[]}']) + "]", "element 4001: ")):
            dropped(tab, name, text)
            tab.until(f"{said('import-status')}.includes({json.dumps(place)})", shows=said("import-dialog"))
            check(tab.text("import-status").startswith("4,000 entities are stored"), tab.text("import-status"))
            tab.press("Escape")
            gone(tab, "import-dialog")
        tab.run("waits = true; 0")
        dropped(tab, "more.ndjson", "\n".join(json.dumps({"id": f"more-{n}"}) for n in range(8000)))
        tab.until("!!globalThis.release", shows=said("import-dialog"))
        tab.press("Escape")
        tab.run("waits = false; release(); 0")
        tab.until(f"/^4,000 entities stored. The rest was left out/.test({said('import-status')})", shows="document.body.textContent")
        same(server.get("/v1/t?limit=0&count=true").json["meta"]["total"], 8000, "entities")


@case("what a caller may not read any more is not shown any more, and comes back with the right", 401, 403)
def cleared(context):
    with folder() as place:
        path = access(place, ("one", {"types": {"t": {"read": True, "write": True}}}))
        with Server(context.binary, None, "--config", str(path)) as server:
            server.ask("PUT", "/v1/t/1", {"n": "s3cr3t"}, bearer("one")).is_(201)
            with at(server, "/v1/t/1", before=FIRST) as tab:
                tab.until(f"{TEXT.replace('.value', '?.value')}?.includes('s3cr3t')", shows="document.body.textContent")
                access(place, ("one", {"types": {"t": {"read": False, "write": True}}}))
                server.signal(signal.SIGHUP)
                seen(tab, "problem")
                tab.run("import('/console/server.js').then(({ server, checkReady }) => { server.tell(); return checkReady(); }).then(() => 0)")
                shown = "document.querySelector('main').textContent + [...document.querySelectorAll('textarea')].map(({ value }) => value)"
                check("s3cr3t" not in tab.run(shown), "what was read before")
                access(place, ("one", {"types": {"t": {"read": True, "write": True}}}))
                server.signal(signal.SIGHUP)
                soon(lambda: server.ask("GET", "/v1/t/1", headers=bearer("one")).status == 200, "the right")
                tab.click("again")
                tab.until(f"{TEXT.replace('.value', '?.value')}?.includes('s3cr3t') && !{has('problem')}", shows=shown)


@case("an answer of “May it?” goes with its question")
def checked(context):
    with Server(context.binary) as server, at(server, "/access") as tab:
        seen(tab, "check-type")
        put(tab, "check-type", "task")
        tab.press("Enter")
        seen(tab, "verdict")
        put(tab, "check-type", "other")
        check(tab.run("document.querySelector('[data-test=checked]').hidden"), "the answer to another question")


@case("a mutation is run with its entity by the button, too; a run that is refused keeps the text, and one that has ended is named", 400, 422)
def mutation(context):
    with Upstream(lambda request: request.reply(200, request.body or b"{}")) as upstream:
        configuration = Remote.configuration(upstream)
        configuration["operations"] = {"add-w": {"kind": "mutation", "type": "w", "write": "create"}}
        with serving(context, configuration) as server, at(server, "/operations/add-w") as tab:
            seen(tab, "run-button")
            tab.click("run-button")
            seen(tab, "entity")
            put(tab, "entity", '{"id": "ok-1", "n": 0.10')
            tab.run("document.querySelector('dialog .acts button').click(); 0")
            seen(tab, "problem")
            same(tab.run("document.querySelector('[data-test=entity]').value"), '{"id": "ok-1", "n": 0.10', "the text")
            put(tab, "entity", '{"id": "ok-1", "n": 0.10}')
            tab.run("document.querySelector('dialog .acts button').click(); 0")
            gone(tab, "entity")
            soon(lambda: server.ask("GET", "/v1/w/ok-1?source=local").status == 200, "the entity")
            check(b"0.10" in server.ask("GET", "/v1/w/ok-1?source=local").body, "its digits")
            tab.run("document.activeElement.blur(); 0")
            tab.press("R")
            seen(tab, "entity")
            put(tab, "entity", '{"id": "ok-2"}')
            tab.run("document.querySelector('dialog .acts button').click(); 0")
            check("The run of add-w has ended" in seen(tab, "ended"), "which run has ended")


@case("more rows of the outbox come behind those that are shown, and the focus goes on")
def more_rows(context):
    remote = Remote()
    with Upstream(remote.answer) as upstream, serving(context, Remote.configuration(upstream)) as server:
        for n in range(120):
            change(server, f"w/ok-{n}")
        soon(lambda: server.get("/v1/_outbox?filter=state=='done'&limit=0&count=true").json["meta"]["total"] == 120, "the end of all", 60)
        with at(server, "/outbox") as tab:
            count_of(tab, "ended", 100)
            tab.until("!document.querySelector('[data-test=ended-more]').hidden", shows="document.querySelector('main').textContent")
            tab.run("""globalThis.least = Infinity; new MutationObserver(() => { least = Math.min(least, document.querySelectorAll('[data-test=ended] [data-test=row]').length); })
                .observe(document.querySelector('[data-test=ended] tbody'), { childList: true }); 0""")
            last = tab.run("[...document.querySelectorAll('[data-test=ended] [data-test=row]')].at(-1).dataset.id")
            tab.run("document.querySelector('[data-test=ended-more]').focus(); 0")
            tab.press("Enter")
            count_of(tab, "ended", 120)
            same(tab.run("document.querySelector('[data-test=ended-more]').hidden"), True, "no more")
            check(tab.run("least") >= 100, f"{tab.run('least')} rows meanwhile")
            tab.until(f"document.activeElement.previousElementSibling?.dataset.id === {json.dumps(last)}", shows="document.activeElement.outerHTML.slice(0, 300)")


@case("what is shown behind a lost connection is told to be as of when it was last exact", "lost")
def as_of(context):
    with Server(context.binary) as server:
        server.put("/v1/t/1", {"n": 1})
        with at(server, "/v1/t") as tab:
            shows_ids(tab, ["1"])
            tab.run("new Promise((go) => setTimeout(go, 2500))")
            server.kill()
            lost = "import('/console/server.js').then(({ server }) => server.lostAt && Date.now() - server.lostAt)"
            tab.until(f"{lost}.then(Boolean)", shows="document.body.textContent")
            before = tab.run(lost)
            check(before >= 2000, f"as of {before} ms ago")


@case("the choices of an enum are written as they are declared, digit for digit")
def choices(context):
    declared = '{"types":{"t":{"properties":{"n":{"type":"any","enum":[9007199254740993,0.10,"a"]}}}}}'
    with folder() as place:
        path = place / "freshet.json"
        path.write_text(declared)
        with Server(context.binary, None, "--config", str(path)) as server:
            server.put("/v1/t/1", {})
            with at(server, "/v1/t/1") as tab:
                seen(tab, "field")
                options = tab.run("[...document.querySelector('[data-name=n]').options].map(({ value }) => value)")
                check("9007199254740993" in options and '"a"' in options, options)
                tab.run("{ const field = document.querySelector('[data-name=n]'); field.value = '9007199254740993'; field.dispatchEvent(new Event('change')); } 0")
                check("9007199254740993" in tab.run(TEXT), tab.run(TEXT))
                tab.click("save")
                soon(lambda: b"9007199254740993" in server.ask("GET", "/v1/t/1").body, "what is stored")
