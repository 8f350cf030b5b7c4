#!/usr/bin/env python3
"""Is a history of requests to several servers one that a single register per entity could have given?

Usage: Tests/BlackBox/linear.py FILE     checks a history that a failed campaign has left, an operation a line

A history is a list of operations (`Op`). An entity's state is (n, p) or None while it is absent: a PUT
writes {"n": value}, a PATCH {"p": value}, and no value is written twice, so that a state tells who wrote it.
What is checked (replication.md, section 1):

register    For each entity there is one order of its operations that keeps to real time and explains
            every answer. The search is that of Wing and Gong with Lowe's memory of what was tried. A
            refused write is no part of it, one with an unknown outcome may come at any time, or never.
real time   Across entities: what was answered before B was sent has no later seq than B shows.
replica     What one server shows never goes back, and holds what was written through it.
prefix      Every read, strong or not, shows its entity as of its cursor or a later commit: no hole. A
            refusal names a cursor that may be later than what it was judged by, so it is no read here.
one seq     No two commits have one seq, no state has two.
"""
import bisect
import collections
import json
import sys

# A PUT without a condition.
ANY = "any"
FAULT = object()
FOREVER = float("inf")


class Op:
    """One request and what became of it.

    kind      read | put | patch | delete
    value     what a put or a patch writes
    expected  of a put: ANY, None (If-None-Match: *) or the state whose ETag it bears
    strong    of a read: with Freshet-Read: strong
    sent, answered   of one clock; answered is None while there is no answer
    outcome   ok | rejected (judged, not done: 404, 412) | refused (not done) | unknown
    shown     the state that the answer tells of, behind the write; revision: its ETag
    changed   of a delete: there was something; of a put: it made the entity
    seq       of Freshet-Cursor; None where the answer has none
    lagging   the answer says that its server may be behind
    code      of a problem
    """

    __slots__ = ("kind", "entity", "value", "expected", "strong", "replica", "sent", "answered", "outcome",
                 "shown", "revision", "changed", "seq", "lagging", "code")

    def __init__(self, kind, entity, value=None, expected=ANY, strong=True, replica=None):
        self.kind, self.entity, self.value, self.expected = kind, entity, value, expected
        self.strong, self.replica = strong, replica
        self.sent = self.answered = self.shown = self.revision = self.changed = self.seq = self.code = None
        self.outcome, self.lagging = "unknown", False

    def __repr__(self):
        return " ".join(f"{name}={value!r}" for name in self.__slots__ if (value := getattr(self, name)) is not None)

    @property
    def is_write(self):
        return self.kind != "read"

    @property
    def is_commit(self):
        return self.is_write and self.outcome == "ok" and (self.kind != "delete" or self.changed)


def step(state, op):
    """The state behind `op`, FAULT where its answer does not go with `state`."""
    kind, outcome = op.kind, op.outcome
    if kind == "read":
        return state if state == op.shown else FAULT
    if outcome == "ok":
        if kind == "put":
            if op.changed != (state is None) or op.expected != ANY and op.expected != state:
                return FAULT
            return (op.value, None)
        if kind == "patch":
            return op.shown if state is not None and op.shown == (state[0], op.value) else FAULT
        return None if op.changed == (state is not None) else FAULT
    if outcome == "rejected":
        return state if state == op.shown and op.expected != state else FAULT
    # Nobody knows: it does what it can do here.
    if kind == "put":
        return (op.value, None) if op.expected == ANY or op.expected == state else state
    if kind == "patch":
        return state and (state[0], op.value)
    return None


def order(ops):
    """Looks for an order of one entity's operations.

    Answers None where there is one, otherwise the operation that could not be passed at the furthest point.
    """
    known = [op for op in ops if op.outcome in ("ok", "rejected")]
    unknown = sorted((op for op in ops if op.outcome == "unknown" and op.is_write), key=lambda op: op.sent)
    # Calls and returns in the order of time, as a list that operations are taken out of. Entry 0 is its head.
    marks = sorted([(op.sent, 0, at) for at, op in enumerate(known)] + [(op.answered, 1, at) for at, op in enumerate(known)])
    of, is_return = [None] + [at for _, _, at in marks], [False] + [bool(kind) for _, kind, _ in marks]
    count = len(marks)
    following, before = list(range(1, count + 2)), list(range(-1, count + 1))
    call, back = [0] * len(known), [0] * len(known)
    for entry in range(1, count + 1):
        (back if is_return[entry] else call)[of[entry]] = entry
    state, done, used, left = None, 0, 0, len(known)
    tried, stack = set(), []
    entry, late = following[0], -1
    best, obstacle = len(known) + 1, None
    while left:
        if late < 0:
            at = of[entry]
            if not is_return[entry]:
                new = step(state, known[at])
                if new is not FAULT:
                    key = (done | 1 << at, used, new)
                    if key not in tried:
                        tried.add(key)
                        stack.append((entry, -1, state))
                        state, done, left = new, done | 1 << at, left - 1
                        for taken in (entry, back[at]):
                            following[before[taken]], before[following[taken]] = following[taken], before[taken]
                        entry = following[0]
                        continue
                entry = following[entry]
                continue
            # None of those that may come next can; then one whose outcome is unknown was made before.
            late = 0
            if left < best:
                best, obstacle = left, known[at]
        bound = known[of[entry]].answered
        while late < len(unknown) and unknown[late].sent <= bound:
            if not used >> late & 1:
                new = step(state, unknown[late])
                key = (done, used | 1 << late, new)
                if new != state and key not in tried:
                    break
            late += 1
        else:
            if not stack:
                return obstacle
            entry, late, state = stack.pop()
            if late < 0:
                at = of[entry]
                done, left = done & ~(1 << at), left + 1
                for taken in (back[at], entry):
                    following[before[taken]] = before[following[taken]] = taken
                entry = following[entry]
            else:
                used &= ~(1 << late)
                late += 1
            continue
        tried.add(key)
        stack.append((entry, late, state))
        state, used = new, used | 1 << late
        entry, late = following[0], -1
    return None


