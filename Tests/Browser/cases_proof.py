"""Proofs over time: a disk that takes no more, hosts, tabs, memory, random writes, ends and restarts, exact numbers."""
import json
import os
import pathlib
import resource
import signal
import time

from cases_console import IDS, access, at, bearer, go, gone, has, seen, shows_ids
from chromium import Browser, browser, case
from harness import Server, check, folder, same, soon

IS_LONG = bool(os.environ.get("FRESHET_LONG_TESTS"))
PILL = "document.querySelector('#pill').textContent"
EVERYTHING = {"admin": True, "types": {"*": {"read": True, "write": True}}}
PLAIN = ["", "filter=n>50&limit=20", "order=-n&limit=5", "order=n,id&offset=3&limit=4", "distinct=even", "filter=even==true&order=-n",
         "group=even", "aggregate=count,sum(n),max(n)", "aggregate=count&group=even", "fields=n&filter=n<30"]

# What differs between the tables of a page and what a fresh search answers; empty: nothing.
SHOWN = """(async (url, headers) => {
    const { memberTexts, elementTexts } = await import('/reducer.js');
    const { value } = await import('/console/show.js');
    const answer = memberTexts(await (await fetch(url, { headers })).text());
    const text = (json) => value(json).textContent;
    const tables = answer.has('aggregates')
        ? [(answer.get('aggregates')[0] === '[' ? elementTexts(answer.get('aggregates')) : [answer.get('aggregates')])]
        : answer.has('groups') ? elementTexts(answer.get('groups')).map((group) => elementTexts(memberTexts(group).get('items'))) : [elementTexts(answer.get('items'))];
    const shown = [...document.querySelectorAll('main table.rows')].map((table) => {
        const names = [...table.querySelectorAll('thead th')].map((th) => th.dataset.name ?? th.textContent);
        return [names, [...table.querySelectorAll('tbody tr:not(.left, .spacer)')].map((row) => [...row.querySelectorAll('th, td:not(.mark)')].map((cell) => {
            const copy = cell.cloneNode(true);
            for (const sign of copy.querySelectorAll('.sign')) sign.remove();
            return copy.textContent;
        }))];
    });
    const filled = tables.filter((rows) => rows.length);
    const wanted = shown.map(([names], at) => [names, (filled[at] ?? []).map((row) => { const all = memberTexts(row); return names.map((name) => text(all.get(name))); })]);
    const isSame = JSON.stringify(wanted) === JSON.stringify(shown) && filled.length <= Math.max(shown.length, 0)
        && (filled.length > 0 || shown.every(([, rows]) => !rows.length));
    return isSame ? '' : JSON.stringify({ wanted, shown, filled: filled.length }).slice(0, 1500);
})"""


def write_some(random, server, headers=None):
    def entity(key):
        n = random.choice([random.randint(0, 100), 2 ** 53 + random.randint(0, 3)])
        return {"id": key, "n": n, "even": n % 2 == 0, "of": random.choice(["x", "y", "nobody"]), "team": random.choice(["blue", "red"])}

    def operation(key):
        return random.choice([{"set": {"type": "t", "entity": entity(key)}}, {"remove": {"type": "t", "id": key}}])
    key = str(random.randint(1, 40))
    kind = random.random()
    if kind < 0.45:
        server.ask("PUT", f"/v1/t/{key}", entity(key), headers)
    elif kind < 0.65:
        server.ask("PATCH", f"/v1/t/{key}", {"n": random.randint(0, 100)}, headers)
    elif kind < 0.8:
        server.ask("DELETE", f"/v1/t/{key}", headers=headers)
    else:
        server.ask("POST", "/v1/_batch", {"operations": [operation(str(k)) for k in random.sample(range(1, 41), 5)]}, headers)


