"""What the pages must name, and where their links must lead."""
import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGES = ROOT / "Sources/Policy/Server/Docs"
MOST_LINES = 250


def slug(heading):
    return re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")


def prose(text):
    """A page without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def dead_links(pages, addresses):
    """One sentence for each link of `pages` (name → text) that leads nowhere."""
    anchors = {name: {slug(x) for x in re.findall(r"^#+ (.+)$", prose(text), re.MULTILINE)}
               for name, text in pages.items()}
    faults = []
    for name, text in pages.items():
        for link in re.findall(r"\]\(([^)\s]+)\)", prose(text)):
            page, _, anchor = link.partition("#")
            if page.startswith("/"):
                if not any(re.fullmatch(pattern, page) for pattern in addresses):
                    faults.append(f"{name}: {link} is no address of the server")
            elif page.removesuffix(".md") not in pages:
                faults.append(f"{name}: {link} is no page")
            elif anchor and anchor not in anchors[page.removesuffix(".md")]:
                faults.append(f"{name}: {page} has no heading {anchor}")
    return faults


def unnamed(names, texts, what, where):
    """One sentence for each of `names` that does not stand as a word of its own in `texts`."""
    return [f"no page names {what} {name}: {where}" for name in sorted(set(names))
            if not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", texts)]


def parameters(document):
    """The names of all query parameters."""
    components = document["components"]["parameters"]
    found = set()
    for item in document["paths"].values():
        for operation in item.values():
            for parameter in operation.get("parameters", []) if isinstance(operation, dict) else []:
                if "$ref" in parameter:
                    parameter = components[parameter["$ref"].split("/")[-1]]
                if parameter["in"] == "query":
                    found.add(parameter["name"])
    return found


def headers(document):
    """The headers of our own that answers have."""
    text = json.dumps(document)
    return set(re.findall(r'"(Freshet-[A-Za-z-]+|X-Request-Id|Idempotency-Key)"', text))


def faults(binary):
    import made

    pages = {path.stem: path.read_text() for path in PAGES.glob("*.md")}
    document = json.loads((ROOT / "OpenAPI/openapi.json").read_text())
    addresses = [re.sub(r"\\\{[^}]*\\\}", "[^/]+", re.escape(path)) for path in document["paths"]]
    found = dead_links(pages, addresses)
    found += dead_samples()
    for name, text in sorted(pages.items()):
        lines = text.count("\n")
        if lines > MOST_LINES:
            found.append(f"{name}: {lines} lines, at most {MOST_LINES}")
        if name != "index" and f"]({name}.md)" not in pages["index"]:
            found.append(f"{name}: index.md does not list it")
        found += [f"{name}: {row} has no meaning" for row in re.findall(
            r"^\| `([^`]+)` \|[^\n]*\|  \|$", text, re.MULTILINE) if "made" in text]
    everything = "\n".join(pages.values())
    found += unnamed(
        (name for name in parameters(document)),
        "\n".join(re.findall(r"^\| `.*", pages.get("parameters", ""), re.MULTILINE)),
        "parameter", "parameters.md")
    schema = made.Schema(binary)
    members = {part for path, _ in schema.members(schema.root, is_whole=True) for part in
               re.split(r"[.\[\]]+", path) if part and part not in ("*", "$schema")}
    found += unnamed(members, everything, "member", "a configuration page")
    flags = {flag.split()[0] for command, _ in made.listed(binary)
             for flag, _ in made.flags_of(made.output(binary, command, "--help"))}
    found += unnamed(flags, everything, "flag", "command-line.md")
    found += unnamed(headers(document), everything, "header", "the page of its subject")
    with made.server(binary) as get:
        codes = re.findall(r'href="/problems/([a-z-]+)"', get("/problems"))
        names = re.findall(r"^# HELP (\S+)", get("/metrics"), re.MULTILINE)
    assert len(codes) > 30 and len(names) > 30 and len(flags) > 50 and len(members) > 100
    found += unnamed(codes, everything, "problem", "problems.md")
    found += unnamed(names, everything, "metric", "metrics.md")
    return found


def dead_samples():
    """The checks themselves find what they are for."""
    sample = {"a": "# A\n\n[x](b.md) [y](#no) [z](/nothing) [w](a.md#no) [v](a.md#a)\n"}
    wrong = dead_links(sample, ["/v1"])
    right = len(wrong) == 4 and len(unnamed(["ids", "id"], "the ids", "x", "y")) == 1
    return [] if right else [f"the check of links and names does not find its samples: {wrong}"]
