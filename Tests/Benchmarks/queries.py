"""The queries beside PostgreSQL, SQLite and grep: the rows from `indexed` to `querymemory`.

Two sets of data: the packages as they are, and 1,000,000 entities of about 300 bytes made from them
with new ids (`--quick`: 100,000). Short queries are asked by wrk and pgbench over 16 connections and
compared by queries per CPU second of the server, all its processes counted; scans are asked one after
the other over one connection and compared by rows per CPU second.
"""
import http.client
import json
import os
import pathlib
import random
import re
import resource
import shutil
import sqlite3
import statistics
import subprocess
import time
import urllib.parse

from harness import TICK, Server, free_port, pinned, plain, ratio, rows, say

TOOLS = {"sqlite3": "sqlite3", "pgbench": "postgresql-15", "setpriv": "util-linux", "grep": "grep"}
# Three, as the bar of the memory has it; the third also answers section and order in one.
INDEXES = ["priority", "installedSize", ["section", "-installedSize"]]
FILTER = "size>2000000 and architecture=='amd64'"
FEW = "size>50000000 and architecture=='all'"
PATTERN = "lib.*ssl[0-9]"
ROOTS, COMMENTS, PEOPLE = 100, 900, 100


def path(type_, **parameters):
    return f"/v1/{type_}?" + urllib.parse.urlencode(parameters)


class Postgres(Server):
    """A cluster of its own on CPU 0, run by the user postgres where the bench is root's."""

    def __init__(self, folder):
        self.bin = next(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))
        self.user, self.folder = None, folder
        if os.geteuid() == 0:
            self.user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
            shutil.chown(folder, "postgres", "postgres")
            folder.parent.chmod(0o711)
        subprocess.run([*(self.user or []), self.bin / "initdb", "-D", folder / "base", "-U", "bench", "-A", "trust", "-E", "UTF8", "--locale=C"],
                       check=True, stdout=subprocess.DEVNULL, cwd="/")
        port = free_port()
        # One core: no parallel workers. The whole set fits the buffers, as it fits the program's memory.
        settings = {"listen_addresses": "127.0.0.1", "port": port, "unix_socket_directories": folder, "shared_buffers": "2GB",
                    "work_mem": "64MB", "max_parallel_workers_per_gather": 0, "fsync": "off", "autovacuum": "off"}
        flags = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        super().__init__([*(self.user or []), self.bin / "postgres", "-D", folder / "base", *flags], port=port, seconds=60)
        self.reach = ["-h", "127.0.0.1", "-p", str(port), "-U", "bench", "-d", "postgres"]

    def cpu(self):
        """CPU seconds of the tree, ended back ends included."""
        total = 0
        for process in self.tree():
            try:
                fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            total += sum(int(f) for f in fields[11:15])
        return total / TICK

    def sql(self, text, **more):
        # A server that has just begun to listen may still say that it starts up.
        for _ in range(50):
            done = subprocess.run(pinned(1, "psql", *self.reach, "-qAtX", "-v", "ON_ERROR_STOP=1", "-c", text), capture_output=True, text=True, **more)
            if "starting up" not in done.stderr:
                break
            time.sleep(0.1)
        if done.returncode:
            raise SystemExit(f"psql: {done.stderr[-500:]}")
        return done.stdout

    def load(self, table, file):
        self.sql(f"create table {table} (id text primary key, doc jsonb)")
        with open(file) as lines:
            # Text format: backslashes are doubled; the packages hold no tabs.
            feed = subprocess.Popen(pinned(1, "psql", *self.reach, "-qX", "-c", f"copy {table} from stdin"), stdin=subprocess.PIPE, text=True)
            for line in lines:
                text = line.rstrip("\n")
                feed.stdin.write(json.loads(text)["id"] + "\t" + text.replace("\\", "\\\\") + "\n")
            feed.stdin.close()
            if feed.wait():
                raise SystemExit("PostgreSQL did not take the packages")
        self.sql(f"create index on {table} ((doc->>'section'), ((doc->>'installedSize')::bigint) desc, id)")
        self.sql(f"vacuum analyze {table}")

    def pgbench(self, script, seconds, clients):
        """Queries a CPU second of the server, and queries a second."""
        file = self.folder / "script"
        file.write_text(script)
        processes, before = len(self.tree()), self.cpu()
        done = subprocess.run(pinned(1, "pgbench", *self.reach[:-2], "-n", "-M", "prepared", "-c", clients, "-j", 1, "-T", seconds, "-f", file, "postgres"),
                              capture_output=True, text=True)
        found = re.search(r"actually processed: (\d+)", done.stdout)
        if done.returncode or not found:
            raise SystemExit(f"pgbench: {done.stdout}{done.stderr}")
        # A back end's time is its parent's once it has been waited for.
        for _ in range(100):
            if len(self.tree()) <= processes:
                break
            time.sleep(0.02)
        count, spent = int(found.group(1)), self.cpu() - before
        return {"rate": float(re.search(r"tps = ([\d.]+)", done.stdout).group(1)), "percpu": count / max(spent, 1 / TICK)}