def exact(tab, url, headers=None, seconds=30, what=""):
    """Waits until the tables of a tab show the texts that a fresh search answers now."""
    end = time.monotonic() + seconds
    while told := tab.run(f"{SHOWN}({json.dumps(url)}, {json.dumps(headers or {})})"):
        check(time.monotonic() < end, f"{url} {what}: {told}")
        time.sleep(0.02)


def pill(tab, word, seconds=60):
    tab.until(f"{PILL} === {json.dumps(word)}", seconds, shows=f"[{PILL}, document.querySelector('#banners').textContent]")


# The disk ------------------------------------------------------------------------------------------

@case("a disk that takes no more: the banner says so, controls are off, reads and live queries go on; reopened from the banner it writes again", 503, 507)
def failing_disk(context):
    with folder() as data, Server(context.binary, data) as server:
        for n in range(3):
            server.put(f"/v1/t/{n}", {"n": n}).is_(201)
        with at(server, "/v1/t") as tab, at(server, "/types") as types:
            shows_ids(tab, ["0", "1", "2"])
            tab.call("Page.bringToFront")
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
            # The page learns of it by a write of its own.
            for key in ("j", "x"):
                tab.press(key)
            tab.click("remove")
            seen(tab, "confirm")
            tab.press("Enter")
            seen(tab, "problem")
            pill(tab, "read-only")
            state = server.get("/readyz").is_(503).json["stores"]["main"]
            check(state["reason"] in seen(tab, "banner-read-only"), f"the store's own reason {state}: {tab.text('banner-read-only')}")
            for test in ("new", "remove", "import"):
                tab.until(f"document.querySelector('[data-test={test}]').getAttribute('aria-disabled') === 'true'", shows=f"document.querySelector('[data-test={test}]').outerHTML")
                check("no writes" in tab.run(f"document.querySelector('[data-test={test}]').title"), f"why {test} is off")
            tab.press("n")
            check("_new" not in tab.run("location.hash"), "the key of a new entity is off, too")
            shows_ids(tab, ["0", "1", "2"])
            # Rows go on: a new query is answered live, and lists of the server move.
            go(tab, "/v1/t?filter=n>0")
            shows_ids(tab, ["1", "2"])
            tab.until("document.querySelector('[data-test=status]').textContent.includes('live')", shows="document.querySelector('[data-test=status]').textContent")
            types.call("Page.bringToFront")
            with server.watch("/v1/t?live=delta") as stream:
                stream.until("snapshot")
                before = types.run("document.querySelector('[data-id=t] td:nth-of-type(4)').textContent")
                with server.watch("/v1/t?limit=1&live=delta") as other:
                    other.until("snapshot")
                    types.until(f"document.querySelector('[data-id=t] td:nth-of-type(4)').textContent !== {json.dumps(before)}", shows="document.querySelector('main').textContent")
            tab.call("Page.bringToFront")
            # Reopening fails while the disk does.
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            tab.click("reopen")
            pill(tab, "live")
            gone(tab, "banner-read-only")
            tab.until("document.querySelector('[data-test=new]').getAttribute('aria-disabled') === null")
            server.put("/v1/t/9", {"n": 9}).is_(201)
            shows_ids(tab, ["1", "2", "9"])


# Names ---------------------------------------------------------------------------------------------

