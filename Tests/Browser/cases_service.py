"""The console's pages of the server itself: Streams, Store, Metrics, Access, Configuration, Cluster."""
import contextlib
import hashlib
import json
import os
import signal
import time

from cases_console import access, arrive, at, draw, gone, has, reaches, seen, seeded
from chromium import browser, case
from cluster import Cluster, Engine
from harness import Server, check, folder, same, soon
from upstream import serving

MAIN = "document.querySelector('main').textContent"


def rows_of(tab, test="rows"):
    """The rows of a table by their ids, as texts of their cells."""
    return tab.run(f"Object.fromEntries([...document.querySelectorAll('[data-test={test}] [data-test=row]')].map((row) => [row.dataset.id, [...row.children].map((cell) => cell.textContent)]))")


@contextlib.contextmanager
def guarded(context, *flags, data=None, **sections):
    """A server with an administrator `root`, a reader, one who expires soon and one who has; answers it and its file."""
    with folder() as place:
        file = access(place, ("root", {"admin": True, "types": {"*": {"read": True, "write": True}}}),
                      ("reader", {"types": {"task": {"read": "done == false"}}}),
                      ("soon", {"types": {"task": {"read": True}}, "expires": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 5 * 86400))}),
                      ("old", {"types": {"*": {"read": True}}, "expires": "2020-01-01T00:00:00Z"}))
        file.write_text(json.dumps({**json.loads(file.read_text()), **sections}))
        with Server(context.binary, data, "--config", str(file), *flags) as server:
            yield server, file


def signed(name):
    return {"before": f"sessionStorage.setItem('freshet-token', '{name}-secret')"}


# Streams -----------------------------------------------------------------------------------------

@case("streams: who watches what; this console's own is marked; one is opened, and another is closed", 403)
def streams(context):
    with guarded(context) as (server, _):
        root = {"Authorization": "Bearer root-secret"}
        for n in range(3):
            server.ask("PUT", f"/v1/task/{n}", {"n": n, "done": False, "text": "<i>"}, root)
        with server.watch("/v1/task?filter=text%20==%20'%3Ci%3E'&live=delta", headers={"Accept": "text/event-stream", **root}) as stream, at(server, "/streams", **signed("root")) as tab:
            stream.until("snapshot")
            seen(tab, "own")
            tab.until(f"{MAIN}.includes('/v1/task?filter=text')", shows=MAIN)
            rows = rows_of(tab)
            same(len(rows), 2, f"streams: {rows}")
            other = next(key for key, cells in rows.items() if "this console" not in cells[0])
            same(rows[other][1:3], ["root", "127.0.0.1"], "caller and address")
            check("/v1/task?filter=text+==+\"<i>\"" in rows[other][6].replace("%20", "+"), f"the query as text: {rows[other]}")
            # How fast it is told from two samples of this page, not before.
            tab.until(f"/ K?B$/.test(document.querySelector('[data-id=\"{other}\"]').children[5].textContent)", shows=MAIN)
            tab.run(f"document.querySelector('[data-id=\"{other}\"]').click()")
            check("delta" in seen(tab, "queries"), "how it is sent")
            tab.run("document.querySelector('[data-test=queries] a').click()")
            tab.until("location.hash.startsWith('#/v1/task?') && document.querySelectorAll('[data-test=rows] [data-test=row]').length === 3", shows="document.body.textContent")
            arrive(tab, "/streams", "own")
            tab.until(f"!!document.querySelector('[data-id=\"{other}\"]')")
            tab.run(f"document.querySelector('[data-id=\"{other}\"]').click(); document.querySelector('[data-id=\"{other}\"]').focus()")
            tab.press("Delete")
            check("token 'root'" in seen(tab, "confirm"), "who is closed")
            tab.press("Enter")
            same(stream.until("bye")[2]["reason"], "closed", "the reason")
            tab.until(f"!document.querySelector('tr[data-id=\"{other}\"]:not(.left)')", shows=MAIN)
        with server.watch("/v1/_streams?filter=id==%22own-abc%22&live=delta", headers={"Accept": "text/event-stream", **root}) as beacon, at(server, "/streams", **signed("root")) as tab:
            beacon.until("snapshot")
            seen(tab, "own")
            tab.until("document.querySelectorAll('tbody tr').length === 2", shows=MAIN)
            same([cells[6] for cells in rows_of(tab).values() if "this console" not in cells[0]], ["none"], "what another console asks to find itself is no query")
        with at(server, "/streams", **signed("reader")) as tab:
            seen(tab, "forbidden")


# Configuration -----------------------------------------------------------------------------------

