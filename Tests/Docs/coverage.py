"""What the pages must name, and where their links must lead."""
import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGES = ROOT / "Sources/Policy/Server/Docs"
FILES = (".yaml", ".json", ".svg")
MOST_LINES = 250
CODES = set(re.findall(r'case \w+ = "([a-z-]+)"|case `?([a-z]+)`?$', (
    ROOT / "Sources/Policy/Server/Problems/ProblemCode.swift").read_text(), re.MULTILINE))
CODES = {code for pair in CODES for code in pair if code}


def slug(heading):
    return re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")


def prose(text):
    """A page without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def headings(pages):
    return {name: {slug(x) for x in re.findall(r"^#+ (.+)$", prose(text), re.MULTILINE)}
            for name, text in pages.items()}


def broken(text):
    """Headings and rows that stand inside of a paragraph, as Markdown's signs that are shown as text."""
    return [f"a sign of Markdown is shown as text: {line.strip()[:60]}"
            for line in re.sub(r"`[^`\n]*`", "", prose(text)).split("\n")
            if re.search(r"\S.*\s#{2,} \S", line) and not line.startswith("|")]


def dead_address(address, pages, anchors):
    """Why an address of a page, a file or a problem leads nowhere; None where it does."""
    path, _, anchor = address.partition("#")
    folder, name = path.strip("/").split("/", 1)
    if folder == "problems":
        return None if name in CODES else f"{address} is no problem"
    if name == "docs.css" or (PAGES / name).suffix in FILES and (PAGES / name).exists():
        return None
    page = name.removesuffix(".md")
    if page not in pages:
        return f"{address} is no page"
    if anchor and anchor not in anchors[page]:
        return f"{page} has no heading {anchor}"
    return None


def dead_hints(pages):
    """Addresses of pages in the program's own texts that lead nowhere."""
    anchors, found, count = headings(pages), [], 0
    for path in sorted((ROOT / "Sources").rglob("*.swift")):
        # Made of the pages themselves, or compared with the program by Tests/Clients.
        if path.name in ("DocumentationPages.swift", "OpenAPIDocument.swift"):
            continue
        for line in path.read_text().split("\n"):
            if line.lstrip().startswith("//"):
                continue
            for address in re.findall(r"/(?:docs|problems)/[a-z][a-z.-]*[a-z](?:#[a-z0-9-]+)?", line):
                count += 1
                fault = dead_address(address, pages, anchors)
                found += [f"{path.relative_to(ROOT)}: {fault}"] if fault else []
    return found if count > 15 else [f"only {count} addresses of pages stand in the sources"]


def dead_links(pages, addresses):
    """One sentence for each link of `pages` (name → text) that leads nowhere."""
    anchors = headings(pages)
    faults = []
    for name, text in pages.items():
        for link in re.findall(r"\]\(([^)\s]+)\)", prose(text)):
            page, _, anchor = link.partition("#")
            if re.match("/(docs|problems)/", page):
                fault = dead_address(link, pages, anchors)
                faults += [f"{name}: {fault}"] if fault else []
            elif page.startswith("/"):
                if not any(re.fullmatch(pattern, page) for pattern in addresses):
                    faults.append(f"{name}: {link} is no address of the server")
            elif page.endswith(FILES):
                if not (PAGES / page).exists():
                    faults.append(f"{name}: {link} is no file")
            elif page.removesuffix(".md") not in pages:
                faults.append(f"{name}: {link} is no page")
            elif anchor and anchor not in anchors[page.removesuffix(".md")]:
                faults.append(f"{name}: {page} has no heading {anchor}")
    return faults


def first_cells(text):
    """The first cells of all rows that begin with code, one a line."""
    return "\n".join(re.findall(r"^\| (`[^|]*) \|", text, re.MULTILINE))


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
    """The headers that answers have and requests may have."""
    components = document["components"]
    asked = {x["name"] for x in components["parameters"].values() if x["in"] == "header"}
    return set(components["headers"]) | asked | set(re.findall(
        r'"(Freshet-[A-Za-z-]+|Accept-Patch|WWW-Authenticate|Retry-After)"', json.dumps(document)))