@case("a server that is open under a name of others says so; a name that a reload takes away is refused, and the banner names the setting", 421)
def hosts(context):
    other = Browser("--host-resolver-rules=MAP *.example 127.0.0.1")

    def clean(*passes):
        # What the browser says of a plain origin: that it leaves out a header that is there for the others.
        other.faults = [fault for fault in other.faults if "Cross-Origin-Opener-Policy header has been ignored" not in fault]
        other.check_clean(passes)
    try:
        with Server(context.binary, None, "--open", "--allow-host", "team.example") as server:
            server.put("/v1/t/1", {"n": 1})
            with other.open(f"http://team.example:{server.port}/#/v1/t") as tab:
                shows_ids(tab, ["1"])
                pill(tab, "open")
                check("may read and write" in seen(tab, "banner-open"), "what open means")
            with other.open(f"{server.url}/#/v1/t") as tab:
                shows_ids(tab, ["1"])
                pill(tab, "live")
                check(not tab.run(has("banner-open")), "on loopback nobody else reaches it")
        clean()
        with folder() as data:
            file = pathlib.Path(data) / "freshet.json"
            file.write_text(json.dumps({"hosts": ["team.example"]}))
            with Server(context.binary, None, "--config", str(file)) as server:
                server.put("/v1/t/1", {"n": 1})
                with other.open(f"http://team.example:{server.port}/#/v1/t") as tab:
                    shows_ids(tab, ["1"])
                    file.write_text(json.dumps({"hosts": ["else.example"]}))
                    server.signal(signal.SIGHUP)
                    soon(lambda: server.get("/v1", Host="team.example").status == 421, "the reload")
                    go(tab, "/v1/t?limit=1")
                    pill(tab, "host refused")
                    check("hosts" in seen(tab, "banner-host") and "team.example" in tab.text("banner-host"), "name and setting")
                    file.write_text(json.dumps({"hosts": ["team.example"]}))
                    server.signal(signal.SIGHUP)
                    soon(lambda: server.get("/v1", Host="team.example").status == 200, "the reload")
                    tab.call("Page.reload")
                    shows_ids(tab, ["1"])
                    gone(tab, "banner-host")
        clean(421)
    finally:
        other.end()


# Tabs ----------------------------------------------------------------------------------------------

@case("twelve tabs of the console are one event stream, another token has one more, and what is closed is asked no more", 401)
def twelve_tabs(context):
    with folder() as data:
        path = access(data, ("root", EVERYTHING), ("reader", {"types": {"t": {"read": True}}}), ("writer", {"types": {"t": {"read": True, "write": True}}}))
        with Server(context.binary, None, "--config", str(path)) as server:
            server.ask("PUT", "/v1/t/1", {"n": 1}, bearer("root"))

            def streams():
                rows = server.ask("GET", "/v1/_streams", headers=bearer("root")).is_(200).json["items"]
                return sorted((row["caller"], len([one for one in row["queries"] if one["text"].startswith("/v1/t")])) for row in rows)

            def are(wanted, what):
                soon(lambda: streams() == wanted, f"{what}, {wanted} (at first {streams()})")
            # Limits that cut nothing: what is cut is counted, by a query of its own.
            first = at(server, "/v1/t?limit=5")
            seen(first, "sign-in")
            first.run("document.querySelector('[data-test=token]').focus()")
            first.type("reader-secret")
            first.press("Enter")
            shows_ids(first, ["1"])
            tabs = [first, *(at(server, f"/v1/t?limit={n}") for n in range(6, 17))]
            for tab in tabs:
                shows_ids(tab, ["1"])
            are([("reader", 12)], "one stream with twelve queries")
            mine = at(server, "/v1/t?limit=5", before="sessionStorage.setItem('freshet-token', 'writer-secret')")
            shows_ids(mine, ["1"])
            are([("reader", 12), ("writer", 1)], "one more of another token")
            server.ask("PUT", "/v1/t/2", {"n": 2}, bearer("root"))
            for tab in tabs[1:]:
                shows_ids(tab, ["1", "2"])
            for tab in tabs[3:]:
                tab.close()
            are([("reader", 3), ("writer", 1)], "the queries of nine tabs end")
            mine.close()
            are([("reader", 3)], "the stream of the other token ends")
            for tab in tabs[:3]:
                tab.close()
            are([], "the end of all")


# Memory --------------------------------------------------------------------------------------------

def workers():
    """The sessions of the shared workers."""
    found = browser().call("Target.getTargets")["targetInfos"]
    return {f"{one['title'] or 'a shared worker'} {one['targetId'][:6]}": browser().session_of(one["targetId"]) for one in found if one["type"] == "shared_worker"}