SECRETS = ["header-secret-1", "client-secret-2", "refresh-secret-3", "literal-secret-4"]


@case("configuration: settings with their origins, a refused reload with its pointers, members that wait; no secret anywhere", 403)
def configuration(context):
    names = ["CONSOLE_KEY", "CONSOLE_CLIENT", "CONSOLE_REFRESH"]
    os.environ.update(zip(names, SECRETS))
    key, client, refresh = ({"env": name} for name in names)
    upstreams = {"api": {"base": "http://127.0.0.1:9", "headers": {"X-Key": key, "X-Team": SECRETS[3]},
                         "credential": {"type": "oauth2", "tokenURL": "http://127.0.0.1:9/t", "clientId": "c", "clientSecret": client, "grant": "refresh_token", "refreshToken": refresh}}}
    with guarded(context, "--log-level", "warning", upstreams=upstreams, limits={"results": 9000}) as (server, file), at(server, "/configuration", **signed("root")) as tab:
        seen(tab, "settings")
        names = tab.run("[...document.querySelectorAll('[data-test=setting]')].map((row) => [row.dataset.id, row.children[2].textContent])")
        changed = [name for name, origin in names if origin != "default"]
        same([name for name, _ in names[:len(changed)]], changed, "changed ones come first")
        same({name: origin.split()[0] for name, origin in names if origin != "default"}, {"listen": "flag", "memory": "flag", "log.level": "flag", "limits.results": "file"}, "where they come from")
        check(tab.text("reload").startswith("It was not read again"), "no reload yet")
        tab.run("document.querySelector('[data-test=find]').focus()")
        tab.type("limits.results")
        tab.until("document.querySelectorAll('[data-test=setting]').length === 1", shows=MAIN)
        same(tab.run("location.hash"), "#/configuration?_find=limits.results", "the address")
        arrive(tab, "/configuration", "section")
        tab.until("document.querySelectorAll('[data-test=setting]').length > 20")

        held = json.loads(file.read_text())
        file.write_text(json.dumps({**held, "types": {"task": {"nonsense": 1}}}))
        server.signal(signal.SIGHUP)
        tab.until("document.querySelector('[data-test=reload]').textContent.includes('/types/task/nonsense')", shows=MAIN)
        check("was refused" in tab.text("reload") and str(file) in tab.text("reload"), "the file")
        file.write_text(json.dumps({**held, "limits": {"results": 8000}}))
        server.signal(signal.SIGHUP)
        tab.until("document.querySelector('[data-test=reload]').textContent.includes('wait for a restart')", shows=MAIN)

        tab.run("for (let more = true; more;) { more = false; for (const one of document.querySelectorAll('details:not([open])')) { one.open = true; more = true; } }")
        tab.run("new Promise((done) => setTimeout(done, 300))")
        tab.run("for (const one of document.querySelectorAll('details:not([open])')) one.open = true")
        page = tab.run("document.documentElement.outerHTML")
        digests = [hashlib.sha256(f"{name}-secret".encode()).hexdigest() for name in ("root", "reader", "soon", "old")]
        for secret in [*SECRETS, *digests, "root-secret"]:
            check(secret not in page, f"{secret} stands in the page")
        check("***" in page and "clientSecret" in page, "what is masked is told")
        with at(server, "/configuration", **signed("reader")) as other:
            check("administration" in seen(other, "partly"), "the right that lacks")
            check(not other.run(has("settings")), "settings are not shown")


# Store -------------------------------------------------------------------------------------------

def files_of(tab):
    return tab.run("Object.fromEntries([...document.querySelectorAll('[data-test=file]')].map((row) => [row.dataset.id, row.dataset.state]))")


