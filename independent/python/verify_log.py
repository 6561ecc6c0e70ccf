"""A log of runs for verify.py, written from docs/formats/log.md alone: entries, signed notes,
checkpoints, cosignatures, tiles, and the proof of one run. Standard library only.
"""

import hashlib
import os
import re

from verify_authorship import Roots, fold, from_base64, has_keys, is_digest, is_within, leaf, node, \
    verify

NAME = re.compile("[a-z][a-z0-9_.-]{0,63}")
PERSON = re.compile("[A-Za-z0-9][A-Za-z0-9._~:/@+-]{0,127}")
BODY = re.compile("(assay-log/([0-9a-f]{64}))\n([1-9][0-9]{0,12})\n([A-Za-z0-9+/]+=)\n")
WITNESS = re.compile("assay-witness/([0-9a-f]{64})")
SIGNATURE = re.compile(r"— ([^\s+]+) ([A-Za-z0-9+/]+={0,2})")


def is_entry(value, is_run_id):
    """The form of an entry."""
    if type(value) is not dict or not is_digest(value.get("genesis_hash")) \
            or type(value.get("run_id")) is not str or not is_run_id(value["run_id"]):
        return False
    if value.get("t") == "assay.run-opened.v1":
        machine = value.get("machine")
        return (has_keys(value, "t", "run_id", "genesis_hash", "machine")
                and has_keys(machine, "name", "version") and type(machine["name"]) is str
                and NAME.fullmatch(machine["name"]) is not None
                and is_within(machine["version"], 0, 2**53 - 1))
    if not (is_within(value.get("opened"), 0, 2 * 10**12) and is_within(value.get("count"), 1, 10**12)
            and is_digest(value.get("hash"))):
        return False
    if value.get("t") == "assay.run-closed.v1":
        return (has_keys(value, "t", "run_id", "genesis_hash", "opened", "count", "hash", "outcome",
                         "tree_root")
                and value["outcome"] in ("success", "refused") and is_digest(value["tree_root"]))
    return (value.get("t") == "assay.run-abandoned.v1"
            and has_keys(value, "t", "run_id", "genesis_hash", "opened", "count", "hash", "by", "code")
            and type(value["by"]) is str and PERSON.fullmatch(value["by"]) is not None
            and type(value["code"]) is str and NAME.fullmatch(value["code"]) is not None)


def key_id(name, kind, key):
    return hashlib.sha256(name.encode("utf-8") + b"\n" + bytes([kind]) + key).digest()[:4]


class Checkpoint:
    """The text of a checkpoint. ValueError for any other."""

    def __init__(self, text):
        at = text.rfind("\n\n")
        if at < 1 or any(ch < " " and ch != "\n" for ch in text) or not text.endswith("\n"):
            raise ValueError("no note")
        self.text, lines = text[:at + 1], text[at + 2:].split("\n")[:-1]
        body = BODY.fullmatch(self.text)
        root = from_base64(body.group(4)) if body else None
        if root is None or len(root) != 32 or not 1 <= len(lines) <= 64 \
                or int(body.group(3)) > 2 * 10**12:
            raise ValueError("no checkpoint")
        self.origin, self.key = body.group(1), body.group(2)
        self.size, self.root = int(body.group(3)), root.hex()
        self.signatures = []
        for line in lines:
            found = SIGNATURE.fullmatch(line)
            data = from_base64(found.group(2)) if found else None
            if data is None or len(data) < 5:
                raise ValueError("no signature")
            self.signatures.append((found.group(1), data[:4], data[4:]))

    def is_signed(self):
        key = bytes.fromhex(self.key)
        own = [sig for name, short, sig in self.signatures
               if name == self.origin and short == key_id(name, 1, key)]
        return len(own) == 1 and len(own[0]) == 64 and verify(own[0], self.text.encode("utf-8"), key)

    def cosignatures(self):
        """[(key, time, sound)] of the witnesses that are named like ours."""
        found = []
        for name, short, data in self.signatures:
            named = WITNESS.fullmatch(name)
            key = bytes.fromhex(named.group(1)) if named else b""
            if not named or short != key_id(name, 4, key):
                continue
            time = int.from_bytes(data[:8], "big")
            message = "cosignature/v1\ntime %d\n%s" % (time, self.text)
            found.append((named.group(1), time, len(data) == 72 and time < 2**53
                          and verify(data[8:], message.encode("utf-8"), key)))
        return found