def heaps(tab):
    """Bytes in use after a collection: of the page and of each shared worker."""
    found = {}
    for name, session in {"page": tab.session, **workers()}.items():
        for _ in range(2):
            browser().call("HeapProfiler.collectGarbage", {}, session)
        found[name] = browser().call("Runtime.getHeapUsage", {}, session)["usedSize"]
    return found


@case("100,000 events leave the heaps of page and worker as they were (5,000 in the short part)")
def memory(context):
    wanted = 100_000 if IS_LONG else 5_000
    queries = 90  # of one session
    with Server(context.binary) as server, at(server, "/v1/t?limit=100") as tab:
        server.ask("POST", "/v1/t/_set", [{"id": n, "n": 0, "text": f"row {n}"} for n in range(100)]).is_(200)
        tab.until(f"{IDS}.length === 100", shows="document.body.textContent.slice(0, 500)")
        # Beside the page's own query, many that are told of each commit, without a throttle.
        tab.run(f"""import('/live.js').then(({{ live, frames }}) => {{
            globalThis.events = 0; frames('freshet-proof', ({{ kind }}) => {{ if (kind === 'delta' || kind === 'snapshot') events++; }});
            globalThis.all = Array.from({{ length: {queries} }}, (_, at) => live(`/v1/t?limit=${{at + 1}}`, {{ name: 'freshet-proof' }}));
        }})""")
        tab.until("all.every(({ state }) => state === 'live')", shows="all.map(({ state, problem }) => problem ?? state)")
        used, turn, began = {}, 0, time.monotonic()
        while "end" not in used:
            turn += 1
            server.ask("PATCH", "/v1/t/0", {"n": turn, "text": f"row 0 of {turn}"}).is_(200)
            tab.until(f"all.every(({{ items }}) => items[0].n === {turn})", shows="all.map(({ items }) => items[0].n)")
            events = tab.run("events")
            if events >= wanted // 5 and "fifth" not in used:
                used["fifth"] = heaps(tab)
            if events >= wanted:
                tab.until(f"document.querySelector('[data-id=\"0\"]').textContent.includes('row 0 of {turn}')", shows="document.querySelector('[data-id=\"0\"]').textContent")
                tab.until("!document.querySelector('.entered, .changed, .left')")
                used["end"] = heaps(tab)
        check(len(used["end"]) >= 3, f"page and two workers: {list(used['end'])}")
        for name, end in used["end"].items():
            fifth = used["fifth"][name]
            print(f"      heap of {name}: {fifth / 1e6:.1f} MB at 20 %, {end / 1e6:.1f} MB at the end")
            check(abs(end - fifth) < 2e6, f"the heap of {name} went from {fifth} to {end} bytes")
        print(f"      {tab.run('events')} events in {time.monotonic() - began:.0f} s")


# Random writes -------------------------------------------------------------------------------------

@case("after each of 500 random writes (60 in the short part) each table is what a fresh search answers: filter, order, window, group, aggregate, distinct, include, row rule")
def oracle(context):
    random = context.random
    with folder() as data:
        path = access(data, ("root", EVERYTHING), ("blue", {"types": {"t": {"read": "team == 'blue'"}, "u": {"read": True}}}))
        path.write_text(json.dumps({**json.loads(path.read_text()), "types": {"t": {"relationships": {"of": {"type": "u", "association": "one"}}}}}))
        with Server(context.binary, None, "--config", str(path)) as server:
            for name in ("x", "y"):
                server.ask("PUT", f"/v1/u/{name}", {"name": name.upper()}, bearer("root"))
            for _ in range(60):
                write_some(random, server, bearer("root"))
            chosen = [("root", query) for query in [*random.sample(PLAIN, len(PLAIN) if IS_LONG else 6), "include=of"]] + [("blue", "order=-n&limit=3")]
            tabs = []
            for name, query in chosen:
                url = f"/v1/t?{query}".rstrip("?")
                tabs.append((name, url, at(server, url, before=f"sessionStorage.setItem('freshet-token', '{name}-secret')")))
            for number in range(500 if IS_LONG else 60):
                write_some(random, server, bearer("root"))
                for name, url, tab in tabs:
                    tab.call("Page.bringToFront")
                    exact(tab, url, bearer(name), what=f"of {name} after {number + 1} writes")
            for _, _, tab in tabs:
                tab.close()


