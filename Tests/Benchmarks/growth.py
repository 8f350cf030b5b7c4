"""What a request costs as a type grows: CPU of a GET, of a search by an index, of a PUT that moves in it.

Servers with 10,000, 100,000, 1,000,000 and, where 12 GiB are free, 10,000,000 entities of about 150 bytes
stand beside each other and are asked in turns, 16 connections each; a figure is the median of its rounds.
The plot is written into the documentation where the figures are of the full run.
"""
import json
import pathlib
import random
import re

from harness import Server, notes, plain, say

PLOT = pathlib.Path(__file__).resolve().parents[2] / "Sources/Policy/Server/Docs/growth.svg"
SIZES = [10_000, 100_000, 1_000_000, 10_000_000]
# Entities of one owner, of which a search shows 20.
OWNED = 50
BODY = 120
REQUESTS = {"get": "GET by id", "search": "search by an index, 20 of 50", "put": "PUT that moves in the index"}


class Growth:
    def __init__(self, bench):
        self.bench = bench

    def sizes(self):
        free = int(re.search(r"MemAvailable:\s+(\d+)", pathlib.Path("/proc/meminfo").read_text()).group(1)) << 10
        if self.bench.options.quick:
            return SIZES[:2]
        if free < 12 << 30:
            notes.append(f"growth: {free / 2**30:.0f} GiB are free, too few for {SIZES[-1]:,} entities.")
            return SIZES[:-1]
        return SIZES

    def growth(self):
        if not self.bench.binary:
            return
        file, servers, files = self.bench.folder / "grown.ndjson", {}, {}
        config = self.bench.folder / "grown.json"
        config.write_text(json.dumps({"types": {"grown": {"indexes": [["owner", "-n"]]}}}))
        sizes = self.sizes()
        for size in sizes:
            owners = size // OWNED
            with open(file, "w") as out:
                for n in range(size):
                    out.write(f'{{"id":"e{n}","owner":"o{n % owners}","n":{n},"s":"{"x" * (BODY - 24)}"}}\n')
            servers[size] = Server([self.bench.binary, "serve", "--listen", "127.0.0.1:0", "--memory", "--config", config],
                                   announced=r"listening on http://127\.0\.0\.1:(\d+)", seconds=60)
            self.bench.load(servers[size], "grown", file)
            draw = random.Random(7)
            targets = {"get": lambda: f"/v1/grown/e{draw.randrange(size)}",
                       "search": lambda: f"/v1/grown?filter=owner=='o{draw.randrange(owners)}'&order=-n&limit=20"}
            for kind, target in targets.items():
                files[kind, size] = self.bench.folder / f"grown-{kind}-{size}"
                files[kind, size].write_text("\n".join(target() for _ in range(50_000)) + "\n")
        file.unlink()
        costs = {}
        for kind in REQUESTS:
            def ask(size, kind=kind):
                if kind == "put":
                    return self.bench.wrk(servers[size], 16, "put.lua", size, BODY, "/v1/grown/e", size // OWNED)
                return self.bench.wrk(servers[size], 16, "get.lua", files[kind, size], 1)
            medians = self.bench.interleaved(f"growth {kind}", {f"{size:,}": lambda size=size: ask(size) for size in sizes})
            costs[kind] = [medians[f"{size:,}"]["cpu"] * 10 for size in sizes]
            growth = costs[kind][-1] / costs[kind][0]
            plain(f"{REQUESTS[kind]}, CPU at {sizes[-1]:,} entities against {sizes[0]:,}", "≤ 1.5 ×",
                  f"{growth:.2f} × ({' · '.join(f'{cost:.1f}' for cost in costs[kind])} µs at {' · '.join(f'{size:,}' for size in sizes)})", growth <= 1.5)
        for server in servers.values():
            server.stop()
        if not self.bench.options.quick:
            PLOT.write_text(plot(sizes, costs))
            say(f"growth     wrote {PLOT.name}")


def plot(sizes, costs):
    """The costs as an SVG: sizes by decades from left to right, microseconds from 0 upwards."""
    left, top, width, height = 60, 20, 420, 240
    most = max(max(line) for line in costs.values()) * 1.1
    across = lambda place: left + width * place / max(1, len(sizes) - 1)
    up = lambda cost: top + height * (1 - cost / most)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + width + 230} {top + height + 50}" font-family="sans-serif" font-size="13">',
             "<title>CPU of a request against the number of entities</title>"]
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100, 200, 500) if most / s <= 7)
    for mark in range(0, int(most) + 1, step):
        parts.append(f'<path d="M{left} {up(mark):.1f}H{left + width}" stroke="#8884"/>'
                     f'<text x="{left - 8}" y="{up(mark) + 4:.1f}" text-anchor="end" fill="#777">{mark}</text>')
    parts.append(f'<text x="{left - 8}" y="{top - 6}" text-anchor="end" fill="#777">µs</text>')
    for place, size in enumerate(sizes):
        parts.append(f'<text x="{across(place):.1f}" y="{top + height + 20}" text-anchor="middle" fill="#777">{size:,}</text>')
    parts.append(f'<text x="{left + width / 2}" y="{top + height + 42}" text-anchor="middle" fill="#777">entities of the type</text>')
    for color, (kind, line) in zip(("#2a7de1", "#1a9850", "#d9603b"), costs.items()):
        points = " ".join(f"{across(place):.1f},{up(cost):.1f}" for place, cost in enumerate(line))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="2"/>')
        parts += [f'<circle cx="{across(place):.1f}" cy="{up(cost):.1f}" r="3" fill="{color}"/>' for place, cost in enumerate(line)]
        parts.append(f'<text x="{left + width + 10}" y="{up(line[-1]) + 4:.1f}" fill="{color}">{REQUESTS[kind]}</text>')
    return "\n".join(parts) + "\n</svg>\n"
