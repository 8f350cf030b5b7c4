"""Filters and their chips, the page of one entity, explain, and what is copied."""
import hashlib
import json
import os
import re
import resource
import signal
import subprocess
import tempfile
import urllib.parse

from chromium import browser, case
from harness import Server, check, environment, folder, same, soon


def at(server, path, before=None):
    return browser().open(f"{server.url}/#{path}", before)


def quoted(text):
    return urllib.parse.quote(str(text), safe="")


def stored(server, path):
    return server.ask("GET", path).is_(200).body.decode().strip()


def editor(tab):
    return tab.run("document.querySelector('[data-test=text]').value")


def loaded(tab, word=""):
    tab.until(f"document.querySelector('[data-test=text]')?.value.includes({json.dumps(word)})",
              shows="document.querySelector('main').textContent")


def write(tab, text):
    """The whole text of the editor, as a person pastes it."""
    tab.run("document.querySelector('[data-test=text]').focus(); document.querySelector('[data-test=text]').select()")
    tab.type(text)


def edit(tab, old, new):
    text = editor(tab)
    check(old in text, f"the editor has no {old}: {text}")
    write(tab, text.replace(old, new))


def seen(tab, test):
    tab.until(f"!!document.querySelector('[data-test=\"{test}\"]')", shows="document.querySelector('main').textContent")
    return tab.text(test)


def saved(tab):
    tab.until("document.querySelector('[data-test=edit-state]').dataset.state === 'clean'"
              " && document.querySelector('[data-test=save]').ariaBusy !== 'true'", shows="document.querySelector('main').textContent")


def gone(tab, test):
    tab.until(f"!document.querySelector('[data-test=\"{test}\"]')", shows="document.querySelector('main').textContent")


# Filters ------------------------------------------------------------------------------------------

NAMES = ["a", "done", "author.name", "`two words`", "b-1", "`odd ``one`.x", "size", "exists", "_x"]
LITERALS = ["1", "-0.10", "1.50", "1e3", "12E-2", "9007199254740993", "'a'", '"b c"', "'it\\'s'", '"\\u00e9\\n"', "true", "false", "null",
            "'\u202e'", '"\U0001f600"', "0.1000", "123456789012345678901234567890"]
TEXTS = ["'a'", '"x y"', "''", '"\\"q\\""', "'(?i)ab+'"]


def random_test(random):
    path = random.choice(NAMES)
    space = random.choice(["", " ", "  "])
    one = random.choice
    kind = random.randint(0, 9)
    if kind < 4:
        return f"{path}{space}{one(['==', '!=', '<', '<=', '>', '>='])}{space}{one(LITERALS)}"
    if kind == 4:
        items = [one(LITERALS) for _ in range(random.randint(0, 3))]
        if random.random() < 0.2:
            items.append("[1, 'x']")
        return f"{path} {one(['in', '>>'])} " + one(["[%s]", "(%s)"]) % one([",", ", "]).join(items)
    if kind == 5:
        return f"{path} {one(['has', 'hasAny', 'hasAll'])} {one(LITERALS)}"
    if kind == 6:
        return f"{one(['startsWith', 'contains', 'endsWith'])}({path},{space}{one(TEXTS)})"
    if kind == 7:
        return one([f"{path} ~= {one(TEXTS[:3] + TEXTS[4:])}", f"exists({path})", f"isNull({path})"])
    if kind == 8:
        return f"size({path}) {one(['==', '<', '>='])} {random.randint(0, 9)}" if random.random() < 0.5 else one(["true", "false"])
    return path if path not in ("size", "exists") else "done"


def random_filter(random, depth=0):
    if depth > 3 or random.random() < 0.4:
        return one_of(random, random_test(random))
    joined = random.choice([" and ", " or ", " && ", "||"])
    parts = [random_filter(random, depth + 1) for _ in range(random.randint(2, 3))]
    return one_of(random, "(" + joined.join(parts) + ")")


def one_of(random, text):
    return random.choice(["", "", "", "!", "not "]) + text


@case("1,000 random filters keep their meaning through tests and chips, and their literals their spelling")
def filters(context):
    random = context.random
    wanted = [re.sub(r"^\((.*)\)$", r"\1", text) if random.random() < 0.1 and text.count("(") == 1 else text
              for text in (random_filter(random) for _ in range(1000))]
    with Server(context.binary) as server, browser().open(f"{server.url}/livez") as tab:
        found = tab.run("(async () => {"
                        "const { parseFilter, printFilter, toChips, fromChips } = await import('/console/filter.js');"
                        f"return {json.dumps(wanted)}.map((text) => {{ const tree = parseFilter(text), chips = toChips(tree);"
                        "return [printFilter(tree), chips && fromChips(chips)]; }); })()")
        shown = sum(1 for _, chips in found if chips)
        check(200 < shown < 1000, f"{shown} of 1,000 are shown by chips")
        for text, (printed, _) in zip(wanted, found):
            for literal in re.findall(r"-?\d[\d.eE+-]*|'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", text):
                check(literal in printed, f"the spelling of {literal} in {text}: {printed}")
        canonical = ("async (filters) => await Promise.all(filters.map((filter) => fetch('/v1/t/_search', { method: 'POST', headers: { 'Content-Type': 'application/json' },"
                     " body: JSON.stringify({ filter, explain: true, limit: 0 }) }).then((answer) => answer.json())"
                     ".then(({ meta, detail }) => meta ? meta.plan.filter : 'refused: ' + detail)))")
        texts = sorted({*wanted, *(one for pair in found for one in pair if one)})
        forms = {}
        for start in range(0, len(texts), 100):
            part = texts[start:start + 100]
            forms.update(zip(part, tab.run(f"({canonical})({json.dumps(part)})")))
        for text, (printed, chips) in zip(wanted, found):
            check(not str(forms[text]).startswith("refused"), f"{text}: {forms[text]}")
            same(forms[printed], forms[text], f"canonical form of {printed}, which was {text}")
            if chips:
                same(forms[chips], forms[text], f"canonical form of the chips {chips} of {text}")


