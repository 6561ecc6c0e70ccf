"""Authorship for verify.py, written from docs/formats alone: Ed25519 (RFC 8032), DSSE
envelopes, signed heads, RFC 6962 trees and proofs. Standard library only.

Slow and not constant in time: it verifies, it never holds a secret. The sections
follow docs/formats/heads.md.
"""

import base64
import hashlib
import re

# --- Ed25519, strict (signatures.md) -------------------------------------------

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)                       # a square root of -1


def add(a, b):
    """Extended coordinates (RFC 8032, 5.1.4)."""
    u = (a[1] - a[0]) * (b[1] - b[0]) % P
    v = (a[1] + a[0]) * (b[1] + b[0]) % P
    w = 2 * a[3] * b[3] * D % P
    z = 2 * a[2] * b[2] % P
    e, f, g, h = v - u, z - w, z + w, v + u
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(n, point):
    result = (0, 1, 1, 0)
    while n:
        if n & 1:
            result = add(result, point)
        point = add(point, point)
        n >>= 1
    return result


def decode_point(data):
    """The point that 32 bytes name, or None. One spelling only."""
    number = int.from_bytes(data, "little")
    y, sign = number & (2**255 - 1), number >> 255
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


def encode_point(point):
    inverse = pow(point[2], P - 2, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def is_small(point):
    return encode_point(times(8, point)) == (1).to_bytes(32, "little")


BASE = decode_point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def verify(signature, message, public_key):
    """No cofactor, R compared as bytes, nothing of small order, S below L."""
    a, r = decode_point(public_key), decode_point(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= L or is_small(a) or is_small(r):
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + public_key + message).digest(), "little") % L
    minus_a = (P - a[0], a[1], 1, (P - a[3]) % P)
    return encode_point(add(times(s, BASE), times(k, minus_a))) == signature[:32]


# --- Keys and envelopes (signatures.md) ----------------------------------------

HEAD_TYPE = "application/vnd.assay.head.v1+json"
DIGEST = re.compile("[0-9a-f]{64}")
KEY_LINE = re.compile("assay-public-key:1:([0-9a-f]{64})\n?")


def is_digest(value):
    return type(value) is str and DIGEST.fullmatch(value) is not None


def is_within(value, least, most):
    return type(value) is int and least <= value <= most


def trusted_key(text, hash_of):
    """A public key line as (id, bytes); None for any other text, and for a key nobody can sign with."""
    found = KEY_LINE.fullmatch(text)
    key = bytes.fromhex(found.group(1)) if found else None
    point = decode_point(key) if key else None
    if point is None or is_small(point):
        return None
    return hash_of({"public_key": found.group(1), "t": "assay.key.v1"}), key


def from_base64(text):
    """Padded base64 in its one spelling, or None."""
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        return None
    return data if base64.b64encode(data).decode("ascii") == text else None


def has_keys(value, *keys):
    return type(value) is dict and set(value) == set(keys)


def envelope(value):
    """(type, payload, [(keyid, signature)]) of an envelope, or None."""
    if not has_keys(value, "payload", "payloadType", "signatures"):
        return None
    payload, kind, listed = value["payload"], value["payloadType"], value["signatures"]
    if type(payload) is not str or type(kind) is not str or type(listed) is not list:
        return None
    payload, signatures = from_base64(payload), []
    for item in listed:
        if not has_keys(item, "keyid", "sig") or not is_digest(item["keyid"]) \
                or type(item["sig"]) is not str:
            return None
        signatures.append((item["keyid"], from_base64(item["sig"])))
    sound = all(sig is not None and len(sig) == 64 for _, sig in signatures)
    units = len(kind.encode("utf-16-le")) // 2
    if payload is None or not sound or not 1 <= len(signatures) <= 64 or units > 128:
        return None
    return kind, payload, signatures


def pae(kind, payload):
    kind = kind.encode("utf-8")
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload)