class Queries:
    """The rows; loads each set once, where a row first asks for it."""

    def __init__(self, bench):
        self.bench = bench
        self.held = {}

    def once(self, name, make):
        if name not in self.held:
            self.held[name] = make()
        return self.held[name]

    # Data -------------------------------------------------------------------------------------

    def many(self):
        """The large set: packages cut to about 300 bytes, repeated with new ids."""
        def make():
            count = 100_000 if self.bench.options.quick else 1_000_000
            file = self.bench.folder / "queries.ndjson"
            bodies = []
            for line in open(self.bench.packages):
                entity = json.loads(line)
                kept = {k: entity[k] for k in ("version", "section", "priority", "architecture", "installedSize", "size", "maintainer", "source", "summary") if k in entity}
                kept["depends"] = []
                for name in entity.get("depends", []):
                    if len(json.dumps(kept, separators=(",", ":"))) + len(name) > 285:
                        break
                    kept["depends"].append(name)
                bodies.append(json.dumps(kept, separators=(",", ":"), ensure_ascii=False)[1:])
            with open(file, "w") as out:
                for n in range(count):
                    out.write(f'{{"id":"e{n}",{bodies[n % len(bodies)]}\n')
            say(f"queries    {count:,} entities of {file.stat().st_size // count} bytes")
            return file, count
        return self.once("many", make)

    def sets(self):
        file, count = self.many()
        return {f"{count:,}": (file, count), f"{self.bench.count:,}": (self.bench.packages, self.bench.count)}

    def freshet(self, name):
        """A memory store: the set with three indexes as `package`, of one set only what a row needs."""
        def make():
            server = self.start({"package": {"indexes": INDEXES}})
            self.bench.load(server, "package", self.sets()[name][0])
            return server
        return self.once(f"freshet {name}", make)

    def start(self, types):
        file = self.bench.directory("config") / "freshet.json"
        file.write_text(json.dumps({"types": types}))
        return Server([self.bench.binary, "serve", "--listen", "127.0.0.1:0", "--memory", "--config", file], announced=r"listening on http://127\.0\.0\.1:(\d+)", seconds=60)

    def postgres(self, name):
        def make():
            server = self.once("postgres", lambda: Postgres(self.bench.directory("postgres")))
            server.load(table(name), self.sets()[name][0])
            return server
        return self.once(f"postgres {name}", make)

    def sqlite(self, name):
        def make():
            file = self.bench.folder / f"{table(name)}.sqlite"
            base = sqlite3.connect(file)
            base.execute("create table entity (id text primary key, doc text)")
            with open(self.sets()[name][0]) as lines:
                base.executemany("insert into entity values (?, ?)", ((json.loads(line)["id"], line.rstrip("\n")) for line in lines))
            base.commit()
            base.close()
            return file
        return self.once(f"sqlite {name}", make)

    def summaries(self, name):
        def make():
            file = self.bench.folder / f"{table(name)}.summaries"
            with open(file, "w") as out:
                for line in open(self.sets()[name][0]):
                    out.write(json.loads(line).get("summary", "").replace("\n", " ") + "\n")
            return file
        return self.once(f"summaries {name}", make)

    def end(self):
        for held in list(self.held.values()):
            if isinstance(held, Server):
                held.stop()
        self.held.clear()

    # Asking -----------------------------------------------------------------------------------

    def built(self, server, target, bar, limit):
        """Whether the program answers `target`; a row for a feature that it lacks says so."""
        if not self.bench.binary:
            return False
        status, text = get(server, target)
        if status == 501:
            rows.append((bar, limit, "not built", None))
            say(f"{bar}: not built\n")
        elif status != 200:
            raise SystemExit(f"{target} answers {status}: {text[:500]}")
        return status == 200

    def wrk(self, server, *targets):
        """Short queries over 16 connections, by CPU second."""
        file = self.bench.folder / "targets"
        file.write_text("\n".join(targets) + "\n")
        figure = self.bench.wrk(server, 16, "get.lua", file, 1)
        return {"rate": figure["rate"], "percpu": 100_000 / max(figure["cpu"], 1e-9), "busy": figure["busy"]}

    def scan(self, server, target, rows_):
        """One query after the other on one connection, by rows."""
        link = http.client.HTTPConnection("127.0.0.1", server.port, timeout=600)
        before, started, count = server.cpu(), time.monotonic(), 0
        while count < 2 or time.monotonic() - started < self.bench.seconds:
            link.request("GET", target)
            answer = link.getresponse()
            text = answer.read()
            if answer.status != 200:
                raise SystemExit(f"{target} answers {answer.status}: {text[:500]}")
            count += 1
        took, spent = time.monotonic() - started, server.cpu() - before
        link.close()
        return {"rate": rows_ * count / took, "percpu": rows_ * count / max(spent, 1 / TICK), "ms": took / count * 1000}

    def pg_scan(self, server, script, rows_):
        figure = server.pgbench(script, self.bench.seconds, 1)
        return {"rate": figure["rate"] * rows_, "percpu": figure["percpu"] * rows_}

    def sqlite_scan(self, file, sql, rows_):
        """The shell's own timer, by user and system seconds; the file is read once before."""
        feed = f"{sql};\n.timer on\n{sql};\n{sql};\n"
        done = subprocess.run(pinned(0, "sqlite3", file), input=feed, capture_output=True, text=True, check=True)
        times = [tuple(map(float, found)) for found in re.findall(r"Run Time: real ([\d.]+) user ([\d.]+) sys ([\d.]+)", done.stdout)]
        real, cpu = statistics.mean(t[0] for t in times), statistics.mean(t[1] + t[2] for t in times)
        return {"rate": rows_ / max(real, 1e-6), "percpu": rows_ / max(cpu, 1e-6)}

    def plan(self, server, target):
        """What `explain` says of the plan, for the notes."""
        status, text = get(server, target + "&explain=true")
        return json.dumps(json.loads(text)["meta"].get("plan")) if status == 200 else "no explain"

    # Rows -------------------------------------------------------------------------------------

    def indexed(self):
        target = path("package", filter="section=='games'", order="-installedSize", limit=20)
        for name in self.sets():
            server = self.postgres(name)
            script = f"select doc from {table(name)} where doc->>'section' = 'games' order by (doc->>'installedSize')::bigint desc, id limit 20;\n"
            self.compare("indexed", f"indexed equality, order, limit 20 over {name}", 2.0, name, [target],
                         {"postgres": lambda: server.pgbench(script, self.bench.seconds, 16)})

    def ids(self):
        for name, (file, count) in self.sets().items():
            known = [json.loads(line)["id"] for line in open(file)]
            draw = random.Random(11)
            targets = [path("package", ids=",".join(draw.sample(known, 20))) for _ in range(2_000)]
            server = self.postgres(name)
            # The large set's ids are made by pgbench; the small one's are words, one draw of them.
            if name == next(iter(self.sets())):
                script = "".join(f"\\set i{k} random(0, {count - 1})\n" for k in range(20))
                script += f"select doc from {table(name)} where id in ({', '.join(f'''$q$e$q$ || :i{k}''' for k in range(20))});\n"
            else:
                quoted = ", ".join("'" + i.replace("'", "''") + "'" for i in draw.sample(known, 20))
                script = f"select doc from {table(name)} where id in ({quoted});\n"
            self.compare("ids", f"20 ids in one call over {name}", 2.0, name, targets, {"postgres": lambda: server.pgbench(script, self.bench.seconds, 16)})

    def compare(self, row, bar, limit, name, targets, peers):
        bar += ", queries per server CPU second against PostgreSQL"
        own = self.freshet(name) if self.bench.binary else None
        runs = {}
        if own and self.built(own, targets[0], bar, f"≥ {limit} ×"):
            runs["freshet"] = lambda: self.wrk(own, *targets)
            say(f"{row}: plan {self.plan(own, targets[0])}")
        m = self.bench.interleaved(row, {**runs, **peers})
        if "freshet" in m:
            ratio(bar, limit, m["freshet"]["percpu"] / m["postgres"]["percpu"],
                  f"{m['freshet']['percpu']:,.0f} : {m['postgres']['percpu']:,.0f}; rates {m['freshet']['rate']:,.0f}/s : {m['postgres']['rate']:,.0f}/s")

    def scan_(self):
        for name, (_, count) in self.sets().items():
            base, lite = self.postgres(name), self.sqlite(name)
            forms = {"counted": path("package", filter=FILTER, count="true", limit=0), "few rows": path("package", filter=FEW)}
            where = "(doc->>'size')::bigint > 2000000 and doc->>'architecture' = 'amd64'"
            lite_where = "json_extract(doc, '$.size') > 2000000 and json_extract(doc, '$.architecture') = 'amd64'"
            runs = {}
            if self.bench.binary:
                own = self.freshet(name)
                for form, target in forms.items():
                    if self.built(own, target, f"unindexed filter, {form}, over {name}", ""):
                        runs[form] = lambda t=target: self.scan(own, t, count)
                        say(f"scan, {form}: plan {self.plan(own, target)}")
            m = self.bench.interleaved("scan", {
                **runs,
                "postgres": lambda: self.pg_scan(base, f"select count(*) from {table(name)} where {where};\n", count),
                "sqlite": lambda: self.sqlite_scan(lite, f"select count(*) from entity where {lite_where}", count)})
            for form in runs:
                for peer in ("sqlite", "postgres"):
                    ratio(f"unindexed filter, {form}, over {name}, rows per CPU second against {peer}", 2.0, m[form]["percpu"] / m[peer]["percpu"],
                          f"{m[form]['percpu'] / 1e6:.2f} M : {m[peer]['percpu'] / 1e6:.2f} M")
                plain(f"unindexed filter, {form}, over {name}, rows/s a core", "≥ 8 M", f"{m[form]['rate'] / 1e6:.2f} M (per CPU second {m[form]['percpu'] / 1e6:.2f} M)", m[form]["rate"] >= 8e6)

    def against_scan(self, row, bar, limit, target):
        """A query over the large set beside the counted scan of the same entities."""
        if not self.bench.binary:
            return
        name = next(iter(self.sets()))
        count, own = self.sets()[name][1], self.freshet(name)
        if not self.built(own, target, bar, f"≤ {limit} ×"):
            return
        m = self.bench.interleaved(row, {"scan": lambda: self.scan(own, path("package", filter=FILTER, count="true", limit=0), count),
                                         row: lambda: self.scan(own, target, count)})
        ratio(f"{bar} over {name}, CPU against the counted scan", limit, m["scan"]["percpu"] / m[row]["percpu"], f"{m[row]['ms']:.1f} ms : {m['scan']['ms']:.1f} ms", least=False)

    def topk(self):
        self.against_scan("topk", "top 20 by an unindexed property", 1.3, path("package", order="-size", limit=20))

    def group(self):
        self.against_scan("group", "group with count, sum, avg", 2.0,
                          path("package", group="section", aggregate="count,sum(size),avg(size)", limit=0))

    def regex(self):
        for name, (_, count) in self.sets().items():
            texts = self.summaries(name)
            size = texts.stat().st_size - count
            target = path("package", filter=f"summary ~= '{PATTERN}'", count="true", limit=0)
            bar = f"~= '{PATTERN}' over every summary of {name}, MB per CPU second against grep -cE"
            runs = {}
            if self.bench.binary and self.built(self.freshet(name), target, bar, "≥ 0.5 ×"):
                runs["freshet"] = lambda: per_byte(self.scan(self.freshet(name), target, count), size / count)
            m = self.bench.interleaved("regex", {**runs, "grep": lambda: self.grep(texts, size)})
            if "freshet" in m:
                ratio(bar, 0.5, m["freshet"]["MB/cpu"] / m["grep"]["MB/cpu"], f"{m['freshet']['MB/cpu']:,.0f} : {m['grep']['MB/cpu']:,.0f}")

    def grep(self, file, size):
        own, count, started = resource.getrusage(resource.RUSAGE_CHILDREN), 0, time.monotonic()
        while count < 3 or time.monotonic() - started < 1:
            done = subprocess.run(pinned(0, "grep", "-cE", PATTERN, file), capture_output=True, env={"PATH": os.environ["PATH"], "LC_ALL": "C"})
            if done.returncode > 1:
                raise SystemExit(f"grep: {done.stderr.decode()}")
            count += 1
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - own.ru_utime - own.ru_stime
        return {"MB/s": size * count / (time.monotonic() - started) / 1e6, "MB/cpu": size * count / spent / 1e6}

    def include(self):
        if not self.bench.binary:
            return
        server = self.start({"issue": {"relationships": {"comments": {"type": "comment", "association": "many"}}},
                             "comment": {"relationships": {"author": {"type": "person", "association": "one"}}}, "person": {}})
        note = "Said in about as many words as people take. " * 4
        share = COMMENTS // ROOTS
        data = {"person": [{"id": n, "name": f"Person {n}", "note": note} for n in range(PEOPLE)],
                "comment": [{"id": n, "author": n % PEOPLE, "text": note} for n in range(COMMENTS)],
                "issue": [{"id": n, "title": note, "comments": list(range(n * share, n * share + share))} for n in range(ROOTS)]}
        for kind, entities in data.items():
            file = self.bench.folder / f"{kind}.ndjson"
            file.write_text("".join(json.dumps(e) + "\n" for e in entities))
            self.bench.load(server, kind, file)
        target, bar = path("issue", include="comments.author", limit=ROOTS), "include of two levels, 100 roots, 1,000 included, server CPU"
        if self.built(server, target, bar, "≤ 2 ms"):
            included = json.loads(get(server, target)[1])["included"]
            if sum(map(len, included.values())) != COMMENTS + PEOPLE:
                raise SystemExit("include left entities out")
            m = self.bench.interleaved("include", {"include": lambda: self.wrk(server, target)})
            cost = 1000 / m["include"]["percpu"]
            plain(bar, "≤ 2 ms", f"{cost:.2f} ms", cost <= 2)
        server.stop()

    def keyset(self):
        if not self.bench.binary:
            return
        name = next(iter(self.sets()))
        own = self.freshet(name)
        deep = min(10_000, self.sets()[name][1] // 40)
        for label, order in (("by id", {}), ("by an index", {"order": "installedSize"})):
            bar, cursor, left = f"keyset page {deep:,} of 20 {label} against page 1, server CPU", None, deep * 20
            while left > 0:
                size = min(left, 10_000)
                status, text = get(own, path("package", limit=size, fields="id", **order, **({"after": cursor} if cursor else {})))
                if status != 200:
                    break
                cursor, left = json.loads(text)["meta"].get("next"), left - size
                if not cursor:
                    break
            if not cursor:
                rows.append((bar, "≤ 1.2 ×", "not built", None))
                continue
            first, later = path("package", limit=20, **order), path("package", limit=20, after=cursor, **order)
            m = self.bench.interleaved("keyset", {"first": lambda: self.wrk(own, first), "deep": lambda: self.wrk(own, later)})
            ratio(bar, 1.2, m["first"]["percpu"] / m["deep"]["percpu"], f"{1e6 / m['deep']['percpu']:.1f} µs : {1e6 / m['first']['percpu']:.1f} µs", least=False)

    def writeindex(self):
        if not self.bench.binary:
            return
        servers = {"none": self.start({"written": {}}), "three": self.start({"written": {"indexes": INDEXES}})}
        # Each write moves its entity in all three indexes.
        m = self.bench.interleaved("writeindex", {name: lambda s=s: self.bench.wrk(s, 64, "puts.lua", self.bench.count, 300) for name, s in servers.items()})
        for server in servers.values():
            server.stop()
        ratio("a write with three indexes, server CPU against none", 2.0, m["three"]["cpu"] / m["none"]["cpu"],
              f"CPU s per 100,000 {m['three']['cpu']:.3f} : {m['none']['cpu']:.3f}", least=False)

    def querymemory(self):
        if not self.bench.binary:
            return
        name = next(iter(self.sets()))
        file, count = self.sets()[name]
        raw = file.stat().st_size - count
        figures = {}
        for label, indexes in (("none", []), ("three", INDEXES)):
            server = self.start({"package": {"indexes": indexes} if indexes else {}})
            empty = server.memory()
            self.bench.load(server, "package", file)
            # An index that is still being built is counted once it answers.
            get(server, path("package", filter="section=='games'", order="-installedSize", limit=1))
            figures[label] = server.memory() - empty
            say(f"querymemory {label} {figures[label] / 2**20:,.0f} MiB, {figures[label] / count:,.0f} bytes an entity")
            server.stop()
        bound = 1.6 * raw + 80 * count * len(INDEXES)
        plain(f"memory of {count:,} entities, three indexes", "≤ 1.6 × JSON + 80 bytes an entity an index",
              f"{figures['three'] / 2**20:,.0f} MiB of {bound / 2**20:,.0f} MiB; without indexes {figures['none'] / 2**20:,.0f} MiB = {figures['none'] / raw:.2f} × JSON", figures["three"] <= bound)


def get(server, target):
    link = http.client.HTTPConnection("127.0.0.1", server.port, timeout=600)
    link.request("GET", target)
    answer = link.getresponse()
    text = answer.read().decode()
    link.close()
    return answer.status, text


def table(name):
    return "t" + name.replace(",", "")


def per_byte(figure, size):
    return {"MB/s": figure["rate"] * size / 1e6, "MB/cpu": figure["percpu"] * size / 1e6}