@case("the filter is made by keyboard, a bad one is underlined at its offset and the rows stay", 400)
def builder(context):
    with Server(context.binary) as server:
        server.ask("POST", "/v1/task/_set", [
            {"id": n, "title": f"task {n}", "done": n % 2 == 0, "tags": ["x"], "né": "ü"} for n in range(1, 7)]).is_(200)
        with at(server, "/v1/task") as tab:
            rows = "document.querySelectorAll('[role=row][data-id], tbody tr[data-id]').length"
            field = "document.querySelector('[data-test=filter]').value"
            tab.until(f"{rows} === 6", shows="document.querySelector('main').textContent")
            # Chips, by keyboard alone: a property that is completed, an operator, a value.
            tab.run("document.querySelector('[data-test=\"add-test\"]').focus()")
            tab.press("Enter")
            tab.until("document.activeElement.dataset.test === 'chip-path'")
            tab.type("don")
            tab.until("!!document.querySelector('.chips [role=option]')", shows=field)
            tab.press("ArrowDown")
            tab.press("Enter")
            same(tab.run("document.activeElement.value"), "done", "the completed property")
            tab.press("Tab")
            same(tab.focused(), "chip-op", "behind the property")
            tab.press("Tab")
            same(tab.focused(), "chip-value", "behind the operator")
            tab.type("true")
            tab.press("Enter")
            same(tab.run(field), "done == true", "the text of the chips")
            tab.until(f"{rows} === 3 && location.hash.includes('filter=done')", shows="location.hash")
            # Text: the chips follow.
            tab.run("document.querySelector('[data-test=filter]').focus(); document.querySelector('[data-test=filter]').select()")
            tab.type("done == true and (id > 2 or !(title == 'x'))")
            tab.press("Enter")
            tab.until("document.querySelectorAll('[data-test=chip]').length === 3", shows=field)
            tab.run("document.querySelector('[data-test=filter]').select()")
            tab.type("size(tags) > 0")
            tab.press("Enter")
            tab.until(f"{rows} === 6")
            check("stays text" in seen(tab, "no-chips"), "what chips cannot show is said")
            same(tab.run(field), "size(tags) > 0", "a filter that chips cannot show")
            # Values are completed, operators by the kind of the property.
            tab.run("document.querySelector('[data-test=filter]').select()")
            tab.type("title == 'task 3")
            tab.until("document.querySelectorAll('.line [role=option]').length === 1", shows="document.querySelector('.line').textContent")
            tab.press("ArrowDown")
            tab.press("Enter")
            same(tab.run(field), 'title == "task 3"', "a completed value")
            tab.press("Enter")
            tab.until(f"{rows} === 1", shows="location.hash")
            tab.run("document.querySelector('[data-test=filter]').select()")
            tab.type("tags ")
            tab.until("[...document.querySelectorAll('.line [role=option]')].map((one) => one.textContent).join() === '==,!=,has,hasAny,hasAll,and,or'",
                      shows="[...document.querySelectorAll('.line [role=option]')].map((one) => one.textContent).join()")
            tab.press("Escape")
            tab.run("document.querySelector('[data-test=filter]').select()")
            tab.type("size(tags) > 0")
            tab.press("Enter")
            tab.until(f"{rows} === 6")
            # A fault that this page finds waits; one that the server finds is marked, bytes counted.
            tab.run("document.querySelector('[data-test=filter]').select()")
            tab.type("`né` == 'ü' and done =")
            tab.until("document.querySelector('[data-test=filter-fault]').textContent !== ''")
            same(tab.run("document.querySelector('[data-test=fault-at]').dataset.at"), "21", "where this page sees the fault")
            same(tab.run(rows), 6, "rows behind what is not applied")
            tab.run("document.querySelector('[data-test=filter]').select()")
            tab.type("`né` == 'ü' and title ~= '('")
            tab.press("Enter")
            tab.until("document.querySelector('[data-test=fault-at]')?.dataset.at === '27'",
                      shows="document.querySelector('[data-test=filter-fault]').textContent + document.querySelector('.mirror').innerHTML")
            same(tab.run(rows), 6, "rows beside a bad filter")


# Entity -------------------------------------------------------------------------------------------

SCHEMA = {"types": {"article": {
    "identifier": "integer", "properties": {
        "title": {"type": "string", "required": True, "maxLength": 20}, "status": {"type": "string", "enum": ["draft", "live"], "default": "draft"},
        "points": {"type": "integer", "minimum": 0}, "body": {"type": "string", "lazy": True}, "deep": {"type": "object"}},
    "relationships": {"author": {"type": "person", "association": "one"}}}}}


def configured(binary, data, schema=None, *flags):
    file = data / "freshet.json"
    file.write_text(json.dumps(schema or SCHEMA))
    return Server(binary, None, "--config", str(file), *flags)


@case("an entity is read, changed beside exact numbers and saved byte for byte; the form edits the same text", 412)
def entity(context):
    exact = '{"id":7,"n":0.1000,"far":9007199254740993,"many":1234567890123456789012345678901234567890,"huge":1e400,"title":"a","author":3}'
    with folder() as data, configured(context.binary, data) as server:
        server.ask("PUT", "/v1/article/7", exact.encode()).is_(201)
        with at(server, "/v1/article/7") as tab:
            loaded(tab, "0.1000")
            check("person 3" in tab.text("relation"), "the relationship is a link")
            tab.run("const field = document.querySelector('[data-name=title]'); field.focus(); field.select()")
            tab.type("a \"quoted\" title")
            check('"title": "a \\"quoted\\" title"' in editor(tab), "the form edits the text")
            tab.press("Control+s")
            tab.until("document.querySelector('[data-test=edit-state]').dataset.state === 'clean'", shows="document.querySelector('main').textContent")
            same(stored(server, "/v1/article/7"), exact.replace('"title":"a"', '"title":"a \\"quoted\\" title"')[:-1] + ',"status":"draft"}', "what is stored")
            # An untouched text follows the changes of others.
            server.ask("PATCH", "/v1/article/7", {"points": 5}).is_(200)
            loaded(tab, '"points": 5')
            # Unsaved text is asked about.
            edit(tab, '"points": 5', '"points": 6')
            tab.run("location.hash = '#/types'")
            seen(tab, "unsaved")
        with at(server, "/v1/article/8") as tab:
            check("appears here" in seen(tab, "empty"), "an absent entity is a state")
            server.put("/v1/article/8", {"id": 8, "title": "late"})
            loaded(tab, "late")
            server.ask("DELETE", "/v1/article/8").is_(204)
            seen(tab, "removed")
            tab.click("write-again")
            gone(tab, "removed")
            same(server.ask("GET", "/v1/article/8").is_(200).json["title"], "late", "the entity that is written again")
        with at(server, "/v1/article?_new=1") as tab:
            loaded(tab)
            tab.run("globalThis.moved = false; document.querySelector('[data-test=text]').focus();"
                    "document.querySelector('[data-test=text]').addEventListener('blur', () => { moved = true; })")
            seen(tab, "form")
            same(tab.run("moved"), False, "the form comes beside the editor, which keeps the focus")
            write(tab, '{"id": 8, "title": "taken"}')
            tab.click("save")
            seen(tab, "exists")
            edit(tab, "8", "9")
            tab.click("save")
            tab.until("location.hash === '#/v1/article/9'", shows="document.querySelector('main').textContent")
            loaded(tab, "taken")
        with at(server, "/v1/article?_new=1&_from=9") as tab:
            loaded(tab, "taken")
            check('"id"' not in editor(tab), "a duplicate has no id yet")
        with at(server, "/v1/article/9?_ro=1") as tab:
            loaded(tab, "taken")
            same(tab.run("document.querySelector('[data-test=text]').readOnly"), True, "an address that only shows")
            check("_ro" in tab.run("document.querySelector('[data-test=save]').title"), "why it cannot be saved")


