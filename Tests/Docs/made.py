"""Parts of pages that are made of what the program tells of itself: between the lines
`<!-- made: NAME -->` and `<!-- end -->`."""
import contextlib
import http.client
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import coverage
import texts

sys.path.insert(0, str(coverage.ROOT / "Tests/BlackBox"))
import cluster  # noqa: E402

REGION = re.compile(r"(<!-- made: ([a-z-]+) -->\n).*?(<!-- end -->\n)", re.DOTALL)


def output(binary, *arguments):
    kept = {k: v for k, v in os.environ.items() if not k.startswith("FRESHET_")}
    return subprocess.run(
        [binary, *arguments], capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL,
        env={**kept, "NO_COLOR": "1", "COLUMNS": "200"}).stdout


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def table(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return "\n".join(lines + ["| " + " | ".join(map(cell, row)) + " |" for row in rows]) + "\n"


# The configuration ------------------------------------------------------------------------------


class Schema:
    """The members that the configuration may have, each with its path and its schema."""

    def __init__(self, binary):
        self.root = json.loads(output(binary, "check", "--print-schema"))

    def resolve(self, node):
        if not isinstance(node, dict):
            return {}
        if "$ref" in node:
            return {**self.root["$defs"][node["$ref"].split("/")[-1]], **node}
        return node

    def members(self, node, path="", seen=(), is_whole=False):
        """(path, schema) of all members below, in order; names that users choose are `*`. What has
        a page of its own is left out, unless it `is_whole`."""
        if not isinstance(node, dict):
            return
        reference = node.get("$ref")
        name = (reference or "").split("/")[-1]
        if reference in seen or name in texts.NAMES and name != "property" and not is_whole:
            return
        seen = (*seen, reference) if reference else seen
        node = self.resolve(node)
        for name, child in node.get("properties", {}).items():
            yield f"{path}{name}", child
            yield from self.members(child, f"{path}{name}.", seen, is_whole)
        more = node.get("additionalProperties")
        if isinstance(more, dict) and path:
            yield from self.members(more, f"{path}*.", seen, is_whole)
        items = node.get("items")
        if isinstance(items, dict):
            yield from self.members(items, f"{path[:-1]}[].", seen, is_whole)
        for form in node.get("anyOf", []) + node.get("oneOf", []):
            yield from self.members(form, path, seen, is_whole)

    def form(self, node):
        """What may stand there, in a few words."""
        node = node if isinstance(node, dict) else {}
        reference = node.get("$ref", "").split("/")[-1]
        if reference in texts.NAMES:
            return texts.NAMES[reference]
        if "const" in node:
            return f"`{json.dumps(node['const'])}`"
        if "enum" in node:
            return ", ".join(f"`{json.dumps(x)}`" for x in node["enum"])
        if "anyOf" in node and "type" not in node:
            forms = [self.form(x) for x in node["anyOf"]]
            return " or ".join(dict.fromkeys(x for x in forms if x))
        kind = node.get("type", "any JSON")
        pattern = node.get("pattern", "")
        if "ms|s|m|h|d" in pattern:
            return "duration, as `10s`"
        if "KiB|MiB" in pattern:
            return "size, as `16MiB`"
        if kind == "object" and set(node.get("properties", {})) == {"env", "file"}:
            return 'a secret: `{"env": NAME}` or `{"file": PATH}`'
        kinds = kind if isinstance(kind, list) else [kind]
        bounds = ""
        if "minimum" in node or "maximum" in node:
            bounds = f" {node.get('minimum', '')}…{node.get('maximum', '')}"
        names = {"object": "object", "array": "list", "boolean": "`true`, `false`"}
        return " or ".join(names.get(x, x) for x in kinds if x != "null") + bounds

    def table(self, *roots, without=()):
        """The members below `roots`, but for those below `without`."""
        def below(path, roots):
            return any(path == root or path.startswith((f"{root}.", f"{root}[")) for root in roots)

        rows, seen = [], set()
        for path, node in self.members(self.root):
            # A member of several forms of one object stands once.
            if path in seen or not below(path, roots) or below(path, without):
                continue
            seen.add(path)
            full = self.resolve(node)
            text = full.get("description", "")
            default = full.get("default")
            default = "" if default is None or default == [] else f"`{json.dumps(default)}`"
            rows.append((f"`{path}`", self.form(node), default, text))
        return table(("member", "value", "default", "meaning"), rows)


def configuration(binary, roots, without=()):
    return Schema(binary).table(*roots, without=without)


def server_members(binary):
    schema = Schema(binary)
    roots = [name for name in schema.root["properties"]
             if name not in ("$schema", "types", "upstreams", "conditions", "specs", "operations",
                             "access", "limits")]
    return schema.table(*roots)


# The command line -------------------------------------------------------------------------------


def flags_of(help_text):
    """(flag, text) of each flag."""
    return [(flag.strip(), " ".join(text.split())) for flag, text in
            re.findall(r"^  (--\S.*)\n((?:      .*\n)+)", help_text, re.MULTILINE)]


def section(text, name):
    """What stands below `name:` up to the next empty line."""
    return text.split(f"\n{name}:\n")[1].removeprefix("\n").split("\n\n")[0]


# Commands that take the flags of `serve`.
LIKE_SERVE = ("doctor", "check", "service-unit")
COMMON = ("--server", "--timeout", "--cacert", "--token-file", "--curl", "--json")


def listed(binary):
    """(command, summary) of each command."""
    return re.findall(r"^  ([\w-]+) +(\S.*)$", section(output(binary, "--help"), "commands"),
                      re.MULTILINE)


def is_limit(flag):
    return flag.startswith("--limit-")


def commands(binary, of_server=True):
    """The commands that ask a server, or the others."""
    parts, serve, searching = [], {}, None
    for name, summary in listed(binary):
        text = output(binary, name, "--help")
        flags = flags_of(text)
        usage = re.search(r"^usage: (.+)$", text, re.MULTILINE)[1]
        examples = re.findall(r"^  (\S.*)$", section(text, "examples"), re.MULTILINE)
        body = f"### {name}\n\n{summary[0].upper()}{summary[1:]}. Usage: `{usage}`.\n\n"
        body += "".join(f"    {example}\n" for example in examples) + "\n"
        if name == "serve":
            serve = dict(flags)
        if any(flag.startswith("--server ") for flag, _ in flags) != of_server:
            continue
        own = [(f"`{flag}`", says(text)) for flag, text in flags
               if flag.split()[0] not in COMMON and not is_limit(flag)
               and not (name in LIKE_SERVE and flag in serve)]
        if name == "watch" and own == searching:
            own, body = [], body + "It takes the flags of [search](command-line.md#search).\n\n"
        searching = own if name == "search" else searching
        if own:
            body += table(("flag", "meaning"), own) + "\n"
        if name == "serve":
            body += "There is a flag for each limit, too: [limits](limits.md#flags).\n\n"
        if name in LIKE_SERVE:
            body += "It takes the flags of [serve](commands-here.md#serve), too.\n\n"
        parts.append(body)
    return "\n" + "".join(parts)


def limit_flags(binary):
    flags = flags_of(output(binary, "serve", "--help"))
    return table(("flag", "meaning"), [
        (f"`{flag}`", says(text)) for flag, text in flags if is_limit(flag)])


def says(text):
    return re.sub(r"\[(FRESHET_\w+)\]", r"· `\1`", text)


def common_flags(binary):
    return table(("flag", "meaning"), [
        (f"`{flag}`", says(text)) for flag, text in flags_of(output(binary, "get", "--help"))])


def unit(binary):
    text = output(binary, "service-unit", "--config", "/etc/freshet.json")
    return "```ini\n" + text.replace(os.path.realpath(binary), "/usr/local/bin/freshet") + "```\n"


# What a running server tells ---------------------------------------------------------------------


@contextlib.contextmanager
def server(binary, *flags):
    process = subprocess.Popen(
        [binary, "serve", *(flags or ["--memory"]), "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True)
    try:
        port = int(re.search(r"127\.0\.0\.1:(\d+)", process.stdout.readline())[1])

        def get(path, method="GET", body=None, **headers):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            body = answer.read().decode()
            connection.close()
            return body

        yield get
    finally:
        process.terminate()
        process.wait()


# What has all metrics of a server that stands alone: an entity, an upstream with a probe, and an operation
# with a controller. Nothing listens where the upstream should be.
BUSY = {
    "upstreams": {"origin": {"base": "http://127.0.0.1:1", "probe": {"path": "/livez"}}},
    "types": {"item": {"remote": {"upstream": "origin", "search": {"path": "/items", "items": ""}}}},
    "operations": {"items": {"type": "item", "controllers": [{"poll": {"every": "1h"}}]}},
}


@contextlib.contextmanager
def busy_server(binary):
    """A server in memory with `BUSY`, and with one entity."""
    with tempfile.NamedTemporaryFile("w", prefix="freshet-docs-", suffix=".json") as file:
        json.dump(BUSY, file)
        file.flush()
        with server(binary, "--memory", "--config", file.name) as get:
            get("/v1/note/1", method="PUT", body="{}", **{"Content-Type": "application/json"})
            yield get


def problems(binary):
    with server(binary) as get:
        codes = re.findall(r'<td>(\d+)</td><td><a href="/problems/([a-z-]+)">', get("/problems"))
        rows = []
        for status, code in codes:
            text = get(f"/problems/{code}").strip().split("\n")
            todo = next(x for x in text if x.startswith("What to do: "))
            rows.append((f"[`{code}`](/problems/{code})", status, text[2],
                         todo.removeprefix("What to do: ")))
        return table(("code", "status", "what it says", "what to do"), rows)


METRIC = ("metric", "kind", "labels", "meaning")


def told_metrics(get):
    """Name, kind, labels and meaning of each."""
    text = get("/metrics")
    kinds = dict(re.findall(r"^# TYPE (\S+) (\S+)$", text, re.MULTILINE))

    def labels(name):
        found = re.findall(rf"^{name}(?:_bucket|_sum|_count)?{{(.+)}} ", text, re.MULTILINE)
        names = {label for one in found for label in re.findall(r'(\w+)="', one)} - {"le"}
        return ", ".join(f"`{label}`" for label in sorted(names))

    return [(f"`{name}`", kinds.get(name, ""), labels(name), meaning)
            for name, meaning in re.findall(r"^# HELP (\S+) (.+)$", text, re.MULTILINE)]


def metrics(binary):
    with busy_server(binary) as get:
        return table(METRIC, told_metrics(get))


@contextlib.contextmanager
def replica(binary):
    """A server of a cluster."""
    with tempfile.TemporaryDirectory() as place, cluster.Engine(pathlib.Path(place)) as engine:
        flags = ["--data", f"{place}/a", "--cluster-log", engine.url, "--replica", "a", "--advertise", "http://127.0.0.1:1"]
        with server(binary, *flags) as get:
            yield get


def cluster_metrics(binary):
    """Those that a server of a cluster has and one that stands alone has not."""
    with busy_server(binary) as get:
        alone = {name for name, *_ in told_metrics(get)}
    with replica(binary) as get:
        return table(METRIC, [row for row in told_metrics(get) if row[0] not in alone])


# Files for other programs -------------------------------------------------------------------------


def alerts(_):
    """The alerts of the rules file, whose form is the one that is looked for here."""
    text = (coverage.PAGES / "alerts.yaml").read_text()
    rows = []
    for rule in text.split("- alert: ")[1:]:
        expression = re.search(r"expr: (>-\n)?(.+?)\n        (?:for|labels):", rule, re.DOTALL)[2]
        waits = re.search(r"for: (\w+)", rule)
        summary = re.search(r'summary: "(.+)"', rule)[1]
        page, _, anchor = re.search(r"runbook_url: /docs/(\S+)", rule)[1].partition("#")
        link = f"{page}.md{'#' + anchor if anchor else ''}"
        rows.append((f"`{rule.split()[0]}`", f"[{summary}]({link})", waits[1] if waits else "",
                     f"`{' '.join(expression.split())}`"))
    return table(("alert", "meaning", "for", "expression"), rows)


MAKERS = {
    "alerts": alerts,
    "server-members": server_members,
    "limits": lambda binary: configuration(binary, ["limits"]),
    "types": lambda binary: configuration(binary, ["types"], ["types.*.remote"]),
    "remote": lambda binary: configuration(binary, ["types.*.remote"]),
    "upstreams": lambda binary: configuration(binary, ["upstreams"]),
    "operations": lambda binary: configuration(binary, ["conditions", "specs", "operations"]),
    "access": lambda binary: configuration(binary, ["access"]),
    "commands": lambda binary: commands(binary),
    "commands-here": lambda binary: commands(binary, of_server=False),
    "limit-flags": limit_flags,
    "unit": unit,
    "common-flags": common_flags,
    "problems": problems,
    "metrics": metrics,
    "cluster-metrics": cluster_metrics,
}


def differences(binary, writes):
    """One sentence for each part that is not as it is made; with `writes` they are written."""
    faults = []
    for path in sorted(coverage.PAGES.glob("*.md")):
        text = path.read_text()
        wanted = REGION.sub(
            lambda match: match[1] + MAKERS[match[2]](binary) + match[3], text)
        if wanted == text:
            continue
        if writes:
            path.write_text(wanted)
        else:
            faults.append(f"{path.name}: a made part is stale, run Tests/Docs/run BINARY --write")
    return faults
