"""What goes out: quiet event streams of upstreams (CPU time, memory) and fetches through the program.

A stream is that of an operation whose controller follows it; the upstream says one comment and no more.
The memory of a stream is that of 1,000 operations with a stream each, less that of 1,000 operations of
which one has a stream. Run as a program, this file is the upstream: `outgoing.py STREAMS [CERTIFICATE KEY]`.
"""
import asyncio
import json
import pathlib
import resource
import ssl
import subprocess
import sys
import time

# CPU seconds in ten; the upper bound for so many streams.
IDLE = {1: 0.05, 100: 0.05, 1_000: 0.1}
STREAMS = 1_000
CALLERS = 64


def upstream(count, files):
    opened = 0

    async def serve(reader, writer):
        nonlocal opened
        try:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n: quiet\n\n")
            await writer.drain()
            opened += 1
            if opened == count:
                print("OPEN", flush=True)
            await reader.read()
        # A probe, or a server that has ended.
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def run():
        context = None
        if files:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*files)
        listener = await asyncio.start_server(serve, "127.0.0.1", 0, backlog=4096, ssl=context)
        print(f"PORT {listener.sockets[0].getsockname()[1]}", flush=True)
        await listener.serve_forever()

    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    asyncio.run(run())


if __name__ == "__main__":
    upstream(int(sys.argv[1]), sys.argv[2:])
    sys.exit()

from harness import Server, free_port, plain, say


class Outgoing:
    def __init__(self, bench):
        self.bench = bench

    def server(self, configuration):
        file = pathlib.Path(self.bench.folder) / "outgoing.json"
        file.write_text(json.dumps(configuration))
        return Server([self.bench.binary, "serve", "--config", file, "--memory", "--listen", "127.0.0.1:0"],
                      announced=r"http://127\.0\.0\.1:(\d+)")

    def following(self, streams, operations=0, files=(), roots=None):
        """A server that follows so many quiet streams, and how to end it with its upstream."""
        quiet = Server([sys.executable, __file__, streams, *files], announced=r"PORT (\d+)")
        base = f"{'https' if files else 'http'}://127.0.0.1:{quiet.port}"
        settings = {"base": base, **({"tls": {"roots": str(roots)}} if roots else {})}
        reduce = [{"on": "*", "do": "ignore"}]
        controllers = lambda n: [{"sse": {"upstream": "quiet", "path": f"/{n}"}, "attach": "always", "reduce": reduce}]
        server = self.server({"upstreams": {"quiet": settings}, "operations": {
            f"o{n}": {"type": "t", **({"controllers": controllers(n)} if n < streams else {})}
            for n in range(max(streams, operations))}})
        if quiet.process.stdout.readline() != b"OPEN\n":
            raise SystemExit("the streams did not open")
        time.sleep(2)
        return server, lambda: (server.stop(), quiet.stop())

    def quietstreams(self):
        if not self.bench.binary:
            return
        for count, limit in IDLE.items():
            server, end = self.following(count)
            before = server.cpu()
            time.sleep(10)
            spent = server.cpu() - before
            end()
            say(f"quietstreams {count:,}: {spent:.2f} CPU s in 10 s")
            plain(f"{count:,} quiet event stream{'s' if count > 1 else ''} of an upstream, CPU in 10 s", f"≤ {limit} s", f"{spent:.2f} s", spent <= limit)

    def certificate(self):
        """The files of a certificate for 127.0.0.1 that is its own authority, and of its key."""
        folder = pathlib.Path(self.bench.folder)
        files = folder / "quiet.pem", folder / "quiet.key"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                        "-subj", "/CN=quiet", "-addext", "subjectAltName=IP:127.0.0.1", "-out", files[0], "-keyout", files[1]],
                       check=True, capture_output=True)
        return files

    def streammemory(self):
        if not self.bench.binary:
            return
        files = self.certificate()
        for name, limit, settings in [("plain", 30, {}), ("TLS", 80, {"files": files, "roots": files[0]})]:
            figures = []
            for streams in (1, STREAMS):
                server, end = self.following(streams, STREAMS, **settings)
                figures.append(server.memory() / 1024)
                end()
            taken = (figures[1] - figures[0]) / (STREAMS - 1)
            say(f"streammemory {name}: {STREAMS:,} operations with one stream {figures[0] / 1024:.1f} MiB, with one each {figures[1] / 1024:.1f} MiB")
            plain(f"memory of a quiet event stream of an upstream, {name}", f"≤ {limit} KiB", f"{taken:.1f} KiB", taken <= limit)

    def fetches(self):
        """Each request is a fetch of its own, of 300 bytes."""
        if not self.bench.binary:
            return
        folder, port = self.bench.directory("origin"), free_port()
        (folder / "conf").write_text(f"""
daemon off; master_process on; worker_processes 1; pid {folder}/pid; error_log /dev/null crit;
events {{ worker_connections 1000; }}
http {{ access_log off; keepalive_requests 1000000000; tcp_nodelay on;
  client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3; uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
  server {{ listen 127.0.0.1:{port}; location ~ ^/t/(.+)$ {{ default_type application/json; return 200 '{{"id":"$1","text":"{"x" * 270}"}}'; }} }} }}
""")
        origin = Server(["nginx", "-p", folder, "-c", folder / "conf"], port=port)
        server = self.server({
            "upstreams": {"origin": {"base": f"http://127.0.0.1:{port}", "maxConcurrent": CALLERS}},
            "types": {"t": {"remote": {"upstream": "origin", "get": {"path": "/t/{id}"}}}}})
        paths = pathlib.Path(self.bench.folder) / "fetches"
        paths.write_text("".join(f"/v1/t/{n}?source=remote\n" for n in range(2_000)))
        figures = self.bench.interleaved("fetches", {"freshet": lambda: self.bench.wrk(server, CALLERS, "get.lua", paths, 1)})["freshet"]
        server.stop()
        origin.stop()
        plain("fetches of 300 bytes through the program, 64 at a time, server CPU per 100,000", "≤ 13 s (0.35 × URLSession's 38 s)",
              f"{figures['cpu']:.1f} s ({figures['rate']:,.0f}/s)", figures["cpu"] <= 13)