@case("a field that is no JSON keeps the entity from being saved, and beside a broken text the form waits")
def form_waits(context):
    field = "document.querySelector('[data-name=points]')"
    with folder() as data, configured(context.binary, data) as server:
        server.put("/v1/article/1", {"id": 1, "title": "a", "points": 1})
        with at(server, "/v1/article/1") as tab:
            loaded(tab, '"points": 1')
            tab.run(f"{field}.focus(); {field}.select()")
            tab.type("[2")
            tab.until("document.querySelector('[data-test=save]').title.includes('points is no JSON')", shows="document.querySelector('[data-test=save]').outerHTML")
            same(tab.text("edit-state"), "Not saved yet.", "what is typed is not forgotten")
            tab.press("Control+s")
            same(stored(server, "/v1/article/1").count('"points":1'), 1, "nothing is saved without it")
            # Another's change draws the form anew; what waits stays in its field.
            server.ask("PATCH", "/v1/article/1", {"title": "theirs"}).is_(200)
            seen(tab, "merge-now")
            tab.click("merge-now")
            tab.until("document.querySelector('[data-name=title]').value === 'theirs'")
            same(tab.run(f"[{field}.value, {field}.checkValidity()]"), ["[2", False], "the draft")
            server.ask("PATCH", "/v1/article/1", {"points": 7}).is_(200)
            seen(tab, "merge-now")
            tab.click("merge-now")
            loaded(tab, '"points": 7')
            same(tab.run(f"[{field}.value, {field}.checkValidity()]"), ["[2", False], "the draft of a member that another has changed")
            tab.run(f"{field}.focus(); {field}.setSelectionRange(0, 1); document.execCommand('delete')")
            tab.until("document.querySelector('[data-test=text]').value.includes('\"points\": 2')", shows="document.querySelector('[data-test=text]').value")
            tab.press("Control+s")
            tab.until("document.querySelector('[data-test=edit-state]').dataset.state === 'clean'", shows="document.querySelector('main').textContent")
            check('"points":2' in stored(server, "/v1/article/1"), stored(server, "/v1/article/1"))
            # The text is broken: the form cannot write into it, and says so.
            edit(tab, '"points": 2', '"points": 2,,')
            tab.until(f"{field}.disabled && document.querySelector('[data-test=form]').textContent.includes('no JSON object')", shows="document.querySelector('[data-test=form]').outerHTML")
            edit(tab, ",,", "")
            tab.until(f"!{field}.disabled && !document.querySelector('[data-test=form]').textContent.includes('no JSON object')")
            # What waits is dropped with all that was changed.
            tab.run(f"{field}.focus(); {field}.select()")
            tab.type("{")
            tab.until("document.querySelector('[data-test=edit-state]').dataset.state === 'dirty'")
            tab.click("revert")
            tab.until(f"{field}.value === '2'")
            tab.until("document.querySelector('[data-test=edit-state]').dataset.state === 'clean'")


@case("what a field waits with is lost neither by a choice between two texts, nor by writing again, nor in a long text", 404)
def form_waits_for_all(context):
    field = "document.querySelector('[data-name=points]')"

    def draft(tab, text):
        tab.run(f"{field}.focus(); {field}.select()")
        tab.type(text)

    with folder() as data, configured(context.binary, data) as server:
        server.put("/v1/article/1", {"id": 1, "title": "a", "points": 1})
        with at(server, "/v1/article/1") as tab:
            loaded(tab, '"points": 1')
            edit(tab, '"a"', '"mine"')
            draft(tab, "[2")
            server.ask("PATCH", "/v1/article/1", {"title": "theirs"}).is_(200)
            seen(tab, "merge-now")
            tab.click("merge-now")
            seen(tab, "conflicts")
            tab.run("document.querySelector('[data-test=conflict] input[value=mine]').click()")
            tab.click("save-choices")
            check("points is no JSON" in seen(tab, "waits"), "why nothing is saved")
            same(server.ask("GET", "/v1/article/1").is_(200).json["title"], "theirs", "what is stored")
            server.ask("DELETE", "/v1/article/1").is_(204)
            seen(tab, "removed")
            tab.click("write-again")
            seen(tab, "waits")
            same(server.ask("GET", "/v1/article/1").status, 404, "what was removed")
            # The form stays beside a text that is long by now, until nothing waits in it.
            edit(tab, '"mine"', '"mine", "long": "' + "x" * 300_000 + '"')
            same(tab.run(f"[{field}.value, {field}.checkValidity()]"), ["[2", False], "the draft")
            draft(tab, "7")
            seen(tab, "text-only")
            tab.click("save")
            tab.until("document.querySelector('[data-test=edit-state]').dataset.state === 'clean'", shows="document.querySelector('main').textContent.slice(0, 500)")
            same(server.ask("GET", "/v1/article/1").is_(200).json["points"], 7, "what is stored")


@case("two writers: what only one has changed is merged, conflicts are chosen, nothing is lost", 412, 404)
def merging(context):
    base = {"id": 1, "title": "t", "points": 1, "deep": {"a": 1, "b": {"c": 1, "d": 1}}, "list": [1, 2]}
    with Server(context.binary) as server:
        def overlap(name, mine, theirs, wanted, choices=(), conflicts=0):
            """`mine`: pairs of texts in the editor; `theirs`: a merge patch, None removes the entity."""
            server.put("/v1/t/1", base)
            with at(server, "/v1/t/1") as tab:
                loaded(tab, '"title"')
                # The other's change is told of by the answer to the save alone: the stream is held.
                for old, new in mine:
                    edit(tab, old, new)
                if theirs is None:
                    server.ask("DELETE", "/v1/t/1").is_(204)
                else:
                    server.ask("PATCH", "/v1/t/1", theirs).is_(200)
                tab.click("save")
                if conflicts:
                    seen(tab, "conflicts")
                    same(tab.run("document.querySelectorAll('[data-test=conflict]').length"), conflicts, f"{name}: conflicts")
                    same(tab.run("document.querySelector('[data-test=save]').ariaDisabled"), "true", f"{name}: saving without a choice")
                    # A third change meanwhile is merged behind the choice.
                    server.ask("PATCH", "/v1/t/1", {"third": 3}).is_(200)
                    wanted = {**wanted, "third": 3}
                    for index, side in enumerate(choices):
                        tab.run(f"document.querySelectorAll('[data-test=conflict]')[{index}].querySelector('input[value={side}]').click()")
                    tab.click("save-choices")
                if theirs is None:
                    seen(tab, "removed")
                    same(server.ask("GET", "/v1/t/1").status, 404, f"{name}: what was removed stays so until it is said")
                    tab.click("write-again")
                tab.until("document.querySelector('[data-test=edit-state]').dataset.state === 'clean'"
                          " && document.querySelector('[data-test=save]').ariaBusy !== 'true'",
                          shows="document.querySelector('main').textContent")
                same(server.ask("GET", "/v1/t/1").is_(200).json, wanted, name)

        overlap("different members", [('"title": "t"', '"title": "mine"')], {"points": 2}, {**base, "title": "mine", "points": 2})
        overlap("the same change", [('"title": "t"', '"title": "same"')], {"title": "same"}, {**base, "title": "same"})
        overlap("different members of one object", [('"c": 1', '"c": 2')], {"deep": {"b": {"d": 2}}},
                {**base, "deep": {"a": 1, "b": {"c": 2, "d": 2}}})
        overlap("the same member", [('"title": "t"', '"title": "mine"'), ('"a": 1', '"a": 2')], {"title": "theirs", "points": 3},
                {**base, "title": "theirs", "points": 3, "deep": {"a": 2, "b": {"c": 1, "d": 1}}}, ["theirs"], 1)
        overlap("an array of both, and a member that one removes", [("[1, 2]", "[1, 2, 3]"), ('"points": 1', '"points": 9')],
                {"list": [2], "points": None}, {**{k: v for k, v in base.items() if k != "points"}, "list": [1, 2, 3]}, ["theirs", "mine"], 2)
        overlap("removed meanwhile", [('"title": "t"', '"title": "kept"')], None, {**base, "title": "kept"})
        # A change that comes while one edits is told, and merged when it is asked for.
        server.put("/v1/t/1", base)
        with at(server, "/v1/t/1") as tab:
            loaded(tab, '"title"')
            edit(tab, '"title": "t"', '"title": "mine"')
            server.ask("PATCH", "/v1/t/1", {"points": 7}).is_(200)
            check("points" in seen(tab, "changed-by-other"), "the differing member is named")
            check('"title": "mine"' in editor(tab) and '"points": 1' in editor(tab), "the edited text stays")
            tab.click("merge-now")
            loaded(tab, '"points": 7')
            check('"title": "mine"' in editor(tab), "mine stays in the merged text")
            tab.click("save")
            tab.until("document.querySelector('[data-test=edit-state]').dataset.state === 'clean'")
            same(server.ask("GET", "/v1/t/1").json, {**base, "title": "mine", "points": 7}, "both changes")


