"""How the console is entered: its files, its first paint, tokens, and what a page may never keep."""
import gzip
import json
import os
import re
import signal
import time

from cases_console import access, at, bearer, gone, has, seen, shows_ids
from chromium import browser, case
from harness import Server, check, folder, same, soon

EVERYTHING = {"admin": True, "types": {"*": {"read": True, "write": True}}}
READER = {"types": {"t": {"read": True}}}


@case("what the page of types loads is bounded, fast and asked for again by its tags")
def paint(context):
    with Server(context.binary) as server:
        server.put("/v1/t/1", {"n": 1})
        with browser().open("about:blank") as tab:
            browser().requests.clear()
            tab.go(f"{server.url}/#/types")
            seen(tab, "rows")
            files = [url for url, _ in browser().requests if url.startswith(server.url) and re.search(r"/$|\.(js|css|svg)$", url.split("#")[0])]
            check(len(files) > 10, f"files: {files}")
            bytes_of, tags = 0, {}
            for url in sorted({url.split("#")[0] for url in files}):
                path = url[len(server.url):]
                answer = server.get(path, Accept="text/html, */*;q=0.8").is_(200)
                packed = server.get(path, Accept="text/html, */*;q=0.8", Accept_Encoding="gzip, deflate, br").is_(200)
                bytes_of += len(packed.body)
                if path != "/":
                    same(gzip.decompress(packed.body), answer.body, f"the compressed form of {path}")
                    check(packed.header("ETag") != answer.header("ETag"), f"{path} has one ETag for two forms")
                same(answer.header("Cache-Control"), "no-cache", f"Cache-Control of {path}")
                same(answer.header("X-Content-Type-Options"), "nosniff", f"X-Content-Type-Options of {path}")
                same(answer.header("Cross-Origin-Resource-Policy"), "same-origin", f"Cross-Origin-Resource-Policy of {path}")
                same(server.get(path, Accept="text/html, */*;q=0.8", If_None_Match=answer.header("ETag")).status, 304, f"{path} again")
                tags[path] = answer.header("ETag")
            print(f"      Types loads {len(tags)} files, {bytes_of} bytes")
            check(bytes_of <= 90 << 10, f"Types loads {bytes_of} bytes")
            paints = []
            for _ in range(3):
                tab.go(f"{server.url}/livez")
                tab.go(f"{server.url}/#/types")
                tab.until("performance.getEntriesByName('first-contentful-paint').length === 1")
                paints.append(tab.run("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
            print(f"      first contentful paint: {', '.join(f'{one:.0f}' for one in paints)} ms")
            check(not os.environ.get("FRESHET_BARS") or min(paints) <= 300, f"first contentful paint: {paints} ms")


def words_of(tab):
    """Everything that a page keeps, but for the one place where the token may be."""
    return tab.run("""JSON.stringify([location.href, document.cookie, { ...localStorage }, history.state, document.documentElement.outerHTML,
        performance.getEntries().map(({ name }) => name), [...document.querySelectorAll('input')].map(({ value }) => value),
        Object.entries({ ...sessionStorage }).filter(([name]) => name !== 'freshet-token')])""")


@case("a token opens all tabs, stands in no address and no storage but the tab's own, and is taken from all at once", 401)
def tokens(context):
    with folder() as data:
        path = access(data, ("root", EVERYTHING), ("reader", READER))
        with Server(context.binary, None, "--config", str(path)) as server:
            server.ask("PUT", "/v1/t/1", {"n": 1}, bearer("root"))
            with at(server, "/v1/t") as one:
                seen(one, "sign-in")
                one.run("document.querySelector('[data-test=token]').focus()")
                one.type("reader-secret")
                one.press("Enter")
                gone(one, "sign-in")
                shows_ids(one, ["1"])
                with at(server, "/v1/t") as two:
                    shows_ids(two, ["1"])
                    check(not two.run(has("sign-in")), "a new tab asks nobody")
                    admin = server.ask("GET", "/v1/_live", headers=bearer("root")).is_(200)
                    same(admin.json["streams"], 1, "streams of two tabs")
                    for tab in (one, two):
                        check("reader-secret" not in words_of(tab), "the token is in the tab's own storage alone")
                    check(b"reader-secret" not in admin.body and "reader-secret" not in server.log_text(), "nor in lists and log")
                    check(all("reader-secret" not in url for url, _ in browser().requests), "nor in an address")
                    one.click("sign-out")
                    for tab in (one, two):
                        seen(tab, "sign-in")
                        same(tab.run("sessionStorage.getItem('freshet-token')"), None, "what is kept behind the end")
                        check("reader-secret" not in words_of(tab), "nothing is kept behind the end")
                    soon(lambda: server.ask("GET", "/v1/_live", headers=bearer("root")).json["streams"] == 0, "the end of the stream")


@case("a token that is revoked while a page is open is asked for again, and what was shown may be another's", 401)
def revoked(context):
    with folder() as data:
        path = access(data, ("root", EVERYTHING), ("reader", READER))
        with Server(context.binary, None, "--config", str(path)) as server:
            server.ask("PUT", "/v1/t/1", {"n": 1}, bearer("root"))
            with at(server, "/v1/t", before="sessionStorage.setItem('freshet-token', 'reader-secret')") as tab:
                shows_ids(tab, ["1"])
                access(data, ("root", EVERYTHING))
                server.signal(signal.SIGHUP)
                seen(tab, "sign-in")


# What is asked with this token is answered, but its answer comes to the page when `release` is called.
HELD = """sessionStorage.setItem('freshet-token', 'gone-secret'); globalThis.held = [];
    globalThis.release = () => Promise.all(held.splice(0).map((one) => one())); (() => {
        const plain = fetch;
        globalThis.fetch = async (input, init) => {
            const answer = await plain(input, init);
            if (new Headers(init?.headers).get('Authorization') === 'Bearer gone-secret') await new Promise((done) => held.push(done));
            return answer;
        };
    })();"""


@case("a refusal that comes when another tab has brought a new token asks nobody", 401)
def late_refusal(context):
    with folder() as data:
        path = access(data, ("root", EVERYTHING), ("reader", READER))
        with Server(context.binary, None, "--config", str(path)) as server:
            server.ask("PUT", "/v1/t/1", {"n": 1}, bearer("root"))
            browser().requests.clear()
            with at(server, "/v1/t", before=HELD) as late:
                late.until("held.length > 0")
                with at(server, "/v1/t") as other:
                    seen(other, "sign-in")
                    # Ten wrong tokens a minute are looked at: pages may not use them up by themselves.
                    asked = sum(1 for url, _ in browser().requests if url.endswith("/v1/_access/me"))
                    check(asked <= 3, f"each page asks once with a token, the second one also without: {asked}")
                    other.run("document.querySelector('[data-test=token]').focus()")
                    other.type("reader-secret")
                    other.press("Enter")
                    shows_ids(other, ["1"])
                late.until("sessionStorage.getItem('freshet-token') === 'reader-secret'")
                late.run("release().then(() => new Promise((done) => setTimeout(done, 300)))")
                shows_ids(late, ["1"])
                check(not late.run(has("sign-in")), "nobody is asked again")
                same(late.run("document.querySelector('#pill').textContent"), "live", "the pill")
                check("reader" in late.run("document.querySelector('header').textContent"), "who is asking")


@case("a server that knows the page's name no more says which member of the configuration has it", 421)
def refused_host(context):
    with folder() as data:
        path = data / "freshet.json"
        path.write_text(json.dumps({"hosts": ["localhost"]}))
        with Server(context.binary, None, "--config", str(path)) as server:
            server.put("/v1/t/1", {"n": 1})
            with browser().open(f"http://localhost:{server.port}/#/v1/t") as tab:
                shows_ids(tab, ["1"])
                tab.answer((r"/readyz|/v1", (421, {"type": "/problems/host-not-allowed", "code": "host-not-allowed", "status": 421,
                            "title": "no", "detail": "this server does not know 'localhost'"}, {"Content-Type": "application/problem+json"})))
                tab.run("location.reload()")
                tab.until("document.querySelector('#pill')?.textContent === 'host refused'", shows="document.querySelector('#pill')?.textContent")
                check("hosts" in tab.run("document.querySelector('#banners').textContent"), "the member is named")


@case("too many wrong tokens are told with the seconds to wait", 401, 429)
def rate(context):
    with folder() as data:
        path = access(data, ("root", EVERYTHING))
        with Server(context.binary, None, "--config", str(path)) as server, at(server, "/types") as tab:
            seen(tab, "sign-in")
            for _ in range(200):
                if server.get("/v1", Authorization="Bearer wrong").status == 429:
                    break
            else:
                check(False, "200 wrong tokens of one address are all looked at")
            tab.run("document.querySelector('[data-test=token]').focus()")
            tab.type("wrong")
            tab.press("Enter")
            tab.until("/again in \\d+ s/.test(document.querySelector('[data-test=token-fault]').textContent)",
                      shows="document.querySelector('[data-test=token-fault]').textContent")
            with at(server, "/types", before="sessionStorage.setItem('freshet-token', 'gone-too')") as late:
                seen(late, "sign-in")