@case("store: files as they lie on the disk; compacted, scrubbed, backed up; a damaged file is told; states; in memory", 503)
def store(context):
    with folder() as data, Server(context.binary, data) as server:
        for n in range(20):
            server.put(f"/v1/task/{n}", {"n": n})
        with at(server, "/store") as tab:
            check("All of its commits are durable" in seen(tab, "sentence"), "durability in a sentence")
            check("unknown before ten minutes" in tab.text("full-in"), "no guess of when the disk is full")
            check("None since the start" in tab.text("last-backup"), "no backup is known")
            same(sorted(files_of(tab)), sorted(one.name for one in data.iterdir() if one.name.startswith(("log-", "snap-", "MANIFEST"))), "files")
            tab.click("compact")
            tab.until("[...document.querySelectorAll('[data-test=file]')].some((row) => row.dataset.id.startsWith('snap-') && row.dataset.state === 'good')", shows=MAIN)
            same(tab.run("document.querySelectorAll('[data-test=files-drawn] rect').length"), len(files_of(tab)), "files that are drawn")
            server.get("/v1/_backup").is_(200)
            tab.until("document.querySelector('[data-test=last-backup]').textContent.includes('done')", shows=MAIN)
            snapshot = next(one for one in data.iterdir() if one.name.startswith("snap-"))
            whole = snapshot.read_bytes()
            snapshot.write_bytes(whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:])
            tab.click("scrub")
            tab.until(f"{has('aside')} || {has('damaged')}", shows=MAIN)
            tab.until("document.querySelector('[data-test=scrub-report] .bad')?.textContent === '1'", shows=MAIN)

            # States that take a broken disk: the same page over changed answers.
            report = server.get("/v1/_store").is_(200).json
            for state in ("low", "full", "failed"):
                tab.answer((r"/v1/_store$", (200, {**report, "state": state, "reason": "<b>no space</b>"}, {"Content-Type": "application/json"})))
                check("<b>no space</b>" in seen(tab, f"store-{state}"), "the reason")
                seen(tab, "reopen")
            running = {**report, "backup": {**report["backup"], "running": 1}, "memoryErrors": 2, "files": [{**one, "verifiedAt": None, "state": "unread"} for one in report["files"]],
                       "scrub": {**report["scrub"], "running": {"file": "log-1", "done": 5, "all": 10}}, "snapshot": {**report["snapshot"], "running": {"percent": 40}}}
            tab.answer((r"/v1/_store$", (200, running, {"Content-Type": "application/json"})))
            for test in ("backup-running", "memory-errors", "unverified"):
                seen(tab, test)
            check("40 %" in tab.text("snapshot") and "5 B of 10 B" in tab.text("scrub-report"), "what runs")
            damaged = {**report, "files": [{**one, "state": "damaged"} for one in report["files"]]}
            tab.answer((r"/v1/_store$", (200, damaged, {"Content-Type": "application/json"})))
            seen(tab, "damaged")
            tab.answer((r"/v1/_store$", (503, {"code": "recovering", "detail": "the server reads its data"}, {"Content-Type": "application/problem+json"})))
            check("reads its data" in seen(tab, "problem"), "what failed stays beside what was read last")
            tab.answer()
            gone(tab, "problem")
    with Server(context.binary) as server, at(server, "/store") as tab:
        check("in memory" in seen(tab, "memory"), "what a memory store means")
        check(not tab.run(has("files")) and not tab.run(has("compact")), "it has no files")


# Access ------------------------------------------------------------------------------------------

def judged(tab, token, act, type_, id_="", entity=""):
    """What the page says of a question: its verdict, and each rule."""
    tab.run(f"""(() => {{
        const values = {json.dumps({"check-token": token, "check-act": act, "check-type": type_, "check-id": id_, "check-entity": entity})};
        for (const [test, value] of Object.entries(values)) document.querySelector(`[data-test=${{test}}]`).value = value;
        document.querySelector('[data-test=checked]').replaceChildren();
        document.querySelector('[data-test=check]').click();
    }})()""")
    tab.until(f"{has('verdict')} || !!document.querySelector('[data-test=checked] [data-test=problem]')", shows=MAIN)
    return tab.text("checked")