def head(payload, decode):
    """A signed head from its canonical bytes, or None."""
    try:
        value = decode(payload)
    except Exception:                                # any fault: not canonical
        return None
    if not has_keys(value, "t", "genesis_hash", "count", "last_hash", "tree_root", "closed",
                    "summary_hash"):
        return None
    sound = (value["t"] == "assay.head.v1" and is_within(value["count"], 1, 10**12)
             and all(is_digest(value[k]) for k in ("genesis_hash", "last_hash", "tree_root"))
             and type(value["closed"]) is bool
             and (value["summary_hash"] is None or is_digest(value["summary_hash"])))
    return value if sound else None


# --- Trees and proofs (head.md, proofs.md) -------------------------------------

def leaf(record_hash):
    return hashlib.sha256(b"\x00" + bytes.fromhex(record_hash)).hexdigest()


def node(left, right):
    return hashlib.sha256(b"\x01" + bytes.fromhex(left) + bytes.fromhex(right)).hexdigest()


def split(size):
    return 1 << (size - 1).bit_length() - 1


class Roots:
    """Root over the first records of a list of hashes, joined once for each level."""

    def __init__(self, hashes):
        self.levels = [[leaf(each) for each in hashes]]
        while len(self.levels[-1]) > 1:
            row = self.levels[-1]
            self.levels.append([node(row[i], row[i + 1]) for i in range(0, len(row) - 1, 2)])

    def root(self, size):
        parts, start = [], 0
        for level in range(size.bit_length() - 1, -1, -1):
            if size >> level & 1:
                parts.append(self.levels[level][start >> level])
                start += 1 << level
        root = parts.pop()
        while parts:
            root = node(parts.pop(), root)
        return root


def fold(start, end, size, known, path):
    """(root of the range, root of the tree) that a path leads to, or None (proofs.md).
    `known`: root of the range where the path does not carry it."""
    if start == 0 and end == size:
        if known is not None:
            return (known, known) if not path else None
        return (path[0], path[0]) if len(path) == 1 else None
    if not path:
        return None
    left, rest, last = split(size), path[:-1], path[-1]
    if end <= left:
        inner = fold(start, end, left, known, rest)
        return inner and (inner[0], node(inner[1], last))
    if start >= left:
        inner = fold(start - left, end - left, size - left, known, rest)
        return inner and (inner[0], node(last, inner[1]))
    inner = fold(0, end - left, size - left, None, rest)
    return inner and (node(last, inner[0]), node(last, inner[1]))


def is_tree(value):
    return is_within(value.get("size"), 1, 10**12) and is_digest(value.get("tree_root"))


def is_record(value):
    """The form of a record, with or without its payload (record.md)."""
    keys = {"v", "ts", "kind", "parent", "payload_hash", "record_hash"}
    return (type(value) is dict and set(value) in (keys, keys | {"payload"})
            and type(value["v"]) is int and value["v"] == 1
            and type(value["ts"]) is str and type(value["kind"]) is str
            and (value["parent"] is None or is_digest(value["parent"]))
            and is_digest(value["payload_hash"]) and is_digest(value["record_hash"]))


def is_proof(value):
    if not (type(value) is dict and type(value.get("path")) is list and len(value["path"]) <= 80
            and all(map(is_digest, value["path"])) and is_digest(value.get("genesis_hash"))):
        return False
    if value.get("t") == "assay.consistency.v1":
        return has_keys(value, "t", "genesis_hash", "from", "to", "path") and all(
            has_keys(value[end], "size", "tree_root") and is_tree(value[end]) for end in ("from", "to"))
    return (value.get("t") == "assay.inclusion.v1"
            and has_keys(value, "t", "genesis_hash", "size", "tree_root", "index", "record_hash",
                         "record", "path")
            and is_tree(value) and is_within(value["index"], 0, value["size"] - 1)
            and is_digest(value["record_hash"])
            and (value["record"] is None or is_record(value["record"])))


def trees_of(proof):
    return [proof] if proof["t"] == "assay.inclusion.v1" else [proof["from"], proof["to"]]


