"""A reader of data directories and backups that was written from the comments in LogFormat.swift, SnapshotFormat.swift,
Manifest.swift and BackupFormat.swift alone: the proof that they are enough. Every checksum is checked; slow."""
import json
import pathlib
import struct

TABLE = []
for _byte in range(256):
    for _ in range(8):
        _byte = _byte >> 1 ^ (0x82F63B78 if _byte & 1 else 0)
    TABLE.append(_byte)


class Damaged(Exception):
    pass


def crc(data, previous=0):
    state = previous ^ 0xFFFFFFFF
    for byte in data:
        state = state >> 8 ^ TABLE[(state ^ byte) & 0xFF]
    return state ^ 0xFFFFFFFF


def need(condition, what):
    if not condition:
        raise Damaged(what)


def u16(b, at): return struct.unpack_from("<H", b, at)[0]
def u32(b, at): return struct.unpack_from("<I", b, at)[0]
def u64(b, at): return struct.unpack_from("<Q", b, at)[0]


class Store:
    """`entities`: {(type, id): (revision, entity)}; `seq`, `epoch`."""

    def __init__(self, files):
        """`files`: {name: bytes}, a directory's or a backup's."""
        self.files, self.entities, self.seq, self.epoch = files, {}, 0, None
        self.identify()
        self.manifests = sorted((name for name in files if name.startswith("MANIFEST-")), reverse=True)
        known = [m for m in map(self.manifest, self.manifests) if m]
        durable = max([m["durable"] for m in known], default=0)
        start = 0
        for manifest in known:
            if manifest["snapshot"] is None:
                break
            try:
                self.snapshot(manifest["snapshot"])
                start = manifest["snapshot"]["seq"] + 1
                break
            except (Damaged, KeyError, struct.error, IndexError):
                self.entities = {}
        self.log(start, durable)

    @classmethod
    def of_directory(cls, path):
        return cls({p.name: p.read_bytes() for p in pathlib.Path(path).iterdir() if p.is_file()})

    @classmethod
    def of_backup(cls, path):
        b = pathlib.Path(path).read_bytes()
        need(b[:8] == b"FRESHETB" and u16(b, 8) == 1 and crc(b[:124]) == u32(b, 124), "header of a backup")
        need(u64(b, 72) == len(b), "length of a backup")
        files, at = {}, u32(b, 12)
        for _ in range(u32(b, 80)):
            head = b[at:at + 64]
            need(head[:4] == b"FRM2" and crc(head[:60]) == u32(head, 60), "head of a member")
            length = u64(head, 8)
            body = b[at + 64:at + 64 + length]
            files[head[16:56].rstrip(b"\0").decode()] = body
            at += 64 + (length + 7 & ~7)
            need(u32(b, at) == crc(body), "a member")
            at += 8
        end = b[at:]
        need(len(end) == 32 and end[:8] == b"FRESHETE" and u64(end, 8) == at and u32(end, 16) == len(files), "end")
        need(u32(end, 20) == crc(b[:at]) and u32(end, 28) == crc(end[:28]), "checksum of all")
        store = cls(files)
        need(store.seq == u64(b, 56), "seq of the backup")
        return store

    def identify(self):
        whole = self.files["FRESHET"]
        for half in (whole[:2048], whole[2048:4096]):
            if half[:8] == b"FRESHET\n" and crc(half[:2044]) == u32(half, 2044):
                need(u16(half, 8) == 1, "major version")
                features = half[82:82 + u16(half, 80)].decode()
                need(set(filter(None, features.split(","))) <= {"snapshots"}, "features")
                self.id = half[16:32]
                return
        raise Damaged("FRESHET")

    def manifest(self, name):
        b = self.files[name]
        if len(b) < 64 or b[:4] != b"FRM1" or u32(b, 4) != len(b) or crc(b[:60]) != u32(b, 60) or b[8:24] != self.id:
            return None
        manifest = {"durable": u64(b, 24), "snapshot": None}
        if len(b) > 64:
            if crc(b[64:-8]) != u32(b, len(b) - 8):
                return None
            if u32(b, 48):
                manifest["snapshot"] = {"seq": u64(b, 64), "length": u64(b, 72), "entities": u64(b, 80), "crc": u32(b, 88)}
        return manifest

    def snapshot(self, named):
        b, seq = self.files["snap-%016d.fs" % named["seq"]], named["seq"]
        need(b[:8] == b"FRESHETS" and b[16:32] == self.id and u64(b, 32) == seq and crc(b[:124]) == u32(b, 124), "header")
        need(len(b) == named["length"], "length")
        seed = crc(self.id + struct.pack("<QI", seq, u32(b, 124)))
        self.epoch, at, number, rolling, kind, count = u64(b, 40), u32(b, 12), 0, 0, None, 0
        while True:
            need(b[at:at + 4] == b"FRB1" and crc(b[at:at + 32], seed) == u32(b, at + 32), "head of a block")
            length, type_, entities = u32(b, at + 4), u16(b, at + 8), u32(b, at + 16)
            payload = b[at + 40:at + 40 + length]
            need(u32(b, at + 20) == number and crc(payload) == u32(b, at + 24), "a block")
            if type_ == 1:
                kind = payload[16:16 + u16(payload, 8)].decode()
            elif type_ == 2:
                place = 0
                for _ in range(entities):
                    size = u32(payload, place + 8)
                    text = payload[place + 20:place + 20 + size]
                    need(crc(text) == u32(payload, place + 12), "an entity")
                    entity = json.loads(text)
                    self.entities[kind, str(entity["id"])] = (u64(payload, place), text)
                    place += 20 + size
                    count += 1
            elif type_ == 3:
                need((u64(payload, 0), u64(payload, 8), u64(payload, 16), u32(payload, 24)) == (number, count, seq, rolling), "footer")
                need(rolling == named["crc"] and count == named["entities"] and at + 40 + length == len(b), "the end")
                break
            rolling = crc(b[at + 32:at + 36], rolling)
            at, number = at + 40 + length, number + 1
        self.seq = seq

    def log(self, start, durable):
        segments = sorted(n for n in self.files if n.startswith("log-") and int(n[4:20]) >= start)
        need(segments, "no log")
        before = None
        for index, name in enumerate(segments):
            b, first = self.files[name], int(name[4:20])
            need(b[:8] == b"FRESHETL" and b[16:32] == self.id and u64(b, 32) == first and crc(b[:124]) == u32(b, 124), name)
            if before is None:
                need(first == start if start else u64(b, 40) == 0, "the first segment")
            else:
                need((u64(b, 40), u64(b, 48), u64(b, 56)) == before, f"{name} follows another")
            durable = max(durable, u64(b, 64))
            seed = crc(self.id + struct.pack("<Q", first))
            end, last = len(b), index == len(segments) - 1
            if not last:
                end = u64(self.files[segments[index + 1]], 48)
            chain, at, self.seq = crc(struct.pack("<I", 0) + b[124:128], seed), u32(b, 12), max(self.seq, first - 1)
            while at < end:
                head = b[at:at + 48]
                length = u32(head, 4) if len(head) == 48 else 0
                payload = b[at + 48:at + 48 + length]
                if not (len(head) == 48 and head[:4] == b"FRL1" and crc(head[:40], seed) == u32(head, 40)
                        and u32(head, 32) == chain and len(payload) == length and crc(payload) == u32(head, 36)):
                    break
                durable = max(durable, u64(head, 24))
                if u16(head, 20) == 1:
                    self.commits(payload, u32(head, 16))
                elif u16(head, 20) == 4:
                    self.epoch = u64(payload, 0)
                chain = crc(head[36:44], seed)
                at += 48 + length
                if u16(head, 20) == 3:
                    break
            if last:
                rest = range(at, len(b) - 47, 8)
                durable = max([durable] + [u64(b, p + 24) for p in rest if b[p:p + 4] == b"FRL1" and crc(b[p:p + 40], seed) == u32(b, p + 40)])
            else:
                need(at == end, f"a frame of {name}")
            before = (first, at, self.seq)
        need(durable <= self.seq, f"commits {self.seq + 1} to {durable}")

    def commits(self, b, count):
        at = 0
        for _ in range(count):
            seq, _, entries, name, key = struct.unpack_from("<QQIHH", b, at)
            need(seq > self.seq, "order of commits")
            self.seq, at = seq, at + 24 + name + key
            for _ in range(entries):
                kind, type_length, id_length, length, checksum = struct.unpack_from("<BBHII", b, at)
                at += 12
                type_ = b[at:at + type_length].decode()
                id_ = b[at + type_length:at + type_length + id_length].decode()
                text = b[at + type_length + id_length:at + type_length + id_length + length]
                at += type_length + id_length + length
                if kind == 2:
                    self.entities.pop((type_, id_), None)
                else:
                    need(kind in (1, 3) and crc(text) == checksum, "an entity")
                    self.entities[type_, id_] = (seq, text)