@case("access: who I am, tokens, soon expiring and expired ones; what is checked is what a request then gets", 400, 404, 422)
def access_page(context):
    with guarded(context) as (server, file):
        root = {"Authorization": "Bearer root-secret"}
        for n, done in ((1, False), (2, True)):
            server.ask("PUT", f"/v1/task/{n}", {"n": n, "done": done}, root)
        with at(server, "/access", **signed("root")) as tab:
            seen(tab, "rights")
            tab.until("document.querySelectorAll('[data-test=rows] [data-test=row]').length >= 3", shows=MAIN)
            rows = rows_of(tab)
            check("expired" in rows["old"][4] and "soon" in rows["soon"][4] and rows["root"][2] == "yes", f"tokens: {rows}")
            for token, id_ in (("reader", "1"), ("reader", "2"), ("reader", "9"), ("root", "1"), ("", "1")):
                headers = {"Authorization": f"Bearer {token}-secret"} if token else {}
                status = server.ask("GET", f"/v1/task/{id_}", headers=headers).status
                said = judged(tab, token, "read", "task", id_)
                check(f"gets {status}." in said, f"{token} {id_}: {status}, the page says {said}")
            said = judged(tab, "reader", "read", "task", "2")
            check("done == false" in said and "does not hold" in said and tab.run(has("node")), f"the rule and its parts: {said}")
            check("some rows" in judged(tab, "reader", "read", "task"), "without an id a rule decides")
            check("refused" in judged(tab, "reader", "write", "task", "1", '{"n": 1.00}'), "no right to write")
            check("it has expired" in judged(tab, "old", "read", "task", "1"), "an expired token")
            check("not-found" in judged(tab, "ghost", "read", "task", "1"), "an unknown token")
            judged(tab, "reader", "write", "task", "1", '{"n":')
            check(tab.run("!!document.querySelector('[data-test=checked] [data-test=problem]')"), "a faulty entity")
            tab.run("document.querySelector('[data-test=new-name]').value = \"it's\"; document.querySelector('[data-test=new-name]').dispatchEvent(new Event('input')); 0")
            same(tab.text("new-command"), "freshet token new 'it'\\''s'", "the command")
            page = tab.run("document.documentElement.outerHTML")
            for name in ("root", "reader", "soon", "old"):
                check(hashlib.sha256(f"{name}-secret".encode()).hexdigest() not in page and f"{name}-secret" not in page, "a secret stands in the page")
        with at(server, "/access", **signed("reader")) as tab:
            check("by a rule" in seen(tab, "rights"), "own rights")
            check(not tab.run(has("check")) and not tab.run(has("rows")), "the first part alone")
    with Server(context.binary) as server, at(server, "/access") as tab:
        check("everybody" in seen(tab, "open-server"), "an open server says so")


# Metrics -----------------------------------------------------------------------------------------

STATE = "(name) => document.querySelector(`[data-chart=${name}]`).dataset.state"
FIGURES = "(name) => Object.fromEntries([...document.querySelectorAll(`[data-chart=${name}] tbody tr[data-series]`)].map((row) => [row.dataset.series, [...row.children].slice(1).map((cell) => cell.textContent)]))"


@case("metrics: the first sample pends, figures are those of the server, a restart is a gap with a mark, what is not told is said", "lost", 401, 503)
def metrics(context):
    with folder() as data:
        with Server(context.binary, data) as server, at(server, "/metrics") as tab:
            seen(tab, "chart")
            same(tab.run("document.querySelectorAll('[data-test=chart]').length"), 12, "figures")
            if tab.text("status").startswith("1 sample"):
                same(tab.run(f"({STATE})('requests')"), "pending", "one sample is no rate")
                same(tab.run(f"({STATE})('memory')"), "shown", "one sample is a size")
            for n in range(20):
                server.put(f"/v1/task/{n}", {"n": n})
            tab.until(f"({FIGURES})('requests').write?.[2] > '0'", shows=MAIN)
            check(tab.run(f"({FIGURES})('commits').all[2] !== '0'"), "commits")
            tab.until(f"/≤ .* [mµ]s/.test(({FIGURES})('sync').p99?.[2])", shows=MAIN)
            tab.until("document.querySelector('[data-chart=upstreams]').textContent.includes('There are no upstreams.')", shows=MAIN)
            memory = tab.run(f"({FIGURES})('memory').all[0]")
            check(memory.endswith(" MB") and 1 < float(memory.split()[0]) < 500, f"memory: {memory}")
            tab.run("document.querySelector('[data-chart=commits] details').open = true")
            seen(tab, "samples")
            port = server.port
            server.stop()
            seen(tab, "problem")
            same(tab.run("document.querySelectorAll('[data-test=chart]').length"), 12, "what was sampled stays")
            with Server(context.binary, data, port=port) as again:
                tab.until(f"({STATE})('commits') === 'reset'", 60, shows=MAIN)
                check("begun anew" in tab.run("document.querySelector('[data-chart=commits]').textContent"), "the mark")
                text = again.get("/metrics").body.decode()
                lines = [line for line in text.splitlines() if not line.startswith(("process_open_fds", "freshet_live_lag", "# "))]
                tab.answer((r"/metrics$", (200, "\n".join(lines), {"Content-Type": "text/plain"})))
                tab.until(f"({STATE})('files') === 'missing' && ({STATE})('lag') === 'missing'", shows=MAIN)
                check("does not tell: process_open_fds" in tab.run("document.querySelector('[data-chart=files]').textContent"), "what is missing")
                tab.answer()
    with guarded(context) as (server, _), at(server, "/metrics") as tab:
        seen(tab, "sign-in")


# Cluster -----------------------------------------------------------------------------------------

