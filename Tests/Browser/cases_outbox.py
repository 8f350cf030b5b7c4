"""The console's Outbox: what others have yet to learn, by a remote that fails, refuses, waits and works."""
import json
import threading

from cases_console import access, arrive, at, draw, gone, has, reaches, seen
from chromium import browser, case
from harness import Server, check, folder, same, soon
from upstream import Upstream, serving


class Remote:
    """An upstream that answers by the id: `dead…` 503, `bad…` 422, `slow…` when it is let, else as it should."""

    def __init__(self):
        self.gate, self.isWell = threading.Event(), False

    def answer(self, request):
        name = request.path.rpartition("/")[2]
        if name.startswith("slow"):
            self.gate.wait(60)
        if name.startswith("bad"):
            return request.reply(422, {"why": "<b>no</b>"})
        if name.startswith("dead") and not self.isWell:
            return request.reply(503, {"why": "later"})
        request.reply(200, json.loads(request.body or b"{}"))

    @staticmethod
    def configuration(upstream):
        remote = {"get": {"path": "/{id}"}, "create": {"method": "PUT", "path": "/{id}"},
                  "update": {"method": "PUT", "path": "/{id}"}, "remove": {"method": "DELETE", "path": "/{id}"}}

        def retry(limit, pause):
            return {"base": upstream.base, "timeout": "60s", "retry": {"limit": limit, "backoff": {"exponential": pause, "jitter": False}}}
        return {"upstreams": {"near": retry(0, "20ms"), "far": retry(50, "600s")},
                "types": {"w": {"remote": {"upstream": "near", **remote}}, "far": {"remote": {"upstream": "far", **remote}}}}


def change(server, path, value=None):
    server.ask("PUT", f"/v1/{path}?target=both", value or {"n": 1}).is_(202)


def states(server):
    return sorted((entry["entity"], entry["state"]) for entry in server.get("/v1/_outbox").is_(200).json["items"])


def filled(server):
    """One entry of each state, two dead ones, and one that waits behind the first of these."""
    for name in ("dead-1", "dead-2", "bad-1", "ok-1", "slow-1"):
        change(server, f"w/{name}", {"n": 1, "text": "<img src=x>\u202e"})
    change(server, "far/dead-far")
    wanted = {("dead-1", "dead"), ("dead-2", "dead"), ("bad-1", "rejected"), ("ok-1", "done"), ("slow-1", "sending")}
    soon(lambda: wanted <= set(states(server)), "an entry of each state", 60)
    change(server, "w/dead-1", {"n": 2})
    soon(lambda: any(entry.get("nextAttemptAt") for entry in server.get("/v1/_outbox?state=pending").json["items"]), "a pause")


def shown(tab, test):
    return tab.run(f"[...document.querySelectorAll('[data-test={test}] [data-test=row]')].map((row) => [...row.children].map((cell) => cell.textContent))")


def count_of(tab, test, number):
    tab.until(f"document.querySelectorAll('[data-test={test}] [data-test=row]').length === {number}", shows="document.querySelector('main').textContent")


