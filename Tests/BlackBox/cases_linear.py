"""The checker of histories, checked: it passes what a right cluster would record, and finds what a wrong one would.

The histories come from a model of a cluster; no server runs.
"""
import heapq
import itertools
import os
import random

import linear
from harness import case, check, folder, same
from linear import ANY, Op

CLIENTS, REPLICAS, ENTITIES = 10, "abc", 60


class Model:
    """A cluster that answers at one moment of each request, or `fault` wrongly a few times."""

    def __init__(self, seed, count=5_000, fault=None):
        self.random, self.fault, self.left = random.Random(seed), fault, 6
        self.ops, self.numbers = [], itertools.count(1)
        # Each commit as (entity, state); its seq is its place, from 1 on.
        self.log, self.states, self.commits = [], {}, {}
        self.applied = dict.fromkeys(REPLICAS, 0)
        self.known = [{} for _ in range(CLIENTS)]
        # Of faults: commits that replica b has skipped; what a second leader has done, and how long it leads.
        self.skipped, self.other, self.until = set(), None, 0
        events = sorted((self.random.random(), client, self.send, None) for client in range(CLIENTS))
        number = CLIENTS
        while events:
            now, _, go, op = heapq.heappop(events)
            if go == self.send and len(self.ops) >= count:
                continue
            for later in go(now, op):
                number += 1
                heapq.heappush(events, (now + later[0], number, later[1], later[2]))
        for entity, replica in itertools.product(sorted({op.entity for op in self.ops}), REPLICAS):
            op = self.begin(now + 1, Op("read", entity, replica=replica))
            self.read(op)
            op.answered = now + 2

    def begin(self, now, op):
        op.sent = now
        self.ops.append(op)
        return op

    def is_time(self, chance=0.05):
        if self.left and self.random.random() < chance:
            self.left -= 1
            return True
        return False

    def send(self, now, last):
        chance = self.random
        client = chance.randrange(CLIENTS) if last is None else last[0]
        entity, replica, roll = f"e{int(chance.random() ** 2 * ENTITIES)}", chance.choice(REPLICAS), chance.random()
        if roll < 0.45:
            op = Op("read", entity, strong=roll < 0.3, replica=replica)
        elif roll < 0.85:
            expected = self.known[client].get(entity) if roll < 0.65 else ANY
            op = Op("put", entity, next(self.numbers), expected, replica=replica)
        else:
            op = Op("patch" if roll < 0.95 else "delete", entity, next(self.numbers), replica=replica)
        self.begin(now, op)
        return [(chance.expovariate(1), self.judge, (client, op))]

    def judge(self, now, job):
        """The moment at which a request is judged, and when its client sends the next one."""
        (client, op), chance, roll = job, self.random, self.random.random()
        if op.is_write and roll < 0.03:
            op.outcome = "refused"
            if self.fault == "a late apply of a refused frame" and op.kind == "put" and self.is_time(0.5):
                return [(chance.expovariate(0.02), self.apply, op), (1, self.answer, job)]
            return [(1, self.answer, job)]
        if op.is_write and roll < 0.06:
            after = [(1, self.send, (client, None))]
            if roll < 0.05:
                after.append((chance.choice((0, chance.expovariate(0.02))), self.apply, op))
            return after
        if op.is_write:
            self.write(op)
            # An answer waits until the server that passes it on has applied what it tells of.
            self.applied[op.replica] = min(op.seq, len(self.log))
        else:
            self.read(op)
        return [(chance.expovariate(1), self.answer, job)]

    def answer(self, now, job):
        client, op = job
        op.answered = now
        if op.outcome in ("ok", "rejected"):
            self.known[client][op.entity] = op.shown
        return [(self.random.expovariate(1), self.send, (client, None))]

    def append(self, entity, state):
        self.log.append((entity, state))
        self.states[entity] = state
        self.commits.setdefault(entity, []).append((len(self.log), state))

    def apply(self, now, op):
        """Nobody waits for it."""
        state = linear.step(self.states.get(op.entity), op) if op.outcome == "unknown" else (op.value, None)
        if state != self.states.get(op.entity):
            self.append(op.entity, state)
        return []

    def write(self, op):
        states = self.states
        if self.fault == "two leaders":
            if self.other is None and self.is_time(0.01):
                self.other, self.until = dict(states), len(self.ops) + 150
            if self.other is not None and len(self.ops) > self.until:
                self.other = None
            if self.other is not None and op.replica == "c":
                states = self.other
        state = states.get(op.entity)
        if op.kind == "put":
            new, op.outcome = (op.value, None), "ok" if op.expected in (ANY, state) else "rejected"
            op.changed = state is None
        elif op.kind == "patch":
            new, op.outcome = state and (state[0], op.value), "ok" if state else "rejected"
        else:
            new, op.outcome, op.changed = None, "ok", state is not None
        if op.outcome == "rejected":
            op.shown, op.seq = state, len(self.log)
            return
        op.shown, op.seq = new, len(self.log) + op.is_commit
        op.revision = op.seq if new else None
        if not op.is_commit or self.fault == "a lost acknowledgement" and self.is_time():
            return
        if states is not self.states:
            states[op.entity] = new
            return
        if self.fault == "a hole" and self.is_time():
            # A frame of some commits: a single one may be overwritten before anybody looks.
            self.skipped.update(range(op.seq, op.seq + 10))
        self.append(op.entity, new)
        if self.fault == "a doubled frame" and state is not None and self.is_time():
            self.append(op.entity, state)

    def read(self, op):
        end = len(self.log)
        if op.strong:
            op.seq = self.applied[op.replica] = end
            commits = self.commits.get(op.entity, [])
            if self.fault == "a stale strong read" and len(commits) > 1 and self.is_time():
                return self.show(op, commits[-2])
            if self.fault == "a read that other entities have overtaken" and self.is_time():
                op.seq = max(0, end - 40)
        else:
            op.seq = self.applied[op.replica] = self.random.randint(self.applied[op.replica], end)
            if self.fault == "a replica that goes back" and self.is_time():
                op.seq = max(0, op.seq - 40)
        last = None
        for commit in self.commits.get(op.entity, ()):
            if commit[0] > op.seq:
                break
            if op.replica != "b" or commit[0] not in self.skipped:
                last = commit
        self.show(op, last)

    def show(self, op, commit):
        op.outcome = "ok"
        if commit and commit[1] is not None:
            op.revision, op.shown = commit