@case("cluster: who leads and who lags, and the lead handed over; a server that stands alone has no such page", 404, 409, 503)
def cluster(context):
    with Server(context.binary) as server, at(server, "/cluster") as tab:
        check("stands alone" in seen(tab, "problem"), "why there is none")
        check(not tab.run("[...document.querySelectorAll('#rail a')].some((one) => one.hash === '#/cluster')"), "it is not in the rail")
    os.environ["CONSOLE_CLUSTER"] = "cluster-secret-of-32-characters-5"
    with folder() as place, Engine(place) as engine:
        # What a page orders goes from a follower to the leader, which takes the follower's word for where it comes from.
        (place / "c.json").write_text(json.dumps({"cluster": {"secret": {"env": "CONSOLE_CLUSTER"}}}))
        handed_over(context, place, engine)


def handed_over(context, place, engine):
    with Cluster(context.binary, engine, place, 2, "--config", str(place / "c.json")) as servers:
        leader = servers.leader()
        follower = 1 - leader
        soon(lambda: len(servers.state(leader)["replicas"]) == 2, "both are known", 60)
        with at(servers.servers[follower], "/cluster") as tab:
            seen(tab, "replicas")
            tab.until("document.querySelectorAll('[data-test=replica]').length === 2", shows=MAIN)
            tab.until("[...document.querySelectorAll('#rail a')].some((one) => one.hash === '#/cluster')")
            shown = tab.run("Object.fromEntries([...document.querySelectorAll('[data-test=replica]')].map((row) => [row.dataset.id, row.children[1].textContent.trim()]))")
            same(shown, {"ab"[leader]: "leader", "ab"[follower]: "follower"}, "roles")
            tab.click("hand-over")
            check("ab"[follower] in seen(tab, "confirm"), "to whom")
            tab.run("document.querySelector('[data-test=confirm] .danger').click()")
            tab.until(f"document.querySelector('[data-test=replica][data-id={'ab'[follower]}]')?.children[1].textContent.trim() === 'leader'", 60, shows=MAIN)
            reaches(tab, "cluster", "/cluster", "replicas")
            draw(servers.servers[follower], [("cluster", "/cluster", "replicas")])


# For everybody -----------------------------------------------------------------------------------

PLACES = [("streams", "/streams", "own"), ("configuration", "/configuration", "settings"), ("metrics", "/metrics", "chart"), ("store", "/store", "sentence"), ("access", "/access", "rights")]


@case("pages of the server: names, labels, headings, targets, contrast, in both themes and narrow; a picture")
def service_reach(context):
    with folder() as data, serving(context, {"limits": {"results": 9000}}, data=data) as server:
        seeded(server)
        server.ask("POST", "/v1/_store/compact").is_(200)
        with browser().open(f"{server.url}/#/types") as tab:
            for name, place, test in PLACES:
                reaches(tab, name, place, test)
        draw(server, PLACES)


@case("pages of the server: reload, back and a pasted address restore what was shown, and keys lead to each")
def service_links(context):
    with guarded(context) as (server, _):
        views = [("Configuration", "/configuration?_find=limits.results", "document.querySelectorAll('[data-test=setting]').length === 1"),
                 ("Streams", "/streams?order=-bytes", "document.querySelector('thead [aria-sort=descending]')?.dataset.name === 'bytes'"),
                 ("Access", "/access?filter=id=='reader'&_sel=reader", "!!document.querySelector('[data-test=drawer]') && document.querySelectorAll('[data-test=rows] [data-test=row]').length === 1"),
                 ("Outbox", "/outbox?filter=state=='dead'", "document.querySelector('[data-test=list-filter]').value === \"state=='dead'\""),
                 ("Store", "/store", has("sentence")), ("Metrics", "/metrics", has("chart"))]
        with at(server, "/types", **signed("root")) as tab:
            for title, place, shown in views:
                title = f"document.querySelector('h1')?.textContent === '{title}'"
                tab.run(f"location.hash = {json.dumps(place)}")
                tab.until(f"{title} && {shown}", shows="document.body.textContent")
                tab.call("Page.reload")
                tab.until(f"document.readyState === 'complete' && {title} && {shown}", shows="document.body.textContent")
                tab.run("location.hash = '/types'")
                tab.until("document.querySelector('h1')?.textContent === 'Types'")
                tab.run("history.back()")
                tab.until(f"{title} && {shown}", shows="document.body.textContent")
            for key, title in (("b", "Outbox"), ("s", "Streams"), ("d", "Store"), ("m", "Metrics"), ("a", "Access"), ("k", "Configuration")):
                tab.run("document.activeElement.blur()")
                tab.press("g")
                tab.press(key)
                tab.until(f"document.querySelector('h1')?.textContent === '{title}'", shows="document.body.textContent")