# Ends and restarts ---------------------------------------------------------------------------------

# Says each word of the pill, and each moment in which the table has a row twice or lacks one that was never removed.
WATCHING = """globalThis.pills = []; globalThis.wrong = []; globalThis.kept = null; globalThis.mark = 'the same page';
    new MutationObserver(() => {
        const word = document.querySelector('#pill')?.textContent.replace(/[\\d ,]+ s$/, '');
        if (word && pills.at(-1) !== word) pills.push(word);
        const ids = [...document.querySelectorAll('[data-test=rows] [data-test=row]')].map(({ dataset }) => dataset.id);
        if (new Set(ids).size !== ids.length) wrong.push('twice: ' + ids);
        if (kept && kept.some((id) => !ids.includes(id))) wrong.push('missing: ' + kept.filter((id) => !ids.includes(id)));
    }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });"""


@case("kill -9, SIGTERM and a new epoch under a query: no row doubled or missing at any moment, the pill says each state, the page stays", "lost", 404, 503)
def restarts(context):
    url = "/v1/t?order=n&limit=50"
    with folder() as data, folder() as place:
        server = Server(context.binary, data)
        try:
            port = server.port
            for n in range(30):
                server.put(f"/v1/t/{n}", {"n": n}).is_(201)
            with at(server, url, before=WATCHING) as tab:
                exact(tab, url)
                pill(tab, "live")
                tab.run("kept = Array.from({ length: 30 }, (_, n) => String(n)); 0")

                def told(*words):
                    """The words of the pill since this was asked before."""
                    pills = tab.run("pills.splice(0, pills.length - 1)") + tab.run("[pills[0]]")
                    check(any(word in pills for word in words), f"none of {words} among {pills}")
                    same(pills[-1], "live", f"the last of {pills}")
                for turn, end in enumerate((server.kill, None)):
                    # Writes up to the end: those that were answered are there afterwards.
                    for n in range(3):
                        server.put(f"/v1/t/{100 + 10 * turn + n}", {"n": 100 + 10 * turn + n}).is_(201)
                    end() if end else same(server.stop(), 0, "the exit status of SIGTERM")
                    tab.until(f"/reconnecting|away/.test({PILL})", shows=PILL)
                    check(tab.run("document.querySelector('main').classList.contains('dimmed')"), "old rows are dimmed")
                    check("as of" in tab.run("document.querySelector('#banners').textContent") or tab.run(has("banner-away")), "since when they are old")
                    server = Server(context.binary, data, port=port)
                    server.put("/v1/t/5", {"n": 5, "again": turn}).is_(200)
                    server.put(f"/v1/t/{200 + turn}", {"n": 200 + turn}).is_(201)
                    pill(tab, "live")
                    exact(tab, url, what=f"after end {turn}")
                    told("reconnecting", "away")
                    check(not tab.run(has("banner-epoch")), "the data are the same")
                # Others' data under the same name: all rows are read anew, once, and that is said.
                server.kill()
                tab.run("kept = null; 0")
                server = Server(context.binary, place / "other", port=port)
                for n in range(20, 40):
                    server.put(f"/v1/t/{n}", {"n": n, "new": True}).is_(201)
                pill(tab, "live")
                seen(tab, "banner-epoch", 60)
                exact(tab, url, what="of the new epoch")
                same(tab.run(f"{IDS}.length"), 20, "rows of the new epoch")
                same(tab.run("document.querySelectorAll('[data-test=banner-epoch]').length"), 1, "notices of the new epoch")
                told("reconnecting", "away")
                same(tab.run("[wrong, mark]"), [[], "the same page"], "moments with a wrong row, and the page")
        finally:
            server.forget()