def merged(base, mine, theirs, conflicts):
    """What the merge of two changes is, member by member; `conflicts` collects names on both sides' way."""
    result = {}
    for name in {**mine, **theirs, **base}:
        was, ours, others = (one.get(name) for one in (base, mine, theirs))
        if ours == others or others == was:
            value = ours
        elif ours == was:
            value = others
        elif isinstance(ours, dict) and isinstance(others, dict):
            value = merged(was if isinstance(was, dict) else {}, ours, others, conflicts)
        else:
            conflicts.append(name)
            value = ours
        if value is not None:
            result[name] = value
    return result


@case("300 random pairs of changes are merged as a merge of trees says, and a choice of theirs gives theirs")
def random_merges(context):
    random = context.random

    def tree(depth=0):
        if depth < 3 and random.random() < 0.4:
            return {name: tree(depth + 1) for name in random.sample(["a", "b/c", "~d", "é", "__proto__", ""], random.randint(0, 4))}
        return random.choice([1, 2, "x", "y", "t", [1], [1, 2], []])

    def change(value):
        kept = {name: change(one) if isinstance(one, dict) else tree(2) if random.random() < 0.2 else one
                for name, one in value.items() if random.random() > 0.15}
        return {**kept, **({random.choice(["a", "new", "b/c"]): tree(1)} if random.random() < 0.3 else {})}
    cases = []
    for _ in range(300):
        base = {name: tree(1) for name in ("a", "b/c", "c", "d")}
        cases.append([base, change(base), change(base)])
    with Server(context.binary) as server, browser().open(f"{server.url}/livez") as tab:
        found = tab.run("(async () => { const { merge, choose } = await import('/console/merge.js');"
                        f"return {json.dumps([[json.dumps(one) for one in case] for case in cases])}.map(([base, mine, theirs]) => {{"
                        "const { text, conflicts } = merge(base, mine, theirs);"
                        "return [text, conflicts.length, choose(text, conflicts, conflicts.map(() => 'theirs'))]; }); })()")
        some = 0
        for (base, mine, theirs), (text, count, chosen) in zip(cases, found):
            conflicts = []
            same(json.loads(text), merged(base, mine, theirs, conflicts), f"merge of {base}, {mine}, {theirs}")
            same(count, len(conflicts), f"conflicts of {base}, {mine}, {theirs}")
            same(json.loads(chosen), merged(base, theirs, mine, []), f"theirs chosen of {base}, {mine}, {theirs}")
            some += count > 0
        check(30 < some < 270, f"{some} of 300 have a conflict")


