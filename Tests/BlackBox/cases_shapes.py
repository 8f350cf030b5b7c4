"""Live queries of many shapes in great number: what each shows is what a search answers (live.md section 6)."""
import random
from urllib.parse import quote

from cases_live import Session
from harness import Server, case, same

SESSIONS = 10
IDS = 2_000


class Shapes:
    """Filters, windows and entities from one seed. The first queries lie high, later ones
    anywhere."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lies_high = True

    def word(self, length=None):
        return "".join(self.random.choice("abc") for _ in range(length or self.random.choice([1, 2, 6, 9, 12])))

    def number(self):
        pick = self.random
        if self.lies_high:
            return 5_000 + pick.randrange(5_000)
        return pick.choice([pick.randrange(10_000), pick.randrange(50), round(pick.random() * 100, 3), -pick.randrange(500)])

    def filter(self):
        low, width = self.number(), self.random.choice([3, 40, 400])
        return self.random.choice([
            lambda: f"n>={low} and n<{low + width}",
            lambda: f"n>{low}" if self.random.random() < 0.2 else f"n>={low} and n<={low + width}",
            lambda: f"k=='{self.word(2)}' and n>={low} and n<{low + width * 9}",
            lambda: f"startsWith(s,'{self.word()}')",
            lambda: f"s>'{self.word()}' and s<'{self.word()}c'",
            lambda: f"tags has '{self.word(2)}' and n>{low} and n<{low + width * 20}",
            lambda: f"tags hasAny ['{self.word(2)}','{self.word(2)}']",
            lambda: f"n>={low} and n<{low + width} or s=='{self.word()}'",
            lambda: f"o.x>={low} and o.x<{low + width}",
            lambda: f"id>'{self.random.randrange(IDS)}' and n<{low} and n>={low - width}",
            lambda: f"m>={low} and m<{low + width} and n>={low} and n<{low + width * 30}",
            lambda: f"not (n<{low} or n>={low + width})",
            lambda: f"n in [{low},{self.random.randrange(10_000)}]",
        ])()

    def url(self):
        window = self.random.choice(["", "&limit=1000", "&order=n&limit=5", "&order=-s,n&limit=3"])
        return f"/v1/t?filter={quote(self.filter())}{window}"

    def entity(self):
        value = {"n": self.number(), "k": self.word(2), "s": self.word(), "m": self.number(), "o": {"x": self.number()},
                 "tags": [self.word(2) for _ in range(self.random.randrange(4))]}
        if self.random.random() < 0.2:
            value["n"] = value["s"]
        elif self.random.random() < 0.1:
            del value["n"]
        return value


class Hundred:
    """A session with 99 queries, and one more whose row says that all is told."""

    def __init__(self, server, shapes):
        self.urls = {f"q{number}": shapes.url() for number in range(99)}
        made = server.ask("POST", "/v1/_live", {"queries": {**self.urls, "end": "/v1/end"}}).is_(201).json
        self.path = f"/v1/_live/{made['session']}"
        self.session = Session(server, made["url"])

    def read(self, end):
        """Takes events until a cut that has the row `end`."""
        while "end" not in self.session.queries or [row["n"] for row in self.session.queries["end"].rows] != [end]:
            self.session.step(30)


@case("a thousand live queries of many shapes show what searches answer, also where half of them went and others came")
def many_shapes(context):
    shapes = Shapes(context.random.random())
    with Server(context.binary) as server:
        all_ = [Hundred(server, shapes) for _ in range(SESSIONS // 2)]
        shapes.lies_high = False
        all_ += [Hundred(server, shapes) for _ in range(SESSIONS // 2)]
        for round_ in (1, 2):
            for _ in range(1_500):
                id_ = shapes.random.randrange(IDS)
                if shapes.random.random() < 0.15:
                    server.ask("DELETE", f"/v1/t/{id_}")
                else:
                    server.put(f"/v1/t/{id_}", shapes.entity())
            server.put("/v1/end/1", {"n": round_})
            for one in all_:
                one.read(round_)
                for name, url in one.urls.items():
                    same(one.session.queries[name].rows, server.get(url).json["items"], f"round {round_}, {url}")
            for one in all_[::2]:
                one.session.close()
                server.ask("DELETE", one.path).is_(204)
            all_ = all_[1::2] + [Hundred(server, shapes) for _ in range(SESSIONS // 2)]


class Wide(Shapes):
    """Filters that most entities pass."""

    def filter(self):
        low = self.random.randrange(400)
        return self.random.choice([f"n>={low}", f"n>={low} and k!='{self.word(2)}'", f"not (n<{low})", f"exists(n) and n>{low}"])


@case("a commit of more changes than live queries follow is looked at anew, and every cut of a session is exact")
def bulk(context):
    shapes = Wide(context.random.random())
    with Server(context.binary) as server:
        all_ = [Hundred(server, shapes) for _ in range(3)]
        for round_ in (1, 2, 3):
            rows = [{"id": id_, "n": shapes.random.randrange(10_000), "k": shapes.word(2)} for id_ in shapes.random.sample(range(20_000), 12_000)]
            server.ask("POST", "/v1/t/_set", rows).is_(200)
            for _ in range(20):
                server.put(f"/v1/t/{shapes.random.randrange(20_000)}", {"n": shapes.random.randrange(10_000)})
            if round_ == 2:
                server.ask("DELETE", f"/v1/t?filter={quote('n>5000')}").is_(200)
            server.put("/v1/end/1", {"n": round_})
            for one in all_:
                one.read(round_)
                for name, url in one.urls.items():
                    same(one.session.queries[name].rows, server.get(url).json["items"], f"round {round_}, {url}")