def faults(binary):
    import made

    pages = {path.stem: path.read_text() for path in PAGES.glob("*.md")}
    document = json.loads((ROOT / "OpenAPI/openapi.json").read_text())
    addresses = [re.sub(r"\\\{[^}]*\\\}", "[^/]+", re.escape(path)) for path in document["paths"]]
    found = dead_links(pages, addresses)
    found += dead_samples()
    for name, text in sorted(pages.items()):
        found += [f"{name}: {fault}" for fault in broken(text)]
        lines = text.count("\n")
        if lines > MOST_LINES:
            found.append(f"{name}: {lines} lines, at most {MOST_LINES}")
        if name != "index" and f"]({name}.md)" not in pages["index"]:
            found.append(f"{name}: index.md does not list it")
        found += [f"{name}: {row} has no meaning" for row in re.findall(
            r"^\| `([^`]+)` \|[^\n]*\|  \|$", text, re.MULTILINE) if "made" in text]
    everything = "\n".join(pages.values())
    found += unnamed(
        parameters(document), first_cells(pages.get("parameters", "")),
        "parameter", "parameters.md")
    schema = made.Schema(binary)
    rows = "\n".join(re.findall(r"^\| `.*", everything, re.MULTILINE))
    paths = {path for path, _ in schema.members(schema.root) if path != "$schema"}
    found += [f"no table has the member {path}" for path in sorted(paths) if f"| `{path}` |" not in rows]
    for part, page in (("spec", "conditions"), ("credential", "credentials")):
        members = {word for path, _ in schema.members({"$ref": f"#/$defs/{part}"}, is_whole=True)
                   for word in re.split(r"[.\[\]]+", path) if word and word != "*"}
        assert len(members) > 15
        found += unnamed(members, pages[page] + pages["configuration"], f"member of a {part}", page)
    commands = [name for name, _ in made.listed(binary)]
    lines = "".join(text for text in pages.values() if re.search(r"<!-- made: (?:commands|limit-flags)", text))
    flags = {flag.split()[0] for command in commands
             for flag, _ in made.flags_of(made.output(binary, command, "--help"))}
    found += unnamed(flags, lines, "flag", "command-line.md")
    found += [f"no page of commands has the heading {name}" for name in commands
              if f"\n### {name}\n" not in lines]
    assert len(commands) > 15
    variables = {name for command in commands for name in
                 re.findall(r"FRESHET_[A-Z_]+", made.output(binary, command, "--help"))}
    found += unnamed(variables, everything, "variable", "command-line.md")
    found += unnamed(headers(document), everything, "header", "the page of its subject")
    with made.busy_server(binary) as get:
        codes = re.findall(r'href="/problems/([a-z-]+)"', get("/problems"))
        names = re.findall(r"^# HELP (\S+)", get("/metrics"), re.MULTILINE)
    assert len(codes) > 30 and len(names) > 30 and len(flags) > 50 and len(paths) > 100
    assert CODES == set(codes), "the codes of the sources are those of the program"
    found += unnamed(codes, pages["problems"], "problem", "problems.md")
    found += unnamed(names, pages["metrics"], "metric", "metrics.md")
    found += dead_hints(pages)
    return found


def dead_samples():
    """The checks themselves find what they are for."""
    sample = {"a": "# A\n\n[x](b.md) [y](#no) [z](/nothing) [w](a.md#no) [v](a.md#a)\n"
              "[f](/docs/nosuch.yaml) [g](/docs/a#no) [h](/docs/a#a) [i](/problems/no-such)"
              "[j](/problems/exists) [k](/docs/alerts.yaml) ![l](nosuch.svg)\n"}
    wrong = dead_links(sample, ["/v1"])
    right = len(wrong) == 8 and len(unnamed(["ids", "id"], "the ids", "x", "y")) == 1
    cells = first_cells("| `to` | goes on |\n|---|---|\n| `a`, `b` | `to` |\n| meaning | `c` |\n")
    right = right and cells == "`to`\n`a`, `b`"
    return [] if right else [f"the check of links and names does not find its samples: {wrong}"]