def recomputes(proof, hash_of):
    if proof["t"] == "assay.consistency.v1":
        first, last = proof["from"], proof["to"]
        return first["size"] <= last["size"] and fold(
            0, first["size"], last["size"], first["tree_root"], proof["path"]) \
            == (first["tree_root"], last["tree_root"])
    record, index = proof["record"], proof["index"]
    if record is not None:
        frame = {k: record[k] for k in ("v", "ts", "kind", "parent", "payload_hash")}
        if record["record_hash"] != proof["record_hash"] or hash_of(frame) != proof["record_hash"] \
                or "payload" in record and hash_of(record["payload"]) != record["payload_hash"]:
            return False
    led = fold(index, index + 1, proof["size"], leaf(proof["record_hash"]), proof["path"])
    return led is not None and led[1] == proof["tree_root"]


# --- The verdict (signatures.md) -----------------------------------------------

class Evidence:
    """What the user brought, judged without a ledger. `decode` and `hash_of`: the value of a
    canonical line, and H, from verify.py."""

    def __init__(self, signature_lines, proof_lines, keys, threshold, decode, hash_of):
        self.keys, self.threshold = dict(keys), threshold
        self.decode, self.hash_of = decode, hash_of
        self.proving = proof_lines is not None
        self.bad_signatures = self.bad_heads = self.other_types = self.bad_proofs = self.envelopes = 0
        self.heads, self.proofs = {}, []
        for line in signature_lines or []:
            self.take_signature(line)
        for line in proof_lines or []:
            self.take_proof(line)

    def read(self, line):
        """('envelope' | 'proof', value), or None."""
        try:
            value = self.decode(line)
        except Exception:                            # any fault: neither
            return None
        found = envelope(value)
        if found:
            return "envelope", found
        return ("proof", value) if is_proof(value) else None

    def take_signature(self, line):
        read = self.read(line)
        if read is None:
            self.bad_signatures += 1
        if read is None or read[0] == "proof":
            return
        self.envelopes += 1
        kind, payload, signatures = read[1]
        named = [(keyid, sig) for keyid, sig in signatures if keyid in self.keys]
        sound = {keyid for keyid, sig in named if verify(sig, pae(kind, payload), self.keys[keyid])}
        self.bad_signatures += sum(
            not verify(sig, pae(kind, payload), self.keys[keyid]) for keyid, sig in named)
        if not sound:
            return
        if kind != HEAD_TYPE:
            self.other_types += 1
        elif head(payload, self.decode) is None:
            self.bad_heads += 1
        else:
            self.heads.setdefault(payload, set()).update(sound)

    def take_proof(self, line):
        read = self.read(line)
        if read is not None and read[0] == "envelope":
            return
        if read is None or not recomputes(read[1], self.hash_of):
            self.bad_proofs += 1
        else:
            self.proofs.append(read[1])

    def verdict(self, ledger):
        """(verdict, code, record, count) about a ledger whose integrity holds."""
        hashes = [ledger.hash_at(i) for i in range(ledger.records)]
        roots, first, n = Roots(hashes), ledger.first, ledger.records
        related = [(head(payload, self.decode), keys) for payload, keys in self.heads.items()]
        related = [(each, keys, self.relation(each, ledger, hashes, roots)) for each, keys in related]
        failed = self.failure(related, ledger, hashes, roots)
        if failed:
            return ("failed",) + failed
        if not self.envelopes:
            return "not_checked", "unsigned", None, 0
        if not self.keys:
            return "not_checked", "no_key", None, 0
        here = set().union(*(keys for _, keys, is_ in related if is_ == "here"))
        if len(here) >= self.threshold:
            return "held", None, None, 0
        earlier = [(each["count"] - first, keys) for each, keys, is_ in related if is_ == "earlier"]
        enough = [size for size, keys in earlier if len(keys) >= self.threshold]
        if not here and enough:
            return "not_checked", "beyond_head", max(enough), n - max(enough)
        return "not_checked", "below_threshold" if here or earlier else "unknown_key", None, 0

    def loose(self):
        """[(verdict, code)] of the proofs themselves, without a ledger (proofs.md)."""
        if self.bad_signatures:
            return [("failed", "bad_signature")]
        bad = [("failed", "bad_proof")] if self.bad_proofs + self.bad_heads else []
        return bad + [self.loosely(proof) for proof in self.proofs]

    def loosely(self, proof):
        if not self.envelopes:
            return "not_checked", "unsigned"
        if not self.keys:
            return "not_checked", "no_key"
        if not self.heads:
            return "not_checked", "unknown_key"
        heads = [(head(payload, self.decode), keys) for payload, keys in self.heads.items()]
        trees = trees_of(proof)
        over = [[(each["count"], keys) for each, keys in heads
                 if each["genesis_hash"] == proof["genesis_hash"]
                 and each["tree_root"] == tree["tree_root"]] for tree in trees]
        if not all(over):
            return "failed", "signed_other"
        if any(len(found) > 1 for found in over):    # one root is one head: these contradict
            return "failed", "bad_proof"
        if any(len(found[0][1]) < self.threshold for found in over):
            return "not_checked", "below_threshold"
        first = self.first_of(proof["genesis_hash"])
        if first is None:
            return "not_checked", "no_genesis"
        placed = all(found[0][0] == first + tree["size"] for found, tree in zip(over, trees))
        return ("held", None) if placed else ("failed", "bad_proof")

    def first_of(self, genesis_hash):
        """Sequence of a run's first record, where one of the proofs shows that record."""
        for proof in self.proofs:
            shown = proof.get("record")
            if shown is not None and shown["record_hash"] == genesis_hash:
                found = re.search("#([0-9]{12})\\Z", shown["ts"])
                return int(found.group(1)) if found and shown["kind"] == "genesis" else 0
        return None

    def relation(self, each, ledger, hashes, roots):
        size, n = each["count"] - ledger.first, ledger.records
        if each["genesis_hash"] != hashes[0]:
            return "elsewhere"
        if size > n:
            return "later"
        if size < 1 or hashes[size - 1] != each["last_hash"]:
            return "conflict"
        closed = size == n and ledger.status is not None
        sound = (roots.root(size) == each["tree_root"] and each["closed"] == closed
                 and each["summary_hash"] == (ledger.summary_hash if closed else None))
        return "unsound" if not sound else "here" if size == n else "earlier"

    def failure(self, related, ledger, hashes, roots):
        first, n = ledger.first, ledger.records
        if self.bad_signatures:
            return "bad_signature", None, self.bad_signatures
        own = [proof for proof in self.proofs if proof["genesis_hash"] == hashes[0]]
        later = {(each["count"] - first, each["tree_root"]) for each, _, is_ in related if is_ == "later"}
        astray = sum(not self.fits(proof, hashes, roots, later) for proof in own)
        strange = self.proving and not own and not self.bad_proofs
        bad = (self.bad_heads + self.bad_proofs + astray + strange
               + sum(is_ == "unsound" for _, _, is_ in related))
        if bad:
            return "bad_proof", None, bad
        conflicts = [each for each, _, is_ in related if is_ == "conflict"]
        if conflicts:
            size = conflicts[0]["count"] - first
            return "signed_other", size - 1 if size >= 1 else None, 1
        if any(is_ in ("here", "earlier") for _, _, is_ in related):
            return None
        others = [each for each, _, is_ in related if is_ == "later"]
        if others:
            return "signed_other", None, others[0]["count"] - first - n
        if related or self.other_types:
            return "signed_other", None, 1
        return None

    @staticmethod
    def fits(proof, hashes, roots, later):
        for tree in trees_of(proof):
            size, root = tree["size"], tree["tree_root"]
            if not (roots.root(size) == root if size <= len(hashes) else (size, root) in later):
                return False
        return (proof["t"] == "assay.consistency.v1" or proof["index"] >= len(hashes)
                or hashes[proof["index"]] == proof["record_hash"])