@case("histories of 5,000 operations that a right cluster gives have no violation")
def _(context):
    # A sixth of a second each.
    for seed in range(200 if os.environ.get("FRESHET_LONG_TESTS") else 30):
        found = linear.violations(Model(seed).ops)
        same(found, [], f"violations in the history of seed {seed}")


@case("each fault that is planted in a history is found, by the rule that is for it")
def _(context):
    for fault, rule in (
        ("a stale strong read", "register"), ("a lost acknowledgement", "register"), ("two leaders", "register"),
        ("a hole", "prefix"), ("a doubled frame", "register"), ("a late apply of a refused frame", "register"),
        ("a read that other entities have overtaken", "real time"), ("a replica that goes back", "replica"),
    ):
        for seed in range(10):
            model = Model(seed, 2_000, fault)
            check(model.left < 6, f"{fault}: seed {seed} has none")
            found = linear.violations(model.ops)
            check(any(sentence.startswith(rule + ":") for sentence in found), f"{fault}: seed {seed}: {found[:3]}")


@case("a history that was written to a file is read as it was")
def _(context):
    ops = Model(1, 300, "a stale strong read").ops
    with folder() as place:
        linear.save(ops, place / "history")
        again = linear.load(place / "history")
    same([repr(op) for op in again], [repr(op) for op in ops], "operations")
    same(linear.violations(again), linear.violations(ops), "violations")