def tile_path(level, place, width):
    digits = str(place).rjust(-(-len(str(place)) // 3) * 3, "0")
    parts = [digits[i:i + 3] for i in range(0, len(digits), 3)]
    path = "/".join(["x" + part for part in parts[:-1]] + parts[-1:])
    folder = "entries" if level == "entries" else "tile/%d" % level
    return "%s/%s%s" % (folder, path, "" if width == 256 else ".p/%d" % width)


def tiles(digests):
    """{path: bytes} of the tiles of a tree, from the digests of all its entries."""
    row, level, files = [leaf(each) for each in digests], 0, {}
    while row:
        for place in range(0, -(-len(row) // 256)):
            part = row[place * 256:place * 256 + 256]
            files[tile_path(level, place, len(part))] = bytes.fromhex("".join(part))
        above = []
        for start in range(0, len(row) - 255, 256):
            part = row[start:start + 256]
            while len(part) > 1:
                part = [node(part[i], part[i + 1]) for i in range(0, len(part), 2)]
            above += part
        row, level = above, level + 1
    return files


class Log:
    """What `--log` names: a folder, or a file with the proof of one run. ValueError where it is neither."""

    def __init__(self, path, trusted, witnesses, decode, encode, is_run_id):
        self.path, self.decode, self.encode, self.is_run_id = path, decode, encode, is_run_id
        self.trusted = {key.hex() for _, key in trusted}
        self.witnesses = {key.hex() for _, key in witnesses}
        self.proof = None
        if os.path.isdir(path):
            self.read_folder()
        else:
            with open(path, "rb") as stream:
                self.proof = self.read_proof(stream.read())

    def read_proof(self, data):
        value = self.decode(data[:-1] if data.endswith(b"\n") else data)
        if not (has_keys(value, "t", "checkpoint", "opened", "end") and value["t"] == "assay.log-proof.v1"
                and type(value["checkpoint"]) is str and self.is_placed(value["opened"])
                and value["opened"]["entry"]["t"] == "assay.run-opened.v1"
                and (value["end"] is None or self.is_placed(value["end"])
                     and value["end"]["entry"]["t"] != "assay.run-opened.v1")):
            raise ValueError("no proof of a log")
        return value

    def is_placed(self, value):
        return (has_keys(value, "index", "path", "entry") and is_within(value["index"], 0, 2**53 - 1)
                and type(value["path"]) is list and len(value["path"]) <= 64
                and all(map(is_digest, value["path"])) and is_entry(value["entry"], self.is_run_id))

    def read_folder(self):
        """Every entry, each digest, the root: nothing is taken from tiles, and full ones are compared."""
        self.newest = self.read_checkpoint("checkpoint")
        if self.newest is None:
            raise ValueError("no log")
        self.lines = []
        while len(self.lines) < self.newest.size:
            place = len(self.lines) // 256
            width = min(256, self.newest.size - len(self.lines))
            data = self.read(tile_path("entries", place, width), tile_path("entries", place, 256))
            lines = data.split(b"\n")[:width]
            if data.count(b"\n") < width:
                raise ValueError("entries are cut short")
            self.lines += lines
        self.digests = [hashlib.sha256(line).hexdigest() for line in self.lines]
        self.roots = Roots(self.digests)
        if self.roots.root(self.newest.size) != self.newest.root:
            raise ValueError("entries that the checkpoint does not sign")
        for name, data in tiles(self.digests).items():
            if self.read(name, name) != data:
                raise ValueError("a tile that the entries do not give")
        self.entries = [self.decode(line) for line in self.lines]
        if not all(is_entry(entry, self.is_run_id) for entry in self.entries):
            raise ValueError("a line that is no entry")

    def read_checkpoint(self, name):
        path = os.path.join(self.path, name)
        if not os.path.exists(path):
            return None
        with open(path, "rb") as stream:
            text = stream.read().decode("utf-8")
        found = Checkpoint(text[:text.rfind("\n") + 1])
        if not found.is_signed():
            raise ValueError("a checkpoint that its log did not sign")
        return found

    def read(self, *names):
        for name in names:
            path = os.path.join(self.path, name)
            if os.path.exists(path):
                with open(path, "rb") as stream:
                    return stream.read()
        raise ValueError("%s is not there" % names[0])

    def find(self, run_id):
        """(checkpoint, opening, end) of a run, by its entries; a cosigned checkpoint before a newer one."""
        opened = next((e for e in self.entries if e["run_id"] == run_id
                       and e["t"] == "assay.run-opened.v1"), None)
        end = next((i for i, e in enumerate(self.entries) if e["run_id"] == run_id
                    and e["t"] != "assay.run-opened.v1"), None)
        found = self.newest
        for name in ("checkpoint", "cosigned"):
            at = self.read_checkpoint(name)
            if at and any(sound for _, _, sound in at.cosignatures()) and end is not None and end < at.size:
                if self.roots.root(at.size) != at.root:
                    raise ValueError("the log does not extend what was cosigned")
                found = at
                break
        return found, opened, None if end is None else self.entries[end]

    def proven(self):
        """(checkpoint, opening, end) that a proof shows, or None where it does not recompute."""
        try:
            at = Checkpoint(self.proof["checkpoint"])
        except ValueError:
            return None
        opened, end = self.proof["opened"], self.proof["end"]
        for placed in [opened] + ([end] if end else []):
            digest = hashlib.sha256(self.encode(placed["entry"])).hexdigest()
            if placed["index"] >= at.size:
                return None
            led = fold(placed["index"], placed["index"] + 1, at.size, leaf(digest), placed["path"])
            if led is None or led[1] != at.root:
                return None
        if end and (end["entry"]["opened"] != opened["index"] or any(
                end["entry"][key] != opened["entry"][key] for key in ("run_id", "genesis_hash"))):
            return None
        return at, opened["entry"], end and end["entry"]

    def head(self, ledger):
        """(count, hash) that the log has of this run, or None."""
        end = self.proof["end"] and self.proof["end"]["entry"] if self.proof \
            else self.find(ledger.run_id)[2]
        return end and (end["count"], end["hash"])

    def judge(self, ledger):
        """(completeness or None, time), each (verdict, code), of a ledger whose integrity held."""
        opened = self.proof["opened"]["entry"] if self.proof else self.find(ledger.run_id)[1]
        none = ("not_checked", "no_witness")
        if opened is None or (opened["run_id"], opened["genesis_hash"]) \
                != (ledger.run_id, ledger.hash_at(0)):
            return ("failed", "unlogged"), none
        found = self.proven() if self.proof else self.find(ledger.run_id)
        if found is None:
            return ("failed", "bad_proof"), none
        at, _, end = found
        if not self.trusted:
            return ("not_checked", "no_key"), none
        if at.key not in self.trusted:
            return ("not_checked", "unknown_key"), none
        if not at.is_signed():
            return ("failed", "bad_signature"), none
        if end is None:
            return ("not_checked", "unclosed"), ("not_checked", "unclosed")
        return None, self.time(at, end, ledger)

    def time(self, at, end, ledger):
        found = at.cosignatures()
        own = [sound for key, _, sound in found if key in self.witnesses]
        if not all(own):
            return "failed", "bad_witness"
        if not own:
            return "not_checked", "no_authority" if found else "no_witness"
        same = (end["count"], end["hash"]) == (ledger.count, ledger.hash_at(ledger.records - 1))
        return ("held", None) if same else ("failed", "witnessed_other")