@case("faults stand at their lines, the text is kept, and what became of a write is said", 422, 400, 412, 503, 507, "lost")
def refused(context):
    with folder() as data, configured(context.binary, data) as server:
        server.put("/v1/article/1", {"id": 1, "title": "t", "points": 1})
        with at(server, "/v1/article/1") as tab:
            loaded(tab, '"points"')
            line = "[...document.querySelectorAll('[data-test=line-at-fault]')].map((node) => node.textContent).join()"
            edit(tab, '"points": 1', '"points": -1')
            edit(tab, '"title": "t"', '"title": 5')
            tab.click("save")
            tab.until(f"{line} === '3,4'", shows=line)
            check("expected a string" in tab.run("document.querySelector('.faults').textContent"), "the fault is told")
            write(tab, '{\n  "id": 1,\n  "title": "é",\n  "points": x\n}')
            tab.click("save")
            tab.until(f"{line} === '4'", shows=line)
            same(editor(tab), '{\n  "id": 1,\n  "title": "é",\n  "points": x\n}', "the text that was refused")
            kept = '{"id": 1, "title": "kept", "points": 3}'
            write(tab, kept)

            def problem(status, code, outcome):
                return status, {"type": f"/problems/{code}", "title": code, "status": status, "code": code, "detail": code,
                                "outcome": outcome, "requestId": "1"}, {"Content-Type": "application/problem+json"}
            for status, code, outcome in ((507, "storage-full", "not-applied"), (503, "storage-failed", "unknown")):
                tab.answer(("/v1/article/1$", problem(status, code, outcome)))
                tab.click("save")
                seen(tab, f"outcome-{outcome}")
                same(editor(tab), kept, f"the text behind {status}")
            tab.answer(("/v1/article/1$", None))
            tab.click("save")
            seen(tab, "outcome-unknown")
            # It had been kept: saving again compares, and finds it so.
            server.ask("PUT", "/v1/article/1", kept.encode()).is_(200)
            tab.answer()
            tab.click("save")
            gone(tab, "outcome-unknown")
            tab.until("document.querySelector('[data-test=edit-state]').dataset.state === 'clean'", shows="document.querySelector('main').textContent")
        # A real disk that takes no more: text kept, controls off, the reason said.
        with folder() as disk, Server(context.binary, disk) as full:
            full.put("/v1/t/1", {"id": 1, "n": 1})
            with at(full, "/v1/t/1") as tab:
                loaded(tab, '"n": 1')
                edit(tab, '"n": 1', '"n": 2')
                resource.prlimit(full.process.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
                tab.click("save")
                seen(tab, "problem")
                check('"n": 2' in editor(tab), "the text that was not saved")
                tab.until("document.querySelector('[data-test=save]').ariaDisabled === 'true'", shows="document.querySelector('main').textContent")


@case("each state of an entity is drawn: forbidden, read by rule, lazy, long, unfit, undelivered", 403, 404)
def states(context):
    access = {"access": {"anonymous": {"article": {"read": "status == 'live'"}, "secret": {}}}}
    with folder() as data:
        with Server(context.binary, data) as server:
            server.put("/v1/article/1", {"id": 1, "title": "a title that is far too long for it", "points": -1})
            server.put("/v1/article/2", {"id": 2, "title": "fits", "body": "x" * 300_000})
            server.put("/v1/w/1", {"id": 1})
        remote = {"upstream": "api", "get": {"path": "/w/{id}"}, "create": {"method": "PUT", "path": "/w/{id}"},
                  "update": {"method": "PUT", "path": "/w/{id}"}}
        schema = {"upstreams": {"api": {"base": "http://127.0.0.1:9", "retry": {"limit": 50}}},
                  "types": {**SCHEMA["types"], "w": {"remote": remote}}}
        file = data / "freshet.json"
        file.write_text(json.dumps(schema))
        with Server(context.binary, data, "--config", str(file)) as server:
            with at(server, "/v1/article/1") as tab:
                check("/title" in seen(tab, "unfit") and "/points" in tab.text("unfit"), "the faults of an unfit entity")
                edit(tab, '"points": -1', '"points": 1')
                edit(tab, "a title that is far too long for it", "a title")
                tab.click("save")
                gone(tab, "unfit")
                check("keeps the stored value" in seen(tab, "form"), "a lazy member is marked")
            with at(server, "/v1/article/2") as tab:
                check("text alone" in seen(tab, "text-only"), "a long entity")
            server.ask("PUT", "/v1/w/2?target=both", {"id": 2}).is_(202)
            with at(server, "/v1/w/2") as tab:
                seen(tab, "outbox-link")
                tab.run("document.querySelector('[data-test=outbox-link]').click()")
                tab.until("document.querySelectorAll('[data-test=rows] [data-test=row]').length === 1", shows="document.querySelector('main').textContent")
        with configured(context.binary, data, {**SCHEMA, **access}) as server:
            for path in ("/v1/secret/1", "/v1/article/1"):
                with at(server, path) as tab:
                    tab.until("!!document.querySelector('[data-test=problem], [data-test=empty]')", shows="document.querySelector('main').textContent")
                    check(tab.run("document.querySelector('[data-test=save]').ariaDisabled === 'true'"), f"{path}: no right to write")


# Pauses of 5 s are short; `hide` hides the tab.
HIDING = """for (const name of ['setTimeout', 'setInterval']) {
        const plain = globalThis[name];
        globalThis[name] = (act, wait, ...rest) => plain(act, wait === 5000 ? 200 : wait, ...rest);
    }
    let isHidden = false;
    Object.defineProperty(Document.prototype, 'hidden', { get: () => isHidden });
    globalThis.hide = (value) => { isHidden = value; };"""


@case("what a remote has yet to learn is asked for again while the tab is seen, not while it is hidden")
def pending(context):
    remote = {"upstream": "api", "get": {"path": "/w/{id}"}, "update": {"method": "PUT", "path": "/w/{id}"}, "create": {"method": "PUT", "path": "/w/{id}"}}
    schema = {"upstreams": {"api": {"base": "http://127.0.0.1:9", "retry": {"limit": 50}}}, "types": {"w": {"remote": remote}}}
    asked = lambda: browser().call("Browser.getVersion") and [url for url, _ in browser().requests if "meta=true&source=local" in url]  # noqa: E731
    with folder() as data, configured(context.binary, data, schema) as server:
        server.ask("PUT", "/v1/w/2?target=both", {"id": 2}).is_(202)
        with at(server, "/v1/w/2", before=HIDING) as tab:
            seen(tab, "outbox-link")
            tab.run("hide(true); new Promise((go) => setTimeout(go, 400)).then(() => 0)")
            browser().requests.clear()
            tab.run("new Promise((go) => setTimeout(go, 1000)).then(() => 0)")
            same(asked(), [], "what a hidden tab asks for")
            tab.run("hide(false)")
            soon(asked, "the next request")


@case("Delete removes the entity that is shown, once it is confirmed")
def removed_by_key(context):
    with Server(context.binary) as server:
        server.put("/v1/t/1", {"n": 1})
        with at(server, "/v1/t/1") as tab:
            tab.until("document.querySelector('[data-test=remove]') && document.querySelector('[data-test=remove]').ariaDisabled !== 'true'")
            tab.press("Delete")
            seen(tab, "confirm")
            tab.press("Enter")
            tab.until("location.hash === '#/v1/t'", shows="location.hash")
            soon(lambda: server.get("/v1/t").json["items"] == [], "the removal")


# Writes of the page's own wait as long as `delay` says.
SLOWLY = """globalThis.delay = 0; (() => { const plain = fetch; globalThis.fetch = async (input, init) => {
    if (delay && ['POST', 'PUT', 'DELETE'].includes(init?.method) && !String(input).includes('_live')) await new Promise((go) => setTimeout(go, delay));
    return plain(input, init); }; })();"""
PAGE = "[location.hash, document.querySelector('h1').textContent]"


def leave(tab):
    tab.run("[...document.querySelectorAll('[data-test=unsaved] button')].find(({ textContent }) => textContent === 'Leave').click()")


@case("what ends after its page was left takes nobody back: a new entity that is stored, one that is removed")
def left(context):
    with Server(context.binary) as server:
        server.put("/v1/t/1", {"n": 1})
        with at(server, "/v1/t?_new=1", before=SLOWLY) as tab:
            loaded(tab)
            write(tab, '{"id": 2}')
            tab.run("delay = 500; document.querySelector('[data-test=save]').click(); location.hash = '#/types'; 0")
            seen(tab, "unsaved")
            leave(tab)
            tab.until("document.querySelector('h1').textContent === 'Types'")
            soon(lambda: server.get("/v1/t/2").status == 200, "the new entity")
            tab.run("delay = 0; location.hash = '#/v1/t/1'; 0")
            loaded(tab)
            tab.run("delay = 500; document.querySelector('[data-test=remove]').click(); 0")
            seen(tab, "confirm")
            tab.press("Enter")
            gone(tab, "confirm")
            tab.run("location.hash = '#/types'; 0")
            soon(lambda: server.get("/v1/t/1").status == 404, "the removal")
            tab.run("new Promise((go) => setTimeout(go, 200)).then(() => 0)")
            same(tab.run(PAGE), ["#/types", "Types"], "where the user went")


@case("what is typed while a new entity is stored belongs to it: its address comes, the page stays, the next save is a change of it", 404)
def typed_on(context):
    with Server(context.binary) as server, at(server, "/v1/t?_new=1", before=SLOWLY) as tab:
        loaded(tab)
        write(tab, '{"a": 1}')
        tab.run("delay = 400; document.querySelector('[data-test=save]').click(); globalThis.area = document.querySelector('[data-test=text]'); 0")
        write(tab, '{"a": 1, "b": 2}')
        tab.until("!location.hash.includes('_new')", shows="document.body.textContent")
        same(tab.run("[document.activeElement === area, area.value, document.querySelectorAll('dialog').length]"), [True, '{"a": 1, "b": 2}', 0], "the editor")
        id_ = server.get("/v1/t").json["items"][0]["id"]
        same(tab.run("[location.hash, document.title]"), [f"#/v1/t/{id_}", f"t / {id_} – Freshet"], "where the page is")
        tab.press("Control+s")
        saved(tab)
        same(server.get("/v1/t").json["items"], [{"id": id_, "a": 1, "b": 2}], "what is stored")
        server.ask("PATCH", f"/v1/t/{id_}", {"c": 3}).is_(200)
        loaded(tab, '"c": 3')
        tab.click("remove")
        seen(tab, "confirm")


@case("whether to leave is asked once, and no more when the text is saved; the buttons of another's change keep the focus")
def asked_once(context):
    with Server(context.binary) as server:
        server.put("/v1/t/1", {"n": 1})
        with at(server, "/types", before=SLOWLY) as tab:
            tab.until("!!document.querySelector('h1')")
            tab.run("location.hash = '#/v1/t/1'; 0")
            loaded(tab, '"n": 1')
            edit(tab, '"n": 1', '"n": 2')
            server.ask("PATCH", "/v1/t/1", {"m": 1}).is_(200)
            seen(tab, "take-theirs")
            tab.run("document.querySelector('[data-test=take-theirs]').focus()")
            server.ask("PATCH", "/v1/t/1", {"k": 1}).is_(200)
            tab.until("document.querySelectorAll('[data-test=changed-by-other] code').length === 2", shows="document.querySelector('main').textContent")
            same(tab.focused(), "take-theirs", "the focus")
            tab.click("merge-now")
            gone(tab, "changed-by-other")
            tab.run("delay = 600; document.querySelector('[data-test=save]').click(); location.hash = '#/access'; 0")
            seen(tab, "unsaved")
            tab.run("location.hash = '#/types'; 0")
            tab.run("new Promise((go) => setTimeout(go, 100)).then(() => 0)")
            same(tab.run("document.querySelectorAll('[data-test=unsaved]').length"), 1, "questions")
            gone(tab, "unsaved")
            same(server.get("/v1/t/1").json["n"], 2, "what is saved")
            tab.until("document.querySelector('h1').textContent === 'Types'", shows=PAGE)


@case("what goes back to what is stored goes to what another has stored since")
def reverted(context):
    with Server(context.binary) as server:
        server.put("/v1/t/1", {"n": 1})
        with at(server, "/v1/t/1") as tab:
            loaded(tab, '"n": 1')
            edit(tab, '"n": 1', '"n": 2')
            server.ask("PATCH", "/v1/t/1", {"m": 1}).is_(200)
            seen(tab, "changed-by-other")
            server.ask("PATCH", "/v1/t/1", {"m": None}).is_(200)
            gone(tab, "changed-by-other")
            check('"n": 2' in editor(tab), "the text that is not saved")
            server.ask("PATCH", "/v1/t/1", {"m": 5}).is_(200)
            seen(tab, "changed-by-other")
            tab.click("revert")
            loaded(tab, '"m": 5')
            gone(tab, "changed-by-other")
            check('"n": 1' in editor(tab), "the text")
            edit(tab, '"n": 1', '"n": 3')
            tab.click("save")
            saved(tab)
            now = server.get("/v1/t/1").json
            same([now["n"], now["m"]], [3, 5], "what is stored")


@case("an unsaved text outlives a new sign-in; after a new epoch the entity is followed anew", 401, "lost", 404, 503)
def kept(context):
    access = {"access": {"tokens": [{"name": name, "sha256": hashlib.sha256(name.encode()).hexdigest(), "subject": name,
                                     "types": {"t": {"read": True, "write": True}}} for name in ("one", "two")]}}
    with folder() as data, configured(context.binary, data, access) as server:
        server.ask("PUT", "/v1/t/1", {"n": 1}, {"Authorization": "Bearer one"}).is_(201)
        with browser().open(f"{server.url}/livez") as tab:
            tab.run("sessionStorage.setItem('freshet-token', 'one')")
            tab.go(f"{server.url}/#/v1/t/1")
            loaded(tab, '"n": 1')
            edit(tab, '"n": 1', '"n": 2')
            access["access"]["tokens"].pop(0)
            (data / "freshet.json").write_text(json.dumps(access))
            server.signal(signal.SIGHUP)
            seen(tab, "sign-in")
            tab.run("document.querySelector('[data-test=token]').focus()")
            tab.type("two")
            tab.press("Enter")
            gone(tab, "sign-in")
            check('"n": 2' in editor(tab), "the text behind the sign-in")
            tab.click("save")
            saved(tab)
            same(server.ask("GET", "/v1/t/1", headers={"Authorization": "Bearer two"}).is_(200).json["n"], 2, "what is stored")
    with Server(context.binary) as server:
        port = server.port
        for n in range(9):
            server.put("/v1/t/1", {"n": n})
        tab = at(server, "/v1/t/1")
        loaded(tab, '"n": 8')
        server.kill()
    with Server(context.binary, port=port) as server:
        server.put("/v1/t/1", {"n": 100})
        loaded(tab, '"n": 100')
        edit(tab, "100", "101")
        tab.click("save")
        saved(tab)
        same(server.ask("GET", "/v1/t/1").json["n"], 101, "what is saved in the new epoch")
        tab.close()


@case("an entity of hostile texts is shown as text, edited and saved; ids of all kinds lead to their entity")
def hostile(context):
    ids = ["a/b", "a#b", "a?b=c&d", "100%", "two words", "x" * 256, "<img src=x onerror=alert(1)>", "javascript:alert(1)",
           "\u202eevil", "é\u0301\u200b", "constructor", "9007199254740993", "007"]
    members = {"__proto__": "own", "constructor": 1, "toString": None, "": "empty", "<b>": "</textarea><script>alert(1)</script>",
               "text": "\u202eright\u2066 \u200bto left", "${1}": "{{1}}"}
    with Server(context.binary) as server:
        for key in ids:
            server.put(f"/v1/odd/{quoted(key)}", {**members, "n": 1})
        with at(server, "/types") as tab:
            for key in ids:
                tab.run(f"location.hash = {json.dumps('#/v1/odd/' + quoted(key))}")
                shown = "String(JSON.parse(document.querySelector('[data-test=text]')?.value || '{}').id)"
                exact = "(document.querySelector('[data-test=text]')?.value ?? '')"
                # A number that a page cannot hold is looked for as its digits: the id before may have those of this one in it.
                digits = json.dumps(f'"id": {key},')
                tab.until(f"{exact}.includes({digits}) || {shown} === {json.dumps(key)}", shows=f"[location.hash, {exact}, {shown}]")
                check("\u202e" not in editor(tab) and "\u200b" not in editor(tab), "what turns or hides text is escaped")
                edit(tab, '"n": 1', '"n": 2')
                tab.click("save")
                tab.until("document.querySelector('[data-test=edit-state]').dataset.state === 'clean'"
                          " && document.querySelector('[data-test=save]').ariaBusy !== 'true'", shows="document.querySelector('main').textContent")
                found = server.ask("GET", f"/v1/odd/{quoted(key)}").is_(200).json
                same({**found, "id": str(found["id"])}, {**members, "n": 2, "id": key}, f"the entity {key!r}")
                check(tab.run("document.documentElement.scrollWidth <= innerWidth"), f"{key!r} makes the page wide")
        with at(server, "/v1/odd") as tab:
            tab.until(f"document.querySelectorAll('tbody tr[data-id]').length === {len(ids)}", shows="document.querySelector('main').textContent")
            same(sorted(tab.run("[...document.querySelectorAll('tbody tr[data-id]')].map((row) => row.dataset.id)")), sorted(ids), "ids of the rows")
            same(sorted(tab.run("[...document.querySelectorAll('tbody tr[data-id] a')].map((link) => decodeURIComponent(link.hash.split('/')[3]))")), sorted(ids),
                 "where the rows lead")
            same(tab.run("document.querySelectorAll('main :is(img, script, iframe, object)').length"), 0, "elements made by data")
            check(tab.run("[...document.querySelectorAll('main .unseen')].some((chip) => chip.textContent === 'U+202E')"), "what turns text is a chip")
            check(tab.run("document.documentElement.scrollWidth <= innerWidth"), "the table makes the page wide")
            tab.click("add-test")
            tab.type("<")
            tab.until("!!document.querySelector('.chips [role=option]')", shows="document.querySelector('.chips').textContent")
            tab.press("ArrowDown")
            tab.press("Enter")
            tab.press("Tab")
            tab.press("Tab")
            tab.type("<script>")
            tab.press("Enter")
            same(tab.run("document.querySelector('[data-test=filter]').value"), '`<b>` == "<script>"', "a filter of hostile texts")
            tab.until("document.querySelectorAll('tbody tr[data-id]').length === 0", shows="location.hash")
            tab.run("document.querySelector('[data-test=filter]').focus(); document.querySelector('[data-test=filter]').select()")
            tab.type("`__proto__` == 'own' and `` != '' and id != '\u202eevil'")
            tab.press("Enter")
            tab.until(f"document.querySelectorAll('tbody tr[data-id]').length === {len(ids) - 1}", shows="document.querySelector('main').textContent")
        deep = 1
        for _ in range(60):
            deep = {"a": deep}
        server.put("/v1/odd/deep", {"deep": deep})
        server.put("/v1/odd/long", {"text": "x" * 1_000_000})
        with at(server, "/v1/odd/deep") as tab:
            loaded(tab, '"deep"')
        with at(server, "/v1/odd/long") as tab:
            loaded(tab, "x" * 1000)
            same(len(json.loads(editor(tab))["text"]), 1_000_000, "a text of a million characters")


# Explain, copy as ---------------------------------------------------------------------------------

@case("explain says how rows were found, which index would help, and why an entity is in or out", 404)
def explained(context):
    with folder() as data, Server(context.binary) as server:
        rows = [{"id": n, "n": n, "kind": "ab"[n % 2], "done": n % 3 == 0} for n in range(1, 10_051)]
        for start in range(0, len(rows), 5000):
            server.ask("POST", "/v1/t/_set", rows[start:start + 5000]).is_(200)
        query = "/v1/t?filter=kind=='a'+and+n>10000&order=-n&limit=20&_panel=explain"
        with at(server, query) as tab:
            check("10,050 rows looked at" in seen(tab, "plan-sentence"), tab.text("plan-sentence"))
            check('{"types":{"t":{"indexes":[["kind","-n"]]}}}' in seen(tab, "scan"), tab.text("scan"))

            wanted = tab.run("""import('/console/explain.js').then(({ wantedIndex }) => [
                [null, null], ['n > 1 and kind == "a"', null], ['n > 1', 'title:ci'], ['kind in ["a","b"]', '-at,kind'], ['`a b` == 1', 'n,-id']]
                .map(([filter, order]) => wantedIndex('t', filter, order)))""")
            same([json.loads(one)["types"]["t"]["indexes"][0] if one else None for one in wanted],
                 [None, ["kind", "n"], "n", ["kind", "-at"], ["`a b`", "n"]], "indexes that would help")
            for one in filter(None, wanted):
                (data / "freshet.json").write_text(one)
                told = subprocess.run([context.binary, "check", "--config", str(data / "freshet.json")], capture_output=True, text=True, timeout=60)
                same(told.returncode, 0, f"{one}: {told.stderr}")

            def why(key):
                tab.run("document.querySelector('[data-test=why]').replaceChildren(); document.querySelector('[data-test=why-id]').value = ''; document.querySelector('[data-test=why-id]').focus()")
                tab.type(str(key))
                tab.press("Enter")
                return seen(tab, "verdict")
            check("among the rows" in why(10_050), "one that is shown")
            check("outside the window" in why(10_002), "one that is beyond the limit")
            check("Not in the filter" in why(4), "one that the filter leaves out")
            same(tab.run("[...document.querySelectorAll('[data-test=node]')].map((row) => row.cells[1].textContent).join()"), "false,true,false",
                 "truth of each part")
            check("Nothing is stored" in why(99_999), "one that is not there")
        with at(server, "/v1/t?filter=kind=='a'&group=done&limit=10&_panel=explain") as tab:
            check("looked at for 10 shown" in seen(tab, "plan-sentence"), tab.text("plan-sentence"))
            key = tab.run("document.querySelector('[data-test=group] tbody a').textContent")
            check("among the rows" in why(key), "one that is shown in a group")
            # What was asked before, or of another filter, does not come over what is asked now.
            tab.run("""globalThis.plain = fetch; globalThis.fetch = async (url, options) => {
                if (String(url).includes('/4?matches=')) await new Promise((go) => { globalThis.release = go; });
                return plain(url, options); }; 0""")

            def other():
                tab.run("location.hash = location.hash.replace('limit=10', 'limit=9'); 0")
                tab.until("document.querySelector('[data-test=why]').textContent === ''", shows="document.querySelector('main').textContent")
            for late in (lambda: why(99_999), other):
                tab.run("globalThis.release = null; document.querySelector('[data-test=why-id]').value = '4'; document.querySelector('[data-test=why-ask]').click(); 0")
                tab.until("!!release")
                late()
                tab.until("!document.querySelector('[data-test=plan] .loading')", shows="document.querySelector('main').textContent")
                shown = tab.text("why")
                tab.run("release(); new Promise((go) => setTimeout(go, 400)).then(() => 0)")
                same(tab.text("why"), shown, "the answer of the last question")
    with folder() as data, configured(context.binary, data, {"access": {"anonymous": {"t": {"read": "n > 1", "write": True}}}}) as server:
        for n in range(4):
            server.put(f"/v1/t/{n}", {"id": n, "n": n})
        with at(server, "/v1/t?filter=n>0&_panel=explain") as tab:
            check("not told" in seen(tab, "plan-restricted") and "2 rows" in tab.text("plan-restricted"), "a plan under a row rule")


@case("each copied command is run, and gives the rows that are shown")
def copied(context):
    with Server(context.binary) as server:
        server.ask("POST", "/v1/task/_set", [
            {"id": n, "title": f"it's \"{n}\"", "n": n, "tags": ["a b"]} for n in range(1, 9)]).is_(200)
        query = "/v1/task?filter=n>2+and+title!=\"it's+\\\"5\\\"\"&order=-n&limit=4&fields=title,n"
        hash_of = query.replace('"', "%22").replace("'", "%27").replace("\\", "%5C")
        wanted = [8, 7, 6, 4]

        def run(command):
            env = {**environment(), "PATH": os.environ["PATH"] + os.pathsep + tools}
            return subprocess.run(["bash", "-c", command], capture_output=True, text=True, env=env, timeout=60)
        with tempfile.TemporaryDirectory() as tools, at(server, hash_of) as tab:
            os.symlink(context.binary, f"{tools}/freshet")
            tab.until("document.querySelectorAll('tbody tr[data-id]').length === 4", shows="document.querySelector('main').textContent")
            tab.press("c")
            seen(tab, "copy-text")

            def text(form):
                tab.run(f"document.querySelector('[data-test=\"copy-{form}\"]').click()")
                return tab.run("document.querySelector('[data-test=copy-text]').value")
            same([row["id"] for row in json.loads(run(text("curl")).stdout)["items"]], wanted, "curl")
            told = run(f"""grep -m1 '"items"' < <({text('curl, live')} 2>/dev/null)""").stdout
            same([row["id"] for row in json.loads(re.search(r"data: (\{.*\"items\".*)", told)[1])["items"]], wanted, "curl, live")
            same([row["id"] for row in json.loads(run(text("CLI") + " --json").stdout)["items"]], wanted, "the program")
            swift = text("Swift")
            check(f'FreshetClient(url: "{server.url}")' in swift and "live=delta" in swift, swift)
            for form, shown in (("EventSource", "told.find(([name]) => name === 'snapshot')?.[1].items"), ("live.js", "told.at(-1)?.[0]"), ("freshet.js", "told.at(-1)?.[0]")):
                code = text(form).replace("console.log(", "told.push([") .replace(")));", ")]));") if form == "EventSource" else text(form).replace("console.log(", "((one) => told.push([one]))(")
                code = re.sub(r"import (\{.*?\}) from (\".*?\");", r"const \1 = await import(\2);", code)
                with browser().open(f"{server.url}/livez") as other:
                    other.run(f"globalThis.told = []; (async () => {{ {code} }})(); 0")
                    other.until(f"JSON.stringify({shown}?.map(({{ id }}) => id)) === '{json.dumps(wanted, separators=(',', ':'))}'", shows="JSON.stringify(told)")
        with at(server, "/v1/task/3") as tab:
            loaded(tab, '"n": 3')
            tab.click("copy-as-button")
            seen(tab, "copy-text")
            command = tab.run("document.querySelector('[data-test=copy-text]').value")
            with tempfile.TemporaryDirectory() as tools:
                same(json.loads(run(command).stdout)["n"], 3, "curl of an entity")
        server.put("/v1/task/-5", {"n": -5}).is_(201)
        server.put("/v1/task/a%2Cb", {"n": 0}).is_(201)
        forms = """[...document.querySelectorAll('[name=copy-as]')].map((choice) => {
            choice.click(); return [choice.dataset.test.slice(5), document.querySelector('[data-test=copy-text]').value]; })"""
        with tempfile.TemporaryDirectory() as tools:
            os.symlink(context.binary, f"{tools}/freshet")
            with at(server, "/v1/task/-5") as tab:
                loaded(tab, '"n": -5')
                tab.click("copy-as-button")
                seen(tab, "copy-text")
                same(json.loads(run(dict(tab.run(forms))["CLI"]).stdout)["n"], -5, "an id that looks like a flag")
            after = server.get("/v1/task?limit=2").json["meta"]["next"]
            with at(server, f"/v1/task?limit=2&after={after}") as tab:
                tab.until("document.querySelectorAll('tbody tr[data-id]').length === 2", shows="document.querySelector('main').textContent")
                tab.press("c")
                seen(tab, "copy-text")
                copied = dict(tab.run(forms))
                same(sorted(copied), ["CLI", "curl", "freshet.js"], "a page behind a cursor is not watched")
                check("no flag for: after" in copied["CLI"], copied["CLI"])
            with at(server, "/v1/task?ids=1,a%2Cb,3") as tab:
                tab.until("document.querySelectorAll('tbody tr[data-id]').length === 3", shows="document.querySelector('main').textContent")
                tab.press("c")
                seen(tab, "copy-text")
                check("no flag for: ids with a comma" in dict(tab.run(forms))["CLI"], dict(tab.run(forms))["CLI"])


@case("a lone percent sign is copied as it stands, and the server's word for it is shown", 400)
def copied_sign(context):
    with Server(context.binary) as server, at(server, "/v1/task?ids=1,50%") as tab:
        seen(tab, "problem")
        tab.press("c")
        seen(tab, "copy-text")
        tab.click("copy-CLI")
        check("1,50%" in tab.run("document.querySelector('[data-test=copy-text]').value"), "the ids")


@case("a name in an address stays in the comment of what is copied, as one word", 400)
def copied_names(context):
    with Server(context.binary) as server, at(server, "/v1/task?%0Acurl%20evil%7Csh&*(e.id.)=1") as tab:
        seen(tab, "problem")
        tab.press("c")
        seen(tab, "copy-text")
        tab.click("copy-CLI")
        lines = tab.run("document.querySelector('[data-test=copy-text]').value").splitlines()
        same(lines[1:], ["# the program has no flag for: _curl_evil_sh, __e.id._"], "what stands behind the command")


@case("what is copied has no token in it, and asks with the one of its environment", 401)
def copied_token(context):
    secret = "a-secret-of-the-page"
    access = {"access": {"tokens": [{"name": "ui", "sha256": hashlib.sha256(secret.encode()).hexdigest(), "subject": "ui",
                                     "types": {"t": {"read": True, "write": True}}}]}}
    with folder() as data, configured(context.binary, data, access) as server:
        server.ask("PUT", "/v1/t/1", {"n": 1}, {"Authorization": f"Bearer {secret}"}).is_(201)
        with browser().open(f"{server.url}/livez") as tab:
            tab.run(f"sessionStorage.setItem('freshet-token', '{secret}')")
            tab.go(f"{server.url}/#/v1/t")
            tab.until("document.querySelectorAll('tbody tr[data-id]').length === 1", shows="document.querySelector('main').textContent")
            tab.press("c")
            seen(tab, "copy-text")
            texts = tab.run("""[...document.querySelectorAll('[name=copy-as]')].map((choice) => {
                choice.click(); return [choice.dataset.test.slice(5), document.querySelector('[data-test=copy-text]').value]; })""")
            same(len(texts), 7, "forms")
            for form, text in texts:
                check(secret not in text, f"the token in {form}")
                check("FRESHET_TOKEN" in text or form == "CLI", f"{form} asks with the token of the environment: {text}")
            texts = dict(texts)
            told = subprocess.run(["bash", "-c", texts["curl"]], capture_output=True, text=True, timeout=60, env={**environment(), "FRESHET_TOKEN": secret})
            same([row["id"] for row in json.loads(told.stdout)["items"]], ["1"], "curl with a token")
            code = texts["EventSource"].replace("$FRESHET_TOKEN", secret).replace("console.log(", "told.push([").replace(")));", ")]));")
            tab.run(f"globalThis.told = []; (async () => {{ {code} }})(); 0")
            tab.until("told.some(([name, { items }]) => name === 'snapshot' && items[0].id === '1')", shows="told")