def by_entity(ops):
    groups = collections.defaultdict(list)
    for op in ops:
        groups[op.entity].append(op)
    return groups


def check_registers(ops):
    for entity, own in by_entity(ops).items():
        obstacle = order([op for op in own if op.is_write or op.strong])
        if obstacle is not None:
            yield f"register: {entity}: no order explains {obstacle}"


def passing(earlier, later):
    """For each of `later`, in the order in which they were sent: the greatest seq of those of `earlier` that
    were answered before, with its operation."""
    earlier = sorted(earlier, key=lambda op: op.answered)
    at, most = 0, None
    for op in sorted(later, key=lambda op: op.sent):
        while at < len(earlier) and earlier[at].answered < op.sent:
            if most is None or earlier[at].seq > most.seq:
                most = earlier[at]
            at += 1
        if most is not None:
            yield op, most


def check_real_time(ops):
    judged = [op for op in ops if op.seq is not None and op.outcome in ("ok", "rejected") and (op.is_write or op.strong)]
    for op, most in passing(judged, judged):
        if op.seq < most.seq or op.seq == most.seq and op.is_commit:
            yield f"real time: {most} was answered before this was sent: {op}"


def check_replicas(ops):
    groups = collections.defaultdict(list)
    for op in ops:
        if op.seq is not None and op.outcome in ("ok", "rejected") and not op.lagging:
            groups[op.replica].append(op)
    for replica, own in groups.items():
        for op, most in passing(own, [op for op in own if not op.is_write]):
            if op.seq < most.seq:
                yield f"replica: {replica} went back from {most} to {op}"


def check_prefixes(ops):
    for entity, own in by_entity(ops).items():
        commits = sorted((op for op in own if op.is_commit), key=lambda op: op.seq)
        seqs = [op.seq for op in commits]
        maybe = {op.value for op in own if op.is_write and op.outcome == "unknown"}
        # Deletes whose outcome nobody knows.
        gone = min((op.sent for op in own if op.kind == "delete" and op.outcome == "unknown"), default=FOREVER)
        for op in own:
            if op.seq is None or op.outcome != "ok" or op.is_commit:
                continue
            at = bisect.bisect_right(seqs, op.seq)
            last = commits[at - 1] if at else None
            if op.shown is None:
                # What is absent has no revision: any later removal explains it.
                if op.kind == "delete" or last is None or last.kind == "delete" or gone < op.answered or any(
                        later.kind == "delete" and later.sent < op.answered for later in commits[at:]):
                    continue
            elif op.revision is None:
                continue
            elif last is not None and op.revision == last.seq:
                if op.shown == last.shown:
                    continue
            elif last is None or op.revision > last.seq:
                # One that was made without an acknowledgement, or since.
                writer = op.shown[0] if op.shown[1] is None else op.shown[1]
                if writer in maybe or op.revision > op.seq and writer in {later.value for later in commits[at:]}:
                    continue
            yield f"prefix: the last commit up to the cursor is {last}, and this shows another: {op}"


def check_seqs(ops):
    made, revisions = {}, {}
    for op in ops:
        if op.is_commit and made.setdefault(op.seq, op) is not op:
            yield f"one seq: {op.seq} is that of {made[op.seq]} and of {op}"
        if op.shown is not None and op.revision is not None:
            if revisions.setdefault((op.entity, op.shown), op.revision) != op.revision:
                yield f"one seq: the state of {op} had the seq {revisions[op.entity, op.shown]} before"


def violations(ops, most=10):
    """Sentences, at most `most` of each kind; none where all is well."""
    found = []
    for rule in (check_registers, check_real_time, check_replicas, check_prefixes, check_seqs):
        for _, sentence in zip(range(most), rule(ops)):
            found.append(sentence)
    return found


# Files ----------------------------------------------------------------------------------------

def save(ops, path):
    with open(path, "w") as file:
        for op in ops:
            file.write(json.dumps([getattr(op, name) for name in Op.__slots__]) + "\n")


def load(path):
    ops = []
    with open(path) as file:
        for line in file:
            op = Op("read", "")
            for name, value in zip(Op.__slots__, json.loads(line)):
                setattr(op, name, tuple(value) if isinstance(value, list) else value)
            ops.append(op)
    return ops


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    sentences = violations(load(sys.argv[1]))
    print("\n".join(sentences) or "no violation")
    sys.exit(1 if sentences else 0)