@case("outbox: dead, refused, waiting, blocked and ended entries; one and all of a code are tried again or given up")
def outbox(context):
    remote = Remote()
    with Upstream(remote.answer) as upstream, serving(context, remote.configuration(upstream)) as server:
        with at(server, "/outbox") as tab:
            check("target=both" in seen(tab, "empty"), "what makes an entry")
            filled(server)
            count_of(tab, "needs", 3)
            count_of(tab, "waits", 3)
            count_of(tab, "ended", 1)
            check(not tab.run(has("empty")), "the empty state has gone")
            same([row[0].strip("+") for row in shown(tab, "needs")], ["dead", "dead", "rejected"], "what needs a person")
            check("behind the dead" in seen(tab, "blocked"), "the entry that waits behind a dead one says so")
            same(tab.run("document.querySelectorAll('[data-test=blocked]').length"), 1, "entries that wait behind another")
            tab.until("document.querySelector('[data-test=dead-of]')?.textContent.startsWith('2 dead: upstream-status')", shows="document.querySelector('main').textContent")

            # One entry: what was sent, what the remote had, and who it waits for.
            entries = {(entry["entity"], entry["state"]): entry for entry in server.get("/v1/_outbox").json["items"]}
            arrive(tab, f"/outbox/{entries['dead-1', 'pending']['id']}", "outbox-entry")
            check("behind a dead entry" in seen(tab, "blocked"), "why it is not sent")
            same(tab.run("[...document.querySelectorAll('[data-test=values] .card')].map((card) => card.textContent.includes('n: '))"), [True, True], "before and body")
            arrive(tab, f"/outbox/{entries['bad-1', 'rejected']['id']}", "outbox-entry")
            tab.until("document.querySelector('[data-test=entry]').textContent.includes('<b>no</b>')", shows="document.querySelector('main').textContent")
            check(not tab.run(has("retry")), "a refused entry is not tried again")
            arrive(tab, f"/outbox/{entries['dead-2', 'dead']['id']}", "outbox-entry")
            tab.until("document.querySelector('[data-test=values] .unseen')?.textContent === 'U+202E'", shows="document.querySelector('main').textContent")
            check("<img src=x>" in tab.text("values"), "markup is text")
            tab.until(has("give-up"))
            tab.click("give-up")
            check("stays as it is here" in seen(tab, "confirm"), "what stays")
            tab.run("document.querySelector('[data-test=confirm] .danger').click()")
            seen(tab, "gone")
            same(server.get("/v1/w/dead-2").is_(200).json["n"], 1, "the entity stays")

            # All of a code, once the remote is well again.
            remote.isWell = True
            arrive(tab, "/outbox", "needs")
            tab.until(has("retry-all"))
            tab.click("retry-all")
            soon(lambda: ("dead-1", "dead") not in states(server), "it is tried again", 60)
            gone(tab, "dead-of")
            gone(tab, "blocked")
            # Of two changes that wait behind the one that is sent the last goes out.
            for number in (2, 3):
                change(server, "w/slow-1", {"n": number})
            remote.gate.set()
            soon(lambda: ("slow-1", "superseded") in states(server), "the one between", 60)
            tab.until("document.querySelector('[data-test=ended]').textContent.includes('superseded')", shows="document.querySelector('main').textContent")
            passed = next(entry for entry in server.get("/v1/_outbox").json["items"] if entry["state"] == "superseded")
            arrive(tab, f"/outbox/{passed['id']}", "outbox-entry")
            tab.until("document.querySelector('main').textContent.includes('superseded')", shows="document.querySelector('main').textContent")
            check(not tab.run(has("retry")), "what was passed over is not tried again")
            arrive(tab, "/outbox", "needs")
            tab.until("document.querySelector('[data-test=needs]').querySelectorAll('[data-test=row]').length === 1", shows="document.querySelector('main').textContent")

            # Giving up two asks for their number; the keys act on the row with the focus.
            remote.isWell = False
            change(server, "w/dead-3")
            change(server, "w/dead-4")
            count_of(tab, "needs", 3)
            tab.until("document.querySelector('[data-test=dead-of]')?.textContent.startsWith('2 dead')")
            tab.click("give-up-all")
            seen(tab, "typed-count")
            tab.run("document.querySelector('[data-test=typed-count]').focus()")
            tab.type("2")
            tab.press("Enter")
            count_of(tab, "needs", 1)
            tab.press("j")
            tab.press("Delete")
            check("refused" in seen(tab, "confirm"), "what giving up a refused one means")
            tab.press("Enter")
            count_of(tab, "needs", 0)
            # A filter holds for all three, and stands in the address.
            arrive(tab, "/outbox?filter=entity=='ok-1'", "ended")
            count_of(tab, "ended", 1)
            count_of(tab, "waits", 0)


@case("outbox: nobody to tell, no right, a faulty filter", 400, 403)
def outbox_states(context):
    with serving(context, {}) as server, at(server, "/outbox") as tab:
        tab.until("document.querySelector('[data-test=empty]')?.textContent.includes('No type has a remote')", shows="document.body.textContent")
        arrive(tab, "/outbox?filter=state=", "problem")
    with folder() as data, Server(context.binary, None, "--config", str(access(data, ("reader", {"types": {"*": {"read": True}}})))) as server, at(
            server, "/outbox", before="sessionStorage.setItem('freshet-token', 'reader-secret')") as tab:
        seen(tab, "forbidden")
        check("lacks" in tab.run("[...document.querySelectorAll('#rail .off')].map((one) => one.title).join()"), "the right that lacks")


@case("outbox: names, labels, headings, targets, contrast, in both themes and narrow; a picture")
def outbox_reach(context):
    remote = Remote()
    with Upstream(remote.answer) as upstream, serving(context, remote.configuration(upstream)) as server:
        filled(server)
        entry = server.get("/v1/_outbox?state=dead").json["items"][0]["id"]
        places = [("outbox", "/outbox", "blocked"), ("outbox-entry", f"/outbox/{entry}", "give-up")]
        with browser().open(f"{server.url}/#/types") as tab:
            for name, place, test in places:
                reaches(tab, name, place, test)
        draw(server, places)
        remote.gate.set()