# Numbers -------------------------------------------------------------------------------------------

@case("ids around 2^53 are rows of their own, digits stay as they were written, shown and edited byte for byte; sums beyond 2^53 are exact")
def digits(context):
    forty = "1234567890123456789012345678901234567890"
    rows = [f'{{"id":{key},"n":{key},"a":0.1000,"b":1e400,"c":{forty},"d":-0.0}}' for key in (2 ** 53 - 1, 2 ** 53, 2 ** 53 + 1)]
    ids = [str(2 ** 53 + n) for n in (-1, 0, 1)]
    with Server(context.binary) as server:
        for key, row in zip(ids, rows):
            server.ask("PUT", f"/v1/t/{key}", row.encode()).is_(201)
        with at(server, "/v1/t") as tab:
            shows_ids(tab, ids)
            cell = "(id) => Object.fromEntries([...document.querySelectorAll('thead th')].map((th, at) => [th.dataset.name, document.querySelectorAll(`[data-id=\"${id}\"] :is(th, td:not(.mark))`)[at].textContent]))"
            for key in ids:
                same(tab.run(f"({cell})('{key}')"), {"id": key, "n": key, "a": "0.1000", "b": "1e400", "c": forty, "d": "-0.0"}, f"the row of {key}")
            # One of them changes, and that one alone.
            server.ask("PATCH", f"/v1/t/{ids[2]}", b'{"n":9007199254740997}', {"Content-Type": "application/merge-patch+json"}).is_(200)
            tab.until(f"({cell})('{ids[2]}').n === '9007199254740997'", shows=f"({cell})('{ids[2]}')")
            same([tab.run(f"({cell})('{key}').n") for key in ids[:2]], ids[:2], "its neighbours")
            # Edited beside: the drawer leads to the editor, and what is saved keeps every digit.
            for key in ("j", "j", "j"):
                tab.press(key)
            same(tab.run("document.activeElement.dataset.id"), ids[2], "the third row")
            tab.press("e")
            tab.until("document.querySelector('[data-test=text]')?.value.includes('9007199254740997')", shows="document.querySelector('main').textContent")
            same(tab.run("location.hash"), f"#/v1/t/{ids[2]}", "the address of the entity")
            tab.run("document.querySelector('[data-test=text]').focus()")
            text = tab.run("document.querySelector('[data-test=text]').value")
            check(all(word in text for word in ("0.1000", "1e400", forty, "-0.0", ids[2])), f"what the editor has: {text}")
            tab.run("document.querySelector('[data-test=text]').select()")
            tab.type(text.replace("9007199254740997", "9007199254740999"))
            tab.click("save")
            tab.until("document.querySelector('[data-test=edit-state]').dataset.state === 'clean' && document.querySelector('[data-test=save]').ariaBusy !== 'true'",
                      shows="document.querySelector('main').textContent")
            stored = server.get(f"/v1/t/{ids[2]}").is_(200).body.decode().split()
            same("".join(stored), rows[2].replace(f'"n":{ids[2]}', '"n":9007199254740999'), "what is stored")
            for key, row in list(zip(ids, rows))[:2]:
                same("".join(server.get(f"/v1/t/{key}").is_(200).body.decode().split()), row, f"what was not edited: {key}")
            go(tab, "/v1/t?aggregate=sum(n),max(n),min(id)")
            seen(tab, "static")
            exact(tab, "/v1/t?aggregate=sum(n),max(n),min(id)")
            check(str(2 ** 53 - 1 + 2 ** 53 + 9007199254740999) in tab.text("static"), f"the sum: {tab.text('static')}")
