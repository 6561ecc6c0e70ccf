"""Tests of verify.py: python3 -m unittest scripts/verify_test.py

Ledgers are built here by hand, with hashlib and json.dumps, then broken in each
way that docs/formats lists. Each expectation names a code and a position.
"""

import contextlib
import copy
import hashlib
import io
import json
import os
import random
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import verify  # noqa: E402
import verify_authorship as authorship  # noqa: E402
import verify_log  # noqa: E402

VECTORS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "vectors")
Z = "0" * 64                                         # a hash, but of nothing


# --- Building -----------------------------------------------------------------

def c(value):
    """Canonical bytes of simple values: ASCII keys, integers and plain fractions."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"),
                      ensure_ascii=False).encode("utf-8")


def h(value):
    return hashlib.sha256(c(value)).hexdigest()


class Erased:
    """Stands for a payload that was removed after the record was written."""

    def __init__(self, payload=None):
        self.payload = payload


def seal(record):
    """Set record_hash by the formula."""
    record["record_hash"] = h({k: record[k] for k in ("v", "ts", "kind", "parent", "payload_hash")})
    return record


def records(pairs, edits=None, base="t0", first=0):
    """Chained records. `edits` maps a position to a function that changes the
    record before its record_hash is taken, so that the fault is the only one."""
    made, parent = [], None
    for position, (kind, payload) in enumerate(pairs):
        record = {"v": 1, "ts": "%s#%012d" % (base, first + position), "kind": kind,
                  "parent": parent}
        if isinstance(payload, Erased):
            record["payload_hash"] = h(payload.payload)
        else:
            record["payload"] = payload
            record["payload_hash"] = h(payload)
        if edits and position in edits:
            edits[position](record)
        parent = seal(record)["record_hash"]
        made.append(record)
    return made


def text(made):
    return b"".join(c(record) + b"\n" for record in made)


def build(pairs, edits=None, base="t0", first=0):
    return text(records(pairs, edits, base, first))


def genesis(**over):
    return dict({"format": "assay/0", "run_id": "run-1", "ts_base": "t0", "base": None,
                 "machine": {"name": "toy", "version": 1, "engine": None},
                 "policy": {"p": 0.5}, "input": "hi"}, **over)


def proposal(request_id, **over):
    made = dict({"request_id": request_id, "source": "human", "proposer": "desk",
                 "confidence": None, "value": "yes", "failure": None, "at_us": None,
                 "spent": {}, "cites": [], "provenance": {}}, **over)
    if "proposal_hash" not in made:
        made["proposal_hash"] = h({k: made[k] for k in ("source", "confidence", "value")})
    return made


def request(request_id, **over):
    return dict({"id": request_id, "kind": "ask", "body": {"q": 1}, "accepts": ["human"],
                 "attempts": 2}, **over)


def decision(**over):
    return dict({"events": [], "requests": [], "withdrawn": [], "graph": None,
                 "state_hash": Z}, **over)


def rejection(code="unclear", detail=None):
    return {"code": code, "detail": detail}


def artifact(name, content):
    return {"name": name, "content": content, "artifact_hash": h(content)}


def node(payload, kind="claim", run_id="run-1"):
    return {"kind": kind, "payload": payload, "payload_hash": h(payload),
            "id": h({"t": "node", "run_id": run_id, "kind": kind, "payload_hash": h(payload)})}


def edge(start, end, kind="depends_on", run_id="run-1"):
    return {"kind": kind, "from_id": start["id"], "to_id": end["id"],
            "id": h({"t": "edge", "run_id": run_id, "kind": kind,
                     "from": start["id"], "to": end["id"]})}


def graph(nodes=(), edges=()):
    return {"nodes": list(nodes), "edges": list(edges)}


def root(nodes=(), edges=()):
    return h({"sorted_node_ids": sorted(n["id"] for n in nodes),
              "sorted_edge_ids": sorted(e["id"] for e in edges)})


def close(count, **over):
    return dict({"status": "success", "reasons": [], "dag_root_hash": root(),
                 "artifact_hashes": {}, "record_count": count, "state_hash": Z,
                 "open_requests": []}, **over)


N1, N2, N3 = node(1), node(2, "seed"), node([3], "assumption")
E12, E23, E31 = edge(N1, N2), edge(N2, N3, "refines"), edge(N3, N1)
C11 = edge(N1, N1, "contradicts")

# 0 genesis, 1 decision, 2 proposal, 3 rejection, 4 proposal, 5 decision, 6 and 7
# artifacts, 8 close. Opens 1.0 to 1.3; 1.0 is answered, 1.1 withdrawn. The last decision opens nothing.
FULL = [
    ("genesis", genesis()),
    ("decision", decision(requests=[request("1.%d" % i) for i in range(4)],
                          graph=graph([N1, N2], [E12, C11]))),
    ("proposal", proposal("1.0", value="?", confidence=0.25, spent={"usd": 3}, at_us=5)),
    ("rejection", rejection()),
    ("proposal", proposal("1.0", cites=[{"run_id": "o", "count": 1, "hash": Z}],
                          provenance={"x": [1.5, {"$sealed": Z}]})),
    ("decision", decision(events=[{"e": 1}], withdrawn=["1.1"],
                          graph=graph([N3], [E23]), state_hash=None)),
    ("artifact", artifact("a", {"r": 1})),
    ("artifact", artifact("b", [None])),
    ("close", close(9, dag_root_hash=root([N1, N2, N3], [E12, C11, E23]),
                    artifact_hashes={"a": h({"r": 1}), "b": h([None])},
                    open_requests=["1.2", "1.3"])),
]


def full(changes=None, **more):
    """FULL with the payloads at some positions changed by functions or replaced."""
    pairs = copy.deepcopy(FULL)
    for position, change in (changes or {}).items():
        kind, payload = pairs[position]
        if callable(change):
            change(payload)
        else:
            payload = change
        pairs[position] = (kind, payload)
    return build(pairs, **more)


def put(*path_and_value):
    """A change: set the value at a path; with DROP, delete the key."""
    *path, last, value = path_and_value

    def change(payload):
        for step in path:
            payload = payload[step]
        if value is DROP:
            del payload[last]
        else:
            payload[last] = value
    return change


DROP = object()


def judge(data):
    return verify.judge_file(io.BytesIO(data))


class Case(unittest.TestCase):
    def fault(self, data, code, position, note=None):
        found = judge(data).fault
        self.assertIsNotNone(found, note or "expected %s" % code)
        self.assertEqual((code, position), found[:2], (found, note))

    def sound(self, data, note=None):
        ledger = judge(data)
        self.assertIsNone(ledger.fault, note)
        return ledger

    def break_each(self, position, code, changes):
        for change in changes:
            with self.subTest(position=position, change=str(change)[:90]):
                self.fault(full({position: put(*change)}), code, position)

    def allow_each(self, position, changes):
        for change in changes:
            with self.subTest(position=position, change=str(change)[:90]):
                self.sound(full({position: put(*change)}))


# --- Canonical JSON -----------------------------------------------------------

class Canonical(Case):
    def test_vectors_of_the_page(self):
        for value, written, digest in [
            (None, "null", "74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b"),
            ({}, "{}", "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"),
            ([], "[]", "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945"),
            ({"b": 1, "a": [True, None, -1]}, '{"a":[true,null,-1],"b":1}',
             "1daa2e7bde435517e17c4a6c886891c82fc6d8270bc2b81c80f3834821a53774"),
            ({"\ufb33": 1, "\U0001f600": 2}, '{"\U0001f600":2,"\ufb33":1}',
             "ec4e7d8c2963caa38dccc3d42693719ac9c6ecd783891b583d333565620ac2be"),
            (0.000001, "0.000001",
             "159fb29a827ad04b260aa6c8ab6d8637f8f2b38af5c4f3cb49d6a21205e040f8"),
            (1.5e-7, "1.5e-7",
             "bbe54b73760f9025086de0202c3caa81352dc0260869890c9dca3cda39ba767f"),
            (0, "0", "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9"),
            (-0.0, "0", "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9"),
            (2**53 - 1, "9007199254740991",
             "f40b423c2dd95ff2b2f027e22208f438cf7242862e5e746860e697308c9add26"),
        ]:
            self.assertEqual(written, verify.C(value).decode("utf-8"))
            self.assertEqual(digest, verify.H(value))

    def test_numbers(self):
        for n, written in [
            (1.0, "1"), (-1.5, "-1.5"), (100.25, "100.25"), (1e15, "1000000000000000"),
            (0.1, "0.1"), (0.00001, "0.00001"), (1e-7, "1e-7"), (1.25e-10, "1.25e-10"),
            (5e-324, "5e-324"), (2.2250738585072014e-308, "2.2250738585072014e-308"),
            (0.30000000000000004, "0.30000000000000004"), (2251799813685249.5, "2251799813685249.5"),
            (1e-100, "1e-100"), (123e-20, "1.23e-18"), (-5e-7, "-5e-7"), (9007199254740991.0, "9007199254740991"),
        ]:
            self.assertEqual(written, verify.number_text(n))

    def test_numbers_read_back(self):
        draw = random.Random(1)
        for _ in range(3000):
            n = draw.uniform(-1, 1) * 10.0 ** draw.randint(-300, 15)
            written = verify.number_text(n)
            self.assertEqual(n, float(written))
            self.assertLessEqual(len(written), 25)
            self.assertNotRegex(written, r"E|\+|e-0|\.0$|^-?0[0-9]")

    def test_refused(self):
        for value in [2**53, -2**53, float(2**53), float("nan"), float("inf"), "\ud800",
                      {"\udc00": 1}, object(), (1,), b""]:
            with self.assertRaises(ValueError, msg=repr(value)):
                verify.C(value)

    def test_escapes(self):
        self.assertEqual(b'"\\"\\\\/\\b\\t\\n\\f\\r\\u0000\\u001f\x7f\xe2\x80\xa8"',
                         verify.C('"\\/\b\t\n\f\r\0\x1f\x7f\u2028'))

    def test_key_order_prefix_first(self):
        self.assertEqual(b'{"":1,"A":1,"__proto__":1,"a":1,"aa":1}',
                         verify.C({"aa": 1, "a": 1, "": 1, "A": 1, "__proto__": 1}))


# --- Limits and lines ---------------------------------------------------------

def scan_of_the_page(line):
    """limits.md, byte by byte, without the limit of bytes."""
    inside = escaped = False
    marks = now = deepest = 0
    for b in line:
        if inside:
            if escaped:
                escaped = False
            elif b == 0x5C:
                escaped = True
            elif b == 0x22:
                inside = False
        elif b == 0x22:
            inside = True
        else:
            if b in b"[{":
                marks, now = marks + 1, now + 1
                deepest = max(deepest, now)
            if b in b",":
                marks += 1
            if b in b"]}":
                now -= 1
    return "size" if marks > verify.MAX_MARKS else "depth" if deepest > verify.MAX_DEPTH else None


class Limits(Case):
    def test_length(self):
        self.fault(b" " * 16_777_216 + b"\n", "encoding", 0)
        self.fault(b" " * 16_777_217 + b"\n", "size", 0)
        self.fault(b" " * 16_777_216, "encoding", 0)
        self.fault(b" " * 16_777_217, "size", 0)

    def test_longest_line_holds(self):
        pairs = copy.deepcopy(FULL[:1])
        pairs[0][1]["input"] = ""
        spare = 16_777_216 - (len(build(pairs)) - 1)
        pairs[0][1]["input"] = "x" * spare
        self.sound(build(pairs))
        pairs[0][1]["input"] += "x"
        self.fault(build(pairs), "size", 0)

    def test_marks(self):
        self.fault(b"," * 262_144 + b"\n", "encoding", 0)
        self.fault(b"," * 262_145 + b"\n", "size", 0)
        self.fault(b'"' + b"," * 262_145 + b'"\n', "shape", 0)
        self.fault(b"[" * 257 + b"," * 262_144 + b"\n", "size", 0)

    def test_depth(self):
        self.fault(b"[" * 256 + b"]" * 256 + b"\n", "shape", 0)
        self.fault(b"[" * 257 + b"]" * 257 + b"\n", "depth", 0)
        self.fault(b"[" * 257, "depth", 0)
        self.fault(b"]" + b"[" * 257 + b"\n", "encoding", 0)    # not clamped at zero
        self.fault(b"]" + b"[" * 258 + b"\n", "depth", 0)
        self.fault(b'\\"["' + b"[" * 257 + b"\n", "depth", 0)  # outside, \ means nothing
        self.fault(b'"\\"' + b"[" * 257 + b"\n", "encoding", 0)

    def test_deepest_record_holds(self):
        value = 1
        for _ in range(254):
            value = [value]
        self.sound(build([("genesis", genesis(input=value))]))
        self.fault(build([("genesis", genesis(input=[value]))]), "depth", 0)

    def test_scan_is_that_of_the_page(self):
        draw = random.Random(2)
        kept = verify.MAX_MARKS, verify.MAX_DEPTH
        verify.MAX_MARKS, verify.MAX_DEPTH = 12, 3
        try:
            for _ in range(20_000):
                line = bytes(draw.choice(b'""\\\\[]{},a\xff\x00') for _ in range(draw.randint(0, 40)))
                try:
                    found = verify.prescan(line)
                except verify.Fault as fault:
                    found = fault.code
                self.assertEqual(scan_of_the_page(line), found, line)
        finally:
            verify.MAX_MARKS, verify.MAX_DEPTH = kept


class Lines(Case):
    def test_files(self):
        data = full()
        self.sound(data)
        self.fault(b"", "empty", 0)
        self.fault(b"\n", "encoding", 0)
        self.fault(data + b"\n", "encoding", 9)
        self.fault(data[:-1], "final_newline", 8)
        self.fault(data[:-2], "encoding", 8)
        self.fault(data.replace(b"\n", b"\r\n"), "encoding", 0)
        self.fault(b"\xef\xbb\xbf" + data, "encoding", 0)

    def test_raw_separators_inside_strings(self):
        self.sound(full({0: put("input", "\u0085\u2028\u2029\x7f")}))

    def test_spelling(self):
        line = build([("genesis", genesis(input="@", policy={}))])
        self.sound(line)
        for spelled in [b"1.0", b"-0", b"-0.0", b"0e0", b"1e2", b"1e-07", b"1.5E-7", b"0.10", b"01",
                        b"+1", b"1e20", b"9007199254740992", b"-9007199254740992", b"1e400",
                        b"1e-400", b"0.1000000000000000055511151231257827", b"NaN", b"Infinity",
                        b"-Infinity", b"1_0", b"9" * 5000, b"0." + b"3" * 5000, b"\xd9\xa1",
                        b"9007199254740991.5", b"0.00000012", b'"\\/"', b'"\\u0041"', b'"\\ud800"',
                        b'"\\ud83d\\ude00"', b'"\\u001F"', b'"\\u000a"', b'"\xed\xa0\x80"', b'"\xff"',
                        b'"\xc0\xaf"', b'"\t"', b'{"a":1,"a":1}', b'{"b":1,"a":1}', b'{"\\ud800":1}',
                        b"[1, 2]", b" 1", b"True", b"'a'", b"[1,]", b"", b"/**/1"]:
            with self.subTest(spelled=spelled[:40]):
                self.fault(line.replace(b'"@"', spelled), "encoding", 0)
        for value in [0.5, 1e-7, -3, 2**53 - 1, True, None, "\ud7ff\ue000\U0010ffff\0", ""]:
            with self.subTest(value=value):
                written = verify.C(genesis(input=value))
                record = records([("genesis", Erased())])[0]
                record["payload_hash"] = hashlib.sha256(written).hexdigest()
                seal(record)
                record["payload"] = genesis(input=value)
                self.sound(verify.C(record) + b"\n")

    def test_white_space_around(self):
        data = full()
        self.fault(b"{ " + data[1:], "encoding", 0)
        self.fault(data.replace(b"\n", b" \n", 1), "encoding", 0)

    def test_keys_beyond_the_basic_plane(self):
        first, second = "\U0001f600".encode(), "\ufb33".encode()
        policy = b'{"' + first + b'":2,"' + second + b'":1}'
        payload = c(genesis(policy="@")).replace(b'"@"', policy)
        record = records([("genesis", genesis(policy="@"))])[0]
        record["payload_hash"] = hashlib.sha256(payload).hexdigest()
        seal(record)
        line = c(record).replace(b'"@"', policy) + b"\n"
        self.sound(line)
        by_code_point = b'{"' + second + b'":1,"' + first + b'":2}'
        self.fault(line.replace(policy, by_code_point), "encoding", 0)


# --- Records ------------------------------------------------------------------

class Records(Case):
    def edited(self, position, **over):
        made = records(FULL)
        for key, value in over.items():
            if value is DROP:
                del made[position][key]
            else:
                made[position][key] = value
        return text(made)

    def test_shape(self):
        for value in [None, True, 1, "x", []]:
            self.fault(c(value) + b"\n", "shape", 0)
        for over in [{"v": True}, {"v": 1.5}, {"v": "1"}, {"v": None}, {"v": DROP}, {"ts": 1},
                     {"ts": None}, {"kind": None}, {"kind": []}, {"parent": 0}, {"parent": "x"},
                     {"parent": Z + "\n"}, {"parent": Z.replace("0", "A")}, {"payload_hash": None},
                     {"payload_hash": Z[1:]}, {"record_hash": None}, {"record_hash": DROP},
                     {"record_hash": Z + "0"}, {"payload_hash": DROP}, {"parent": DROP},
                     {"extra": 1}, {"ts": DROP}, {"kind": DROP}, {"payload": DROP, "extra": 1}]:
            for position in (0, 4):
                with self.subTest(over=str(over), position=position):
                    self.fault(self.edited(position, **over), "shape", position)

    def test_version(self):
        for v in (0, 2, -1):
            self.fault(self.edited(3, v=v), "version", 3)

    def test_payload_hash(self):
        self.fault(self.edited(3, payload=rejection("other")), "payload_hash", 3)
        self.fault(self.edited(3, payload=None), "payload_hash", 3)
        self.fault(self.edited(3, payload_hash=Z), "payload_hash", 3)
        self.fault(self.edited(0, payload=1), "payload_hash", 0)

    def test_record_hash(self):
        self.fault(self.edited(3, record_hash=Z), "record_hash", 3)
        self.fault(self.edited(3, ts="t0#000000000009"), "record_hash", 3)
        self.fault(self.edited(3, kind="decision"), "record_hash", 3)
        self.fault(self.edited(3, payload=DROP, payload_hash=Z), "record_hash", 3)

    def test_parent(self):
        self.fault(full(edits={0: lambda r: r.update(parent=Z)}), "parent", 0)
        self.fault(full(edits={3: lambda r: r.update(parent=Z)}), "parent", 3)
        self.fault(full(edits={3: lambda r: r.update(parent=None)}), "parent", 3)
        made = records(FULL)
        self.fault(text(made[:3] + made[4:]), "parent", 3)
        self.fault(text(made[1:]), "parent", 0)

    def test_ts(self):
        for ts in ["t0#000000000004", "t0#000000000002", "t1#000000000003", "t0#00000000003",
                   "t0#0000000000003", "000000000003", "t0000000000003", "#000000000003",
                   "t0#000000000003\n", "t0##000000000003", "t0 #000000000003", "",
                   "t0#00000000000\u0663", "t0#+00000000003", "t0#-00000000003"]:
            with self.subTest(ts=ts):
                self.fault(full(edits={3: lambda r: r.update(ts=ts)}), "ts", 3)

    def test_ts_base(self):
        for base in ["!", "~" * 64, '"']:
            self.sound(build([("genesis", genesis(ts_base=base))], base=base))
        for base in ["", "a#b", "a b", "x" * 65, "\u00e9", "a\n"]:
            with self.subTest(base=base):
                self.fault(build([("genesis", genesis(ts_base=base))], base=base), "ts", 0)
        self.fault(build([("genesis", genesis(ts_base="t1"))]), "ts", 0)
        self.fault(build([("genesis", genesis(ts_base=None))]), "ts", 0)
        missing = genesis()
        del missing["ts_base"]
        self.fault(build([("genesis", missing)]), "ts", 0)


# --- Order, groups, erased records --------------------------------------------

class Order(Case):
    def test_grammar(self):
        samples = {"genesis": genesis(), "decision": decision(), "proposal": proposal("9.9"),
                   "rejection": rejection("not_open"), "artifact": artifact("z", 1),
                   "close": close(99), "other": {}}
        starts = {
            "genesis": FULL[:1],
            "decision": FULL[:2],
            "proposal": FULL[:2] + [("proposal", proposal("9.9"))],
            "rejection": FULL[:4],
            "artifact": FULL[:7],
            "close": FULL,
        }
        allowed = {"genesis": ["decision"], "proposal": ["decision", "rejection"],
                   "decision": ["artifact", "close", "proposal"],
                   "artifact": ["artifact", "close", "proposal"],
                   "rejection": ["proposal"], "close": []}
        for before, start in starts.items():
            self.sound(build(start), before)         # a file may end anywhere
            for kind, payload in samples.items():
                found = judge(build(start + [(kind, payload)])).fault
                with self.subTest(before=before, kind=kind):
                    self.assertEqual(kind not in allowed[before],
                                     found is not None and found[0] == "order")

    def test_artifact_names(self):
        def named(*names):
            return build(FULL[:6] + [("artifact", artifact(name, 1)) for name in names])
        self.sound(named("a", "a-", "a.", "a0", "a_", "aa", "b"))
        self.fault(named("b", "a"), "order", 7)
        self.fault(named("a", "a"), "order", 7)
        self.fault(named("a", "A"), "order", 7)      # before payload_shape
        self.fault(named("A"), "payload_shape", 6)
        self.fault(named("a", 1), "payload_shape", 7)
        self.fault(named("a", None), "payload_shape", 7)
        self.fault(build(FULL[:7] + [("artifact", [])]), "payload_shape", 7)

    def test_artifact_names_repeat_across_decisions(self):
        pairs = FULL[:8] + [
            ("proposal", proposal("1.2")), ("decision", decision()),
            ("artifact", artifact("a", 2))]
        self.sound(build(pairs))
        end = close(12, dag_root_hash=FULL[8][1]["dag_root_hash"], open_requests=["1.3"],
                    artifact_hashes={"a": h(2), "b": h([None])})
        self.sound(build(pairs + [("close", end)]))
        end = dict(end, artifact_hashes=FULL[8][1]["artifact_hashes"])
        self.fault(build(pairs + [("close", end)]), "close", 11)

    def test_artifact_names_around_an_erased_one(self):
        gone = ("artifact", Erased(artifact("c", 1)))
        self.sound(build(FULL[:6] + [gone, ("artifact", artifact("a", 1))]))
        self.fault(build(FULL[:6] + [("artifact", artifact("b", 1)), gone,
                                     ("artifact", artifact("a", 1))]), "order", 8)
        self.sound(build(FULL[:6] + [("artifact", artifact("b", 1)), gone,
                                     ("artifact", artifact("c", 1))]))


def erase(made, *positions):
    for position in positions:
        del made[position]["payload"]
    return made


class ErasedRecords(Case):
    def test_each(self):
        for position in range(1, 8):
            with self.subTest(position=position):
                ledger = self.sound(text(erase(records(FULL), position)))
                self.assertEqual([position, 1], ledger.erased)
        self.assertEqual([2, 3], self.sound(text(erase(records(FULL), 2, 5, 7))).erased)
        self.fault(text(erase(records(FULL), 0)), "payload_shape", 0)
        self.fault(text(erase(records(FULL), 8)), "payload_shape", 8)

    def test_a_null_payload_is_not_erased(self):
        self.fault(full({3: None}), "payload_shape", 3)
        pairs = FULL[:3] + [("rejection", None)]
        self.fault(build(pairs), "payload_shape", 3)

    def test_still_judged(self):
        def gone(kind, edit):
            return build(FULL[:3] + [(kind, Erased())], edits={3: edit})
        self.fault(gone("rejection", lambda r: r.update(ts="t0#000000000004")), "ts", 3)
        self.fault(gone("rejection", lambda r: r.update(parent=Z)), "parent", 3)
        self.fault(gone("rejection", lambda r: r.update(v=2)), "version", 3)
        self.fault(gone("rejection", lambda r: r.update(payload_hash="")), "shape", 3)
        self.fault(gone("artifact", lambda r: None), "order", 3)
        self.fault(gone("genesis", lambda r: None), "order", 3)
        self.fault(gone("close", lambda r: None), "order", 3)
        self.fault(gone("other", lambda r: None), "order", 3)
        self.sound(gone("rejection", lambda r: r.update(payload_hash=Z)))
        self.fault(build(FULL[:3] + [("rejection", rejection("lost", {}))]), "payload_shape", 3)

    def test_erased_genesis_comes_after_the_form_of_ts(self):
        def gone(**over):
            return build([("genesis", Erased())], edits={0: lambda r: r.update(over)})
        self.fault(gone(ts="what"), "ts", 0)
        self.fault(gone(ts="any#000000000007"), "payload_shape", 0)
        self.fault(gone(ts="what", parent=Z), "parent", 0)

    def test_erased_proposal_turns_the_table_off(self):
        for over in [{"withdrawn": ["7.7"]}, {"withdrawn": ["1.1", "1.1"]}, {"withdrawn": ["1.0"]}]:
            pairs = FULL[:4] + [("proposal", Erased()), ("decision", decision(**over))]
            self.sound(build(pairs), over)
        pairs = FULL[:2] + [("proposal", Erased()), ("rejection", rejection("not_open")),
                            ("proposal", proposal("7.7")), ("rejection", rejection("unclear")),
                            ("proposal", proposal("7.7")), ("decision", decision()),
                            ("close", close(9, open_requests=["3.3"],
                                            dag_root_hash=root([N1, N2], [E12, C11])))]
        self.sound(build(pairs))
        pairs[7] = ("decision", decision(requests=[request("7.1")]))
        self.fault(build(pairs), "request_id", 7)    # the form of new ids still holds
        pairs[7] = ("decision", decision())
        pairs[8] = ("close", close(9))
        self.fault(build(pairs), "close", 8)         # and so does the root

    def test_erased_decision_turns_table_and_ends_off(self):
        gone = FULL[:4] + [("proposal", proposal("1.0")), ("decision", Erased()),
                           ("proposal", proposal("7.7"))]
        self.sound(build(gone + [("rejection", rejection("unclear"))]))
        self_edge, loose = edge(N1, N1), edge(N1, node("unknown"))
        for sound_graph in [graph([], [self_edge]), graph([], [loose]),
                            graph([], [edge(N2, N1)])]:
            self.sound(build(gone + [("decision", decision(graph=sound_graph))]))
        for bad in [graph([N1]), graph([], [E12]), graph([], [dict(E31, id=Z)]),
                    graph([dict(N3, id=Z)]), graph([dict(N3, payload_hash=Z)])]:
            self.fault(build(gone + [("decision", decision(graph=bad))]), "graph", 7)
        end = [("decision", decision()), ("close", close(9, dag_root_hash=Z, open_requests=["1.1"]))]
        self.sound(build(gone + end))
        end[1] = ("close", close(9, artifact_hashes={"a": Z}))
        self.fault(build(gone + end), "close", 8)
        end[1] = ("close", close(8))
        self.fault(build(gone + end), "close", 8)

    def test_erased_decision_answers_an_open_request(self):
        self.fault(build(FULL[:2] + [("proposal", proposal("7.7")), ("decision", Erased())]),
                   "request_id", 3)

    def test_erased_first_decision_needs_no_state_hash(self):
        self.sound(build(FULL[:1] + [("decision", Erased(decision(state_hash=None)))]))

    def test_erased_rejection_turns_nothing_off(self):
        pairs = FULL[:2] + [("proposal", proposal("7.7")), ("rejection", Erased())]
        self.sound(build(pairs))
        self.fault(build(pairs + [("proposal", proposal("7.7")), ("decision", decision())]),
                   "request_id", 5)

    def test_erased_artifact_turns_artifact_hashes_off(self):
        made = copy.deepcopy(FULL)
        made[6] = ("artifact", Erased())
        made[8][1]["artifact_hashes"] = {}
        self.sound(build(made))
        made[8][1]["open_requests"] = []
        self.fault(build(made), "close", 8)

    def test_cycle_before_an_erased_decision(self):
        pairs = FULL[:1] + [("decision", decision(requests=[request("1.0")],
                                                  graph=graph([N1], [edge(N1, N1)]))),
                            ("proposal", proposal("1.0")), ("decision", Erased())]
        self.fault(build(pairs), "graph", 1)


# --- Payloads -----------------------------------------------------------------

BAD_NAMES = ["", "A", "1a", "a b", "a" * 65, "a\n", "\u00e9", None, 1, "_a"]
BAD_HASHES = [None, "", Z[1:], Z + "0", Z[:-1] + "A", Z + "\n", 0]
BAD_RUN_IDS = ["", ".x", "-x", "a" * 129, "a\n", "a/b", "\u00e9", "run.", "nul", "Con.v2", "COM0",
               "lpt9.x.y", "AUX", "prn.", 1, None]
BAD_REQUEST_IDS = ["", "1", "1.", ".1", "01.0", "1.00", "1.65536", "1.100000",
                   "1000000000000.0", "-1.0", "1.0\n", "1.0.0", "\u0661.0", 1.5, None]
BAD_NATURALS = [-1, True, "1", None, 0.5]


class Payloads(Case):
    shape = "payload_shape"

    def test_key_sets(self):
        for position, (kind, payload) in enumerate(FULL):
            for key in payload:
                if (kind, key) in [("genesis", "format"), ("genesis", "ts_base")]:
                    continue
                with self.subTest(kind=kind, key=key):
                    self.fault(full({position: put(key, DROP)}), self.shape, position)
            with self.subTest(kind=kind):
                self.fault(full({position: put("more", 1)}), self.shape, position)
                if position:
                    for value in [None, 1, "x", []]:
                        self.fault(full({position: value}), self.shape, position)

    def test_genesis(self):
        machine = FULL[0][1]["machine"]
        self.break_each(0, self.shape, [("run_id", x) for x in BAD_RUN_IDS]
                        + [("machine", "name", x) for x in BAD_NAMES]
                        + [("machine", "version", x) for x in [True, "1", None, 1.5]]
                        + [("machine", "engine", x) for x in [1, False, {}]]
                        + [("machine", x) for x in [None, [], {}, dict(machine, x=1)]]
                        + [("base", x) for x in [1, "x", [], {}, False]])
        pairs = [("genesis", genesis(run_id="console", machine=dict(machine, version=-3, engine="")))]
        self.sound(build(pairs))
        for run_id in ["com10", "a" * 128, "9", "a..b", "x~1.0~2", "nulx.a", "A-_.~z", "x.nul"]:
            self.sound(build([("genesis", genesis(run_id=run_id))]), run_id)
        self.allow_each(0, [("policy", None), ("input", [1.5, {"$sealed": Z}]),
                            ("policy", {"$sealed": Z})])

    def test_base(self):
        fork = {"run_id": "old", "count": 5, "hash": Z, "snapshot": None}
        self.sound(full({0: put("base", fork)}))
        for over in [{"run_id": "run-1"}, {"hash": "x"}, {"count": 0}, {"count": True},
                     {"count": 1.5}, {"more": 1}] + [{"run_id": x} for x in BAD_RUN_IDS]:
            with self.subTest(over=over):
                self.fault(full({0: put("base", dict(fork, **over))}), self.shape, 0)

    def test_proposal(self):
        cite = {"run_id": "o", "count": 1, "hash": Z}
        bad_cites = [None, {}, [1], [dict(cite, x=1)], [dict(cite, count=0)],
                     [dict(cite, run_id="nul")], [dict(cite, hash="")], [{}]]
        self.break_each(2, self.shape, [("request_id", x) for x in BAD_REQUEST_IDS]
                        + [("source", x) for x in ["", "robot", None, [], "human\n"]]
                        + [("proposer", x) for x in ["", " a", "a b", "-", "a" * 129, "a\n", 1]]
                        + [("confidence", x) for x in [-0.1, 1.5, 2, -1, True, "1", {"$sealed": Z}]]
                        + [("at_us", x) for x in BAD_NATURALS if x is not None]
                        + [("spent", x) for x in [None, [], {"A": 1}, {"$sealed": Z}]]
                        + [("spent", {"usd": x}) for x in BAD_NATURALS]
                        + [("cites", x) for x in bad_cites]
                        + [("provenance", x) for x in [None, [], "x", 1]]
                        + [("proposal_hash", x) for x in BAD_HASHES])
        self.allow_each(2, [("proposer", "A.~:/@+-_9"), ("at_us", 0), ("spent", {"a": 0}),
                            ("provenance", {"$sealed": Z}), ("provenance", {"x": 0.5})])
        for value in [0, 1, 0.5, None]:
            self.sound(full({2: proposal("1.0", confidence=value)}))
        self.sound(full({2: proposal("1.0", value={"$sealed": Z})}))

    def test_failure(self):
        failure = {"code": "timeout", "final": False, "detail": {"a": 1}}
        sound = proposal("1.0", value=None, failure=failure)
        self.sound(full({2: sound}))
        self.fault(full({2: proposal("1.0", failure=failure)}), self.shape, 2)
        self.fault(full({2: proposal("1.0", value=None, confidence=1, failure=failure)}),
                   self.shape, 2)
        for over in [{"code": "late"}, {"code": None}, {"final": 0}, {"final": None}, {"x": 1}]:
            bad = dict(sound, failure=dict(failure, **over))
            self.fault(full({2: bad}), self.shape, 2, over)
        for bad in [{}, [], "timeout", False, 0]:
            self.fault(full({2: dict(sound, failure=bad)}), self.shape, 2)

    def test_decision(self):
        self.break_each(5, self.shape, [("events", x) for x in [None, {}, "x"]]
                        + [("requests", x) for x in [None, {}, [1], [None]]]
                        + [("withdrawn", [x]) for x in BAD_REQUEST_IDS]
                        + [("withdrawn", None), ("withdrawn", {})]
                        + [("state_hash", x) for x in BAD_HASHES if x is not None]
                        + [("graph", x) for x in [1, [], {}, {"nodes": []}, {"$sealed": Z},
                                                  {"nodes": [], "edges": [], "x": 1},
                                                  {"nodes": {}, "edges": []},
                                                  {"nodes": [], "edges": None}]])
        self.fault(full({1: put("state_hash", None)}), self.shape, 1)
        self.allow_each(5, [("state_hash", Z), ("events", [])])

    def test_requests(self):
        self.break_each(1, self.shape, [("requests", 0, "id", x) for x in BAD_REQUEST_IDS]
                        + [("requests", 0, "kind", x) for x in BAD_NAMES]
                        + [("requests", 0, "attempts", x) for x in BAD_NATURALS]
                        + [("requests", 0, "accepts", x) for x in
                           [None, [], "human", ["robot"], ["human", "human"], [["human"]], [None]]]
                        + [("requests", 0, "more", 1), ("requests", 0, "body", DROP)])
        self.allow_each(1, [("requests", 0, "attempts", 0), ("requests", 0, "body", {"$sealed": Z}),
                            ("requests", 0, "accepts", list(verify.SOURCES))])

    def test_nodes_and_edges(self):
        for kind, keys in [("nodes", ["id", "payload_hash"]), ("edges", ["id", "from_id", "to_id"])]:
            self.break_each(5, self.shape, [("graph", kind, 0, key, x) for key in keys for x in BAD_HASHES]
                            + [("graph", kind, 0, "kind", x) for x in BAD_NAMES]
                            + [("graph", kind, 0, "more", 1), ("graph", kind, 0, "id", DROP),
                               ("graph", kind, 0, None)])

    def test_rejection_and_artifact(self):
        self.break_each(3, self.shape, [("code", x) for x in BAD_NAMES])
        self.allow_each(3, [("code", "source_not_accepted"), ("detail", {"$sealed": Z})])
        self.break_each(7, self.shape, [("artifact_hash", x) for x in BAD_HASHES]
                        + [("name", x) for x in ["c c", "c" * 65, "\u00e9", None, 1]])

    def test_close(self):
        self.break_each(8, self.shape, [("status", x) for x in ["", "open", None, 1]]
                        + [("reasons", x) for x in [None, {}, [""], ["A"], [1]]]
                        + [(key, x) for key in ["dag_root_hash", "state_hash"] for x in BAD_HASHES]
                        + [("artifact_hashes", x) for x in
                           [None, [], {"A": Z}, {"a": "x"}, {"$sealed": Z}]]
                        + [("record_count", x) for x in BAD_NATURALS]
                        + [("open_requests", [x]) for x in BAD_REQUEST_IDS]
                        + [("open_requests", x) for x in [None, {}]]
                        + [("status", "refused")])
        self.allow_each(8, [("reasons", ["a", "a"])])
        self.assertEqual("refused", self.sound(full(
            {8: lambda p: p.update(status="refused", reasons=["x"])})).status)

    def test_index_at_its_limit(self):
        self.sound(full({2: proposal("999999999999.65535"), 3: rejection("not_open")}))


class Numbers(Case):
    def test_fractions(self):
        failure = {"code": "lost", "final": True, "detail": [0.5]}
        self.fault(full({2: proposal("1.0", value=None, failure=failure)}), "number", 2)
        self.break_each(3, "number", [("detail", 0.5), ("detail", {"a": [[0.25]]})])
        self.break_each(1, "number", [("requests", 0, "body", 1.5)])
        self.break_each(5, "number", [("events", [[0.5]]),
                                      ("graph", "nodes", 0, "payload", {"x": 2.5}),
                                      ("events", [{"$blob": {"bytes": 1.5, "media": "", "sha256": Z}}])])
        self.break_each(6, "number", [("content", {"x": 0.1})])
        self.fault(full({2: put("value", {"$blob": {"bytes": 1.5, "media": "", "sha256": Z}})}),
                   "token", 2)


BLOB = {"bytes": 0, "media": "", "sha256": Z}


class Tokens(Case):
    bad = ([{"$sealed": x} for x in BAD_HASHES]
           + [{"$sealed": Z, "x": 1}, {"$sealed": Z, "$blob": BLOB}, {"$blob": None}, {"$blob": []},
              {"$blob": {}}, {"$blob": BLOB, "x": 1}, {"$blob": dict(BLOB, x=1)},
              {"$blob": {"bytes": 0, "media": ""}}]
           + [{"$blob": dict(BLOB, bytes=x)} for x in [-1, True, "1", None]]
           + [{"$blob": dict(BLOB, media=x)} for x in ["x" * 129, "\n", "\u00e9", "\x7f", None]]
           + [{"$blob": dict(BLOB, sha256=x)} for x in BAD_HASHES])
    good = [{"$sealed": Z}, {"$blob": BLOB}, {"$blob": {"bytes": 9, "media": "~" * 128, "sha256": Z}},
            {"$other": 1}, {"$Sealed": 1}]

    def test_everywhere(self):
        places = [(0, "policy"), (0, "input"), (2, "value"), (2, "provenance"), (3, "detail"),
                  (1, "requests", 0, "body"), (5, "events", 0), (5, "graph", "nodes", 0, "payload"),
                  (6, "content")]
        for position, *path in places:
            self.break_each(position, "token", [(*path, x) for x in self.bad])
            self.break_each(position, "token", [(*path, {"a": [[self.bad[0]]]})])
        self.allow_each(0, [("input", x) for x in self.good])
        self.allow_each(3, [("detail", [x]) for x in self.good])

    def test_fraction_in_a_blob_where_numbers_are_free(self):
        self.fault(full({0: put("input", {"$blob": dict(BLOB, bytes=0.5)})}), "token", 0)


class Hashes(Case):
    def test_proposal_hash(self):
        self.break_each(2, "proposal_hash", [("proposal_hash", Z), ("value", "no"),
                                             ("source", "tool"), ("confidence", 1)])
        self.allow_each(2, [("proposer", "other"), ("spent", {})])

    def test_artifact_hash(self):
        self.break_each(6, "artifact_hash", [("artifact_hash", Z), ("content", 0)])


# --- Requests -----------------------------------------------------------------

class Requests(Case):
    def test_answer_to_what_is_not_open(self):
        for unknown in ["1.4", "0.0", "1.1"]:
            pairs = FULL[:6] + [("proposal", proposal(unknown))]
            self.sound(build(pairs))
            self.fault(build(pairs + [("decision", decision())]), "request_id", 7)
            self.fault(build(pairs + [("rejection", rejection())]), "request_id", 7)
            self.sound(build(pairs + [("rejection", rejection("not_open"))]))
        pairs = FULL[:6] + [("proposal", proposal("1.0")), ("decision", decision())]
        self.fault(build(pairs), "request_id", 7)    # answered before

    def test_not_open_for_what_is_open(self):
        self.fault(full({3: rejection("not_open")}), "request_id", 3)

    def test_new_ids(self):
        self.break_each(1, "request_id", [("requests", 0, "id", "0.0"), ("requests", 1, "id", "1.0"),
                                          ("requests", 3, "id", "1.4"), ("requests", 0, "id", "2.0")])

    def test_withdrawn(self):
        self.break_each(5, "request_id", [("withdrawn", x) for x in
                                          [["1.0"], ["1.1", "1.1"], ["1.9"], ["5.0"], ["1.1", "0.0"]]])
        self.fault(full({1: put("withdrawn", ["1.0"])}), "request_id", 1)

    def test_too_many(self):
        def many(sequence, number):
            return [request("%d.%d" % (sequence, i), body=0) for i in range(number)]
        pairs = [("genesis", genesis()), ("decision", decision(requests=many(1, 32768))),
                 ("proposal", proposal("1.0")), ("decision", decision(requests=many(3, 32769)))]
        self.sound(build(pairs))                     # 65,536
        pairs[3] = ("decision", decision(requests=many(3, 32770)))
        self.fault(build(pairs), "request_id", 3)

    def test_order_in_close_is_by_number(self):
        pairs = [("genesis", genesis()),
                 ("decision", decision(requests=[request("1.%d" % i) for i in range(12)]))]
        for sequence in (3, 5, 7, 9, 11):
            pairs += [("proposal", proposal("1.%d" % (sequence // 2))),
                      ("decision", decision(requests=[request("%d.0" % sequence)]))]
        pairs += [("proposal", proposal("1.0")), ("decision", decision())]
        left = ["1.%d" % i for i in range(6, 12)] + ["3.0", "5.0", "7.0", "9.0", "11.0"]
        self.sound(build(pairs + [("close", close(15, open_requests=left))]))
        self.fault(build(pairs + [("close", close(15, open_requests=sorted(left)))]), "close", 14)


class Close(Case):
    def test_values(self):
        self.break_each(8, "close", [
            ("dag_root_hash", Z), ("dag_root_hash", root()), ("artifact_hashes", {}),
            ("artifact_hashes", {"a": Z, "b": h([None])}), ("record_count", 8), ("record_count", 10),
            ("open_requests", []), ("open_requests", ["1.3", "1.2"]),
            ("open_requests", ["1.2", "1.3", "1.3"]), ("open_requests", ["1.2"]),
            ("open_requests", ["1.1", "1.2", "1.3"])])
        self.allow_each(8, [("state_hash", "1" * 64)])

    def test_stands_behind_no_new_request(self):
        asks = {5: put("requests", [request("5.0")]), 8: put("open_requests", ["1.2", "1.3", "5.0"])}
        self.fault(full(asks), "close", 8)
        self.sound(full({5: Erased(), 8: put("open_requests", ["1.2", "1.3"])}))

    def test_empty_root(self):
        self.assertEqual("4a6918868e6fd429b1bc1e1b6b3839f36884a24fe2c2d76439e03e159faa20c8", root())
        self.assertEqual(root(), verify.Graph().root())


# --- Graph --------------------------------------------------------------------

class GraphRules(Case):
    def run_of(self, *graphs):
        """One decision per graph, at positions 1, 3, 5..."""
        pairs = [("genesis", genesis())]
        for i, each in enumerate(graphs):
            if i:
                pairs.append(("proposal", proposal("%d.0" % (2 * i - 1))))
            pairs.append(("decision", decision(requests=[request("%d.0" % (2 * i + 1))], graph=each)))
        return build(pairs)

    def test_ids_and_kinds(self):
        for bad in [dict(N3, kind="thing"), dict(N3, id=Z), dict(N3, payload_hash=Z),
                    dict(N3, payload=4), node([3], "thing"), node([3], run_id="other")]:
            self.fault(self.run_of(graph([N1, N2, bad])), "graph", 1)
        for bad in [dict(E12, kind="likes"), dict(E12, id=Z), dict(E12, to_id=N1["id"]),
                    edge(N1, N2, "likes"), edge(N1, N2, run_id="other")]:
            self.fault(self.run_of(graph([N1, N2], [bad])), "graph", 1)
        kinds = [node(1, kind) for kind in verify.NODE_KINDS]
        self.sound(self.run_of(graph(kinds, [edge(kinds[0], kinds[1], kind)
                                             for kind in verify.EDGE_KINDS])))

    def test_new(self):
        self.fault(self.run_of(graph([N1, N1])), "graph", 1)
        self.fault(self.run_of(graph([N1]), None, graph([N1])), "graph", 5)
        self.fault(self.run_of(graph([N1, N2], [E12, E12])), "graph", 1)
        self.fault(self.run_of(graph([N1, N2], [E12]), graph([], [E12])), "graph", 3)

    def test_ends(self):
        self.sound(self.run_of(graph([N2, N1], [E12])))
        self.sound(self.run_of(graph([N1]), graph([N2], [E12])))
        self.fault(self.run_of(graph([N1], [E12]), graph([N2])), "graph", 1)
        self.fault(self.run_of(graph([N1], [edge(N1, N2, "contradicts")])), "graph", 1)
        self.fault(self.run_of(graph()), "payload_shape", 1)     # not null though empty

    def test_cycles(self):
        self.fault(self.run_of(graph([N1], [edge(N1, N1)])), "graph", 1)
        self.fault(self.run_of(graph([N1], [edge(N1, N1, "refines")])), "graph", 1)
        self.sound(self.run_of(graph([N1, N2], [C11, E12, edge(N2, N1, "contradicts")])))
        self.fault(self.run_of(graph([N1, N2, N3], [E12, E23, E31])), "graph", 1)
        self.fault(self.run_of(graph([N1, N2, N3], [E12]), graph([], [E23]), graph([], [E31])),
                   "graph", 5)
        self.sound(self.run_of(graph([N1, N2, N3], [E12, edge(N1, N2, "refines"), E23, edge(N1, N3)])))

    def test_cycle_comes_before_later_faults(self):
        cyclic = self.run_of(graph([N1, N2], [E12]), graph([], [edge(N2, N1)]), graph([N1]))
        self.fault(cyclic, "graph", 3)
        self.fault(cyclic + b"\n", "graph", 3)
        self.fault(self.run_of(graph([N1, N2], [E12]), graph([dict(N3, id=Z)], [edge(N2, N1)])),
                   "graph", 3)

    def test_fault_before_a_cycle(self):
        data = self.run_of(graph([N1, N2], [E12]), graph([N1]), graph([], [edge(N2, N1)]))
        self.fault(data, "graph", 3)
        data = self.run_of(graph([N1, N2], [E12]), None, graph([], [edge(N2, N1)]))
        made = [json.loads(line) for line in data.splitlines()]
        made[2]["v"] = 2
        self.fault(text(made), "version", 2)

    def test_cycles_at_random(self):
        """The cycle is dated as by a search after each decision."""
        draw = random.Random(3)
        nodes = [node(i) for i in range(7)]
        for _ in range(150):
            pairs = [(a, b) for a in range(7) for b in range(7) if a != b]
            draw.shuffle(pairs)
            chosen = pairs[:10]
            expected, reach = None, {a: {a} for a in range(7)}
            for i, (a, b) in enumerate(chosen):
                if a in reach[b]:
                    expected = 2 * i + 3
                    break
                for ends in reach.values():
                    if a in ends:
                        ends |= reach[b]
            data = self.run_of(graph(nodes), *[graph([], [edge(nodes[a], nodes[b])]) for a, b in chosen])
            if expected is None:
                self.sound(data)
            else:
                self.fault(data, "graph", expected)


# --- Continuations and foreign chains -----------------------------------------

class Continuation(Case):
    def pairs(self, first=20, **over):
        snapshot = dict({"t": "state", "machine": [1], "artifacts": {"old": Z, "a": Z},
                         "open": {"3.0": {"rejections": 1, "spent": {"usd": 2},
                                          "request": request("3.0")},
                                  "11.2": {"rejections": 0, "spent": {},
                                           "request": request("11.2")}}}, **over)
        return [
            ("genesis", genesis(base={"run_id": "old", "count": first, "hash": Z, "snapshot": snapshot})),
            ("decision", decision(withdrawn=["3.0"])),
            ("artifact", artifact("a", 1)),
            ("close", close(first + 4, artifact_hashes={"old": Z, "a": h(1)},
                            open_requests=["11.2"])),
        ]

    def test_sound(self):
        ledger = self.sound(build(self.pairs(), first=20))
        self.assertEqual(24, ledger.count)

    def test_ids_from_later(self):
        self.sound(build(self.pairs(first=12), first=12))
        self.fault(build(self.pairs(first=11), first=11), "payload_shape", 0)

    def test_sequence(self):
        self.fault(build(self.pairs()), "ts", 0)
        self.fault(build(self.pairs(), first=21), "ts", 0)
        self.fault(build(self.pairs(first=10**12), first=10**12), "ts", 0)
        top = self.pairs(first=10**12 - 2)
        self.sound(build(top[:2], first=10**12 - 2))
        self.fault(build(top[:3], first=10**12 - 2), "ts", 2)

    def test_lenient_reading_of_count(self):
        for count in [0, -1, "20", None, True, 1.5]:
            pairs = self.pairs()
            pairs[0][1]["base"]["count"] = count
            self.fault(build(pairs), "payload_shape", 0, count)
            self.fault(build(pairs, first=20), "ts", 0, count)
        pairs = self.pairs()
        pairs[0][1]["base"] = {"count": 20, "snapshot": 0}
        self.fault(build(pairs, first=20), "payload_shape", 0)
        pairs[0][1]["base"] = {"count": 20}
        self.fault(build(pairs), "payload_shape", 0)
        pairs[0][1]["base"] = [20]
        self.fault(build(pairs), "payload_shape", 0)

    def test_close_counts_on(self):
        for key, value in [("record_count", 4), ("artifact_hashes", {"a": h(1)}),
                           ("open_requests", ["21.0"]), ("open_requests", ["21.0", "11.2"])]:
            pairs = self.pairs()
            pairs[3][1][key] = value
            self.fault(build(pairs, first=20), "close", 3)

    def test_state_form(self):
        entry = {"rejections": 0, "spent": {}, "request": request("3.0")}
        for over in [{"t": "State"}, {"more": 1}, {"open": []}, {"artifacts": []},
                     {"artifacts": {"A": Z}}, {"artifacts": {"a": "x"}}, {"artifacts": {"$sealed": Z}},
                     {"open": {"$sealed": Z}}, {"open": {"03.0": entry}}, {"open": {"3.1": entry}},
                     {"open": {"3.0": dict(entry, rejections=-1)}}, {"open": {"3.0": dict(entry, x=1)}},
                     {"open": {"3.0": dict(entry, spent={"A": 1})}},
                     {"open": {"3.0": dict(entry, request=request("3.0", accepts=[]))}}]:
            with self.subTest(over=over):
                self.fault(build(self.pairs(**over), first=20), "payload_shape", 0)

    def test_numbers_and_tokens(self):
        entry = {"rejections": 0, "spent": {}, "request": request("3.0", body=[0.5])}
        self.fault(build(self.pairs(machine=0.5), first=20), "number", 0)
        self.fault(build(self.pairs(open={"3.0": entry}), first=20), "number", 0)
        self.fault(build(self.pairs(machine={"$sealed": 1}), first=20), "token", 0)
        self.sound(build(self.pairs(machine={"$sealed": Z}), first=20))

    def test_graph_starts_empty(self):
        pairs = self.pairs()[:2]
        pairs[1][1]["graph"] = graph([N1], [E12])
        self.fault(build(pairs, first=20), "graph", 1)

    def test_fork_starts_at_zero_with_an_empty_table(self):
        pairs = self.pairs()[:2]
        pairs[0][1]["base"]["snapshot"] = None
        self.fault(build(pairs), "request_id", 1)
        self.fault(build(pairs, first=20), "ts", 0)


class Foreign(Case):
    def foreign(self, data):
        ledger = self.sound(data)
        self.assertTrue(ledger.foreign)
        return ledger

    def test_forms(self):
        for payload in [1, None, [], "x", {}, genesis(format="assay/9"), genesis(format=None),
                        {"$sealed": Z}]:
            self.foreign(build([("genesis", payload), ("x", 1)]))
        self.foreign(build([("decision", decision()), ("genesis", genesis())]))
        self.foreign(build([("", Erased()), ("close", Erased())], base="no such # base"))
        self.foreign(build([("other", {"$sealed": 0.5})]))

    def test_codes_2_to_10_hold(self):
        pairs = [("log", i) for i in range(4)]
        self.foreign(build(pairs))
        for edit, code in [(dict(v=2), "version"), (dict(parent=Z), "parent"), (dict(ts=1), "shape"),
                           (dict(payload=9), "payload_hash")]:
            self.fault(build(pairs, edits={2: lambda r: r.update(edit)}), code, 2)
        made = records(pairs)
        made[2]["record_hash"] = Z
        self.fault(text(made), "record_hash", 2)
        self.fault(build(pairs)[:-1], "final_newline", 3)
        self.fault(build(pairs) + b"\n", "encoding", 4)
        self.fault(build(pairs) + b"[" * 257, "depth", 4)
        self.fault(build(pairs) + b"," * 262_145, "size", 4)


# --- Precedence ---------------------------------------------------------------

class Precedence(Case):
    """Each file has two faults; the earlier record, then the earlier code, wins."""

    def test_within_a_line(self):
        data = full()
        deep = b"[" * 257
        self.fault(deep + b"," * 262_144, "size", 0)
        self.fault(deep + b"\xff", "depth", 0)
        self.fault(data[:-2] + b" }", "encoding", 8)
        self.fault(c(1), "final_newline", 0)

    def test_chain_of_codes(self):
        """Repairs one record step by step and sees each code in turn."""
        bad = {"events": [0.5, {"$sealed": 1}], "requests": [request("9.9")], "withdrawn": [],
               "graph": graph([dict(N1, id=Z)]), "state_hash": None, "x": 1}
        pairs = FULL[:4] + [("proposal", proposal("1.0")), ("artifact", bad)]
        made = records(pairs)
        last = made[5]
        last.update(v=2, payload_hash=Z, parent=Z, ts="bad", extra=1)

        def now(code):
            self.fault(text(made), code, 5)
        now("shape")
        del last["extra"]
        now("version")
        last["v"] = 1
        now("payload_hash")
        last["payload_hash"] = h(bad)
        now("record_hash")
        seal(last)
        now("parent")
        last["parent"] = made[4]["record_hash"]
        seal(last)
        now("ts")
        last["ts"] = "t0#000000000005"
        seal(last)
        now("order")

        def again():
            last["payload_hash"] = h(bad)
            seal(last)
        last["kind"] = "decision"
        seal(last)
        now("payload_shape")
        del bad["x"]
        again()
        now("number")
        bad["events"][0] = 1
        again()
        now("token")
        bad["events"] = []
        again()
        now("request_id")
        bad["requests"] = []
        again()
        now("graph")
        bad["graph"] = None
        again()
        self.sound(text(made))

    def test_proposal_and_artifact(self):
        both = proposal("1.0", value={"$sealed": 1}, proposal_hash=Z)
        self.fault(full({2: both}), "token", 2)
        self.fault(full({2: dict(both, value=1)}), "proposal_hash", 2)
        both = dict(artifact("a", {"$blob": 0.5}), artifact_hash=Z)
        self.fault(full({6: both}), "number", 6)
        self.fault(full({6: dict(both, content={"$blob": 1})}), "token", 6)
        self.fault(full({6: dict(both, content=1)}), "artifact_hash", 6)

    def test_first_record_wins(self):
        made = records(FULL)
        made[2]["record_hash"] = Z
        made[1]["payload"]["events"] = [1]
        self.fault(text(made), "payload_hash", 1)
        self.fault(full({3: put("code", "A"), 2: put("proposal_hash", Z)}), "proposal_hash", 2)

    def test_position_0(self):
        bad = genesis(base={"count": 3, "snapshot": 1}, ts_base="x", format="assay/0")
        self.fault(build([("genesis", bad)]), "ts", 0)
        self.fault(build([("genesis", bad)], base="x", first=3), "payload_shape", 0)


# --- Completeness -------------------------------------------------------------

def complete(data, head=None, expectations=(), others=()):
    ledger = judge(data)
    found = verify.completeness(ledger, [judge(other) for other in others], head, expectations)
    return found["verdict"], found["code"], found["record"]


class Completeness(Case):
    def setUp(self):
        self.made = records(FULL)
        self.data = text(self.made)

    def hash(self, position):
        return self.made[position]["record_hash"]

    def test_heads(self):
        data, made = self.data, self.made
        cut = text(made[:6])
        for given, head, expected in [
            (data, None, ("not_checked", "no_head", None)),
            (data, (9, self.hash(8)), ("held", None, None)),
            (data, (9, Z), ("failed", "head_mismatch", 8)),
            (data, (6, self.hash(5)), ("not_checked", "beyond_head", 6)),
            (data, (1, self.hash(0)), ("not_checked", "beyond_head", 1)),
            (data, (6, self.hash(6)), ("failed", "head_mismatch", 5)),
            (data, (10, Z), ("failed", "head_mismatch", 8)),
            (cut, (6, self.hash(5)), ("not_checked", "open_run", None)),
            (cut, (6, Z), ("failed", "head_mismatch", 5)),
            (cut, (9, self.hash(8)), ("failed", "truncated", None)),
            (data[:-1], (9, self.hash(8)), ("not_checked", "integrity", None)),
        ]:
            with self.subTest(head=head):
                self.assertEqual(expected, complete(given, head))

    def test_continuation(self):
        made = records(Continuation().pairs(), first=20)
        data, last = text(made), made[3]["record_hash"]
        self.assertEqual("held", complete(data, (24, last))[0])
        self.assertEqual(("failed", "head_mismatch", 3), complete(data, (25, last)))
        self.assertEqual("head_mismatch", complete(data, (4, last))[1])
        self.assertEqual(("failed", "head_mismatch", None), complete(data, (20, last)))
        self.assertEqual(("not_checked", "beyond_head", 1),
                         complete(data, (21, made[0]["record_hash"])))

    def test_foreign(self):
        made = records([("log", i) for i in range(3)])
        data = text(made)
        self.assertEqual("no_head", complete(data)[1])
        self.assertEqual("open_run", complete(data, (3, made[2]["record_hash"]))[1])
        self.assertEqual("truncated", complete(data, (4, Z))[1])
        self.assertEqual("beyond_head", complete(data, (2, made[1]["record_hash"]))[1])
        self.assertEqual("head_mismatch", complete(data, (2, Z))[1])
        self.assertEqual("expectation", complete(data, None, [("run", "run-1")])[1])
        closed = records([("log", 0), ("close", close(2))])
        self.assertEqual("open_run", complete(text(closed), (2, closed[1]["record_hash"]))[1])

    def test_expectations(self):
        met = [("machine", "toy@1"), ("run", "run-1"), ("policy", h({"p": 0.5})), ("input", h("hi"))]
        self.assertEqual("no_head", complete(self.data, None, met)[1])
        self.assertEqual("held", complete(self.data, (9, self.hash(8)), met)[0])
        for key, value in [("machine", "toy@2"), ("machine", "toy"), ("run", "run-2"),
                           ("policy", Z), ("input", h("ho")), ("input", h("hi").upper())]:
            with self.subTest(key=key, value=value):
                self.assertEqual(("failed", "expectation", 0),
                                 complete(self.data, (9, Z), met + [(key, value)]))
        self.assertEqual("integrity", complete(self.data[:-1], None, [("run", "x")])[1])

    def test_several_files(self):
        data, made = self.data, self.made
        cut, short = text(made[:6]), text(made[:4])
        other = text(records(FULL[:4] + [("proposal", proposal("1.0", value="no"))]))
        for one in (data, cut):
            self.assertEqual(("failed", "split_view", 4), complete(one, None, (), [other]))
            self.assertEqual(("failed", "split_view", 4), complete(other, None, (), [one]))
        # A prefix changes nothing, and no file vouches for another.
        for one, rest in ((data, [data]), (data, [cut]), (cut, [data]), (other, [short])):
            self.assertEqual("no_head", complete(one, None, (), rest)[1])
        # Left out: other runs, and files that are not sound.
        for rest in (build([("genesis", genesis(input="ho"))]),
                     build([("genesis", genesis(run_id="x"))]), other[:-1]):
            self.assertEqual("no_head", complete(data, None, (), [rest])[1])
        # Foreign chains are of one run if their first records agree.
        log = [("log", i) for i in range(3)]
        self.assertEqual(("failed", "split_view", 2),
                         complete(build(log), None, (), [build(log[:2] + [("log", 9)])]))
        for rest in (build(log[:2]), build([("log", 9)]), data):
            self.assertEqual("no_head", complete(build(log), None, (), [rest])[1])
        # An erased copy is the same file.
        self.assertEqual("no_head", complete(data, None, (), [text(erase(records(FULL), 3))])[1])
        # Expectations come first, then views, then the user's own head.
        self.assertEqual("expectation", complete(data, None, [("run", "x")], [other])[1])
        self.assertEqual("split_view", complete(data, (9, self.hash(8)), (), [other])[1])
        self.assertEqual("held", complete(data, (9, self.hash(8)), (), [cut])[0])
        self.assertEqual("head_mismatch", complete(data, (9, Z), (), [data])[1])


# --- The example and the command line -----------------------------------------

def example():
    with open(os.path.join(VECTORS, "example.ledger.jsonl"), "rb") as file:
        return file.read()


class Example(Case):
    last = "1401d8d65fd8d1eeec94fdf62c0f6b7acf80808c5f7594f6d593a61a0e353e3a"

    def test_it_is_the_file_that_the_page_describes(self):
        self.assertEqual("b98369810208cea7ca754eb97e267c8b58e815c0f837014c0abe57b5ddf0f733",
                         hashlib.sha256(example()).hexdigest())

    def test_changes_to_try(self):
        data = example()
        split = data.splitlines(keepends=True)
        self.sound(data)
        self.assertEqual("no_head", complete(data)[1])
        self.assertEqual("held", complete(data, (8, self.last))[0])
        self.fault(data[:-1], "final_newline", 7)
        self.assertEqual("truncated", complete(b"".join(split[:-1]), (8, self.last))[1])
        self.fault(b"".join(split[:4]) + split[4].replace(b'"yes"', b'"no"'), "payload_hash", 4)
        self.fault(b"".join(split[i] for i in (0, 1, 3, 2, 4, 5, 6, 7)), "parent", 2)
        made = [json.loads(line) for line in split]
        self.assertEqual([3, 1], self.sound(text(erase(copy.deepcopy(made), 3))).erased)
        self.fault(text(erase(made, 7)), "payload_shape", 7)
        self.fault(b"{ " + data[1:], "encoding", 0)
        self.fault(data + b"\n", "encoding", 8)


class LogVectors(Case):
    """vectors/log.json: what another hand made comes out here."""

    def setUp(self):
        with open(os.path.join(VECTORS, "log.json"), encoding="utf-8") as stream:
            self.vectors = json.load(stream)

    def test_entries(self):
        for each in self.vectors["entries"]:
            line = each["line"].encode("utf-8")
            self.assertTrue(verify_log.is_entry(verify.decode(line), verify.is_run_id))
            self.assertEqual(line, verify.C(verify.decode(line)))
            self.assertEqual(each["digest"], hashlib.sha256(line).hexdigest())
            self.assertEqual(each["leaf"], authorship.leaf(each["digest"]))
        for line in self.vectors["refused"]:
            with self.subTest(line=line):
                try:
                    value = verify.decode(line.encode("utf-8"))
                except verify.Fault:
                    continue
                self.assertFalse(verify_log.is_entry(value, verify.is_run_id))

    def test_trees(self):
        for each in self.vectors["trees"]:
            digests = [hashlib.sha256(b"entry %d" % at).hexdigest() for at in range(each["size"])]
            self.assertEqual(each["root"], authorship.Roots(digests).root(each["size"]))
            self.assertEqual(each["tiles"], {
                path: hashlib.sha256(data).hexdigest()
                for path, data in verify_log.tiles(digests).items()})

    def test_checkpoints(self):
        for each in self.vectors["checkpoints"]:
            with self.subTest(name=each["name"]):
                try:
                    found = verify_log.Checkpoint(each["text"])
                except ValueError:
                    self.assertIsNone(each["checkpoint"])
                    continue
                self.assertEqual(each["checkpoint"], {
                    "origin": found.origin, "size": found.size, "root": found.root,
                    "signed": found.is_signed(),
                    "cosignatures": [{"key": key, "time": time, "isSound": sound}
                                     for key, time, sound in found.cosignatures()]})


class CommandLine(Case):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def file(self, name, data):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as stream:
            stream.write(data)
        return path

    def run_main(self, *arguments):
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            try:
                status = verify.main(list(arguments))
            except SystemExit as ended:
                return ended.code, None
        return status, json.loads(out.getvalue())["results"]

    def test_held(self):
        path = self.file("a", example())
        status, (found,) = self.run_main("--json", "--head", "assay-head:1:8:" + Example.last,
                                         "--expect", "machine=toy@1", "--expect", "run=demo-1", path)
        self.assertEqual(0, status)
        self.assertEqual({"run_id": "demo-1", "count": 8, "hash": Example.last}, found["head"])
        self.assertEqual((path, "success"), (found["file"], found["outcome"]))
        codes = {name: (each["verdict"], each["code"]) for name, each in found["checks"].items()}
        self.assertEqual({"integrity": ("held", None), "completeness": ("held", None),
                          "rederivation": ("not_checked", "unknown_machine"),
                          "authorship": ("not_checked", "unsigned"),
                          "time": ("not_checked", "no_witness")}, codes)

    def test_faulty(self):
        status, (found,) = self.run_main(self.file("a", example()[:-1]))
        self.assertEqual(3, status)
        self.assertEqual((None, "open"), (found["head"], found["outcome"]))
        for name in ("rederivation", "completeness", "authorship", "time"):
            self.assertEqual(("not_checked", "integrity"),
                             (found["checks"][name]["verdict"], found["checks"][name]["code"]))
        self.assertEqual(("failed", "final_newline", 7, 1), tuple(
            found["checks"]["integrity"][key] for key in ("verdict", "code", "record", "count")))

    def test_remarks(self):
        status, (found,) = self.run_main(self.file("a", text(erase(records(FULL), 3, 6))))
        self.assertEqual((0, ("held", None, 3, 2, "payload_erased")),
                         (status, tuple(found["checks"]["integrity"].values())))
        status, (found,) = self.run_main(self.file("b", build([("log", 1)])))
        self.assertEqual((0, "foreign_chain", "unknown_format", None), (
            status, found["checks"]["integrity"]["detail"],
            found["checks"]["rederivation"]["code"], found["head"]["run_id"]))

    def test_kept_outside(self):
        salt, value, raw = "5" * 64, {"name": "Ada"}, b"raw\xff"
        sealed = h({"t": "sealed", "salt": salt, "value": value})
        digest = hashlib.sha256(raw).hexdigest()
        blob = {"bytes": len(raw), "media": "", "sha256": digest}
        path = self.file("a", full({2: proposal(
            "1.0", value=[{"$sealed": sealed}, {"$blob": blob}])}))
        good = {"salt": salt, "seal": sealed, "value": value}
        for number, (openings, content, code) in enumerate([
                (c(good), raw, None), (None, None, None), (b"\n{\xff\n" + c(good), raw, None),
                (c(dict(good, value=1)), raw, "token"), (c(dict(good, salt=Z)), raw, "token"),
                (c(dict(good, more=1)), raw, "token"), (c({"seal": sealed}), raw, "token"),
                (c(good) + b"\n" + c(dict(good, value=1)), raw, "token"),
                (c(dict(good, value=1)) + b"\n" + c(good), raw, "token"),
                (c(dict(good, seal=h(0))), None, None), (c(good), raw + b"x", "token"),
                (c(good), b"raw\xfe", "token"), (c(good), b"", "token")]):
            folder = os.path.join(self.folder, "kept-%d" % number)
            os.makedirs(os.path.join(folder, "blobs"))
            if openings is not None:
                with open(os.path.join(folder, "x.openings.jsonl"), "wb") as stream:
                    stream.write(openings)
            if content is not None:
                with open(os.path.join(folder, "blobs", digest), "wb") as stream:
                    stream.write(content)
            status, (found,) = self.run_main("--with", folder, path)
            # 4: a ledger that is cited is not in the folder.
            self.assertEqual((3 if code else 4, code, 2 if code else None), (
                status, found["checks"]["integrity"]["code"],
                found["checks"]["integrity"]["record"]), number)
        self.assertEqual(2, self.run_main("--with", os.path.join(self.folder, "none"), path)[0])

    def test_kept_outside_long_line(self):
        sealed = h({"t": "sealed", "salt": "5" * 64, "value": 1})
        path = self.file("a", full({2: proposal("1.0", value={"$sealed": sealed})}))
        wrong = c({"salt": "5" * 64, "seal": sealed, "value": 2})
        for number, (before, code) in enumerate([
                (b"x" * (verify.MAX_LINE + 1), None), (b"x" * (3 * verify.MAX_LINE) + b"\n", "token")]):
            folder = os.path.join(self.folder, "long-%d" % number)
            os.makedirs(folder)
            with open(os.path.join(folder, "x.openings.jsonl"), "wb") as stream:
                stream.write(before + wrong)
            status, (found,) = self.run_main("--with", folder, path)
            self.assertEqual(code, found["checks"]["integrity"]["code"], number)

    @unittest.skipUnless(hasattr(os, "mkfifo"), "no pipes here")
    def test_kept_outside_pipes(self):
        digest = hashlib.sha256(b"").hexdigest()
        blob = {"$blob": {"bytes": 0, "media": "", "sha256": digest}}
        path = self.file("a", full({2: proposal("1.0", value=blob)}))
        for name in ("x.openings.jsonl", os.path.join("blobs", digest)):
            folder = os.path.join(self.folder, "pipe-" + os.path.basename(name)[:9])
            os.makedirs(os.path.join(folder, "blobs"))
            os.mkfifo(os.path.join(folder, name))
            self.assertEqual(2, self.run_main("--with", folder, path)[0], name)

    def test_several(self):
        made = records(FULL)
        whole, cut = self.file("a", text(made)), self.file("b", text(made[:6]))
        status, found = self.run_main(whole, cut)
        self.assertEqual((0, ["no_head", "no_head"]),
                         (status, [each["checks"]["completeness"]["code"] for each in found]))
        status, found = self.run_main(whole, self.file("c", example()))
        self.assertEqual(0, status)

    def test_wrong_use(self):
        path = self.file("a", example())
        good = "assay-head:1:8:" + Example.last
        self.assertEqual(0, self.run_main("--head", good + "\n", path)[0])
        for head in ["", good + " ", " " + good, good + "\n\n", good.upper(), good[:-1],
                     good.replace(":8:", ":08:"), good.replace(":8:", ":0:"),
                     good.replace(":8:", ":+8:"), good.replace(":8:", ":1000000000001:"),
                     good.replace(":8:", ":\u0668:"), good.replace("head:1", "head:2")]:
            self.assertEqual(2, self.run_main("--head", head, path)[0], head)
        self.assertEqual(3, self.run_main("--head", good.replace(":8:", ":1000000000000:"), path)[0])
        for expect in ["", "run", "what=1", "Run=x"]:
            self.assertEqual(2, self.run_main("--expect", expect, path)[0], expect)
        self.assertEqual(2, self.run_main()[0])
        self.assertEqual(2, self.run_main(os.path.join(self.folder, "none"))[0])
        self.assertEqual(2, self.run_main(self.folder)[0])
        self.assertEqual(2, self.run_main("--other", path)[0])


# --- Authorship -----------------------------------------------------------------

class Signatures(unittest.TestCase):
    """RFC 8032, 7.1, test 2, and what strictness adds."""

    KEY = bytes.fromhex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
    SIG = bytes.fromhex("92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00")

    def test_holds(self):
        self.assertTrue(authorship.verify(self.SIG, b"\x72", self.KEY))

    def test_any_bit_changed(self):
        for at in range(0, 512, 7):
            sig = bytearray(self.SIG)
            sig[at >> 3] ^= 1 << (at & 7)
            self.assertFalse(authorship.verify(bytes(sig), b"\x72", self.KEY), at)
        self.assertFalse(authorship.verify(self.SIG, b"\x73", self.KEY))

    def test_s_plus_order(self):
        s = int.from_bytes(self.SIG[32:], "little") + authorship.L
        self.assertFalse(authorship.verify(self.SIG[:32] + s.to_bytes(32, "little"), b"\x72", self.KEY))

    def test_small_order_keys(self):
        for y in (0, 1, authorship.P - 1):
            key = y.to_bytes(32, "little")
            self.assertFalse(authorship.verify(key + bytes(32), b"", key))
            self.assertIsNone(authorship.trusted_key("assay-public-key:1:" + key.hex(), verify.H))

    def test_second_spelling(self):
        for y in range(authorship.P, 2**255):
            self.assertIsNone(authorship.decode_point(y.to_bytes(32, "little")))


class Trees(unittest.TestCase):
    """Roots and paths of every tree up to 20 leaves, against the definition."""

    HASHES = [hashlib.sha256(b"%d" % i).hexdigest() for i in range(20)]

    def plain(self, start, end):
        if end - start == 1:
            return authorship.leaf(self.HASHES[start])
        k = authorship.split(end - start)
        return authorship.node(self.plain(start, start + k), self.plain(start + k, end))

    def path(self, start, end, low, high, known):
        if (start, end) == (low, high):
            return [] if known else [self.plain(low, high)]
        k = low + authorship.split(high - low)
        if end <= k:
            return self.path(start, end, low, k, known) + [self.plain(k, high)]
        if start >= k:
            return self.path(start, end, k, high, known) + [self.plain(low, k)]
        return self.path(k, end, k, high, False) + [self.plain(low, k)]

    def test_all(self):
        for n in range(1, 21):
            root = self.plain(0, n)
            self.assertEqual(authorship.Roots(self.HASHES[:n]).root(n), root)
            for start, end in [(i, i + 1) for i in range(n)] + [(0, m) for m in range(1, n + 1)]:
                under, path = self.plain(start, end), self.path(start, end, 0, n, True)
                self.assertEqual(authorship.fold(start, end, n, under, path), (under, root))
                self.assertNotEqual(authorship.fold(start, end, n, under, path + [root]), (under, root))
                if path:
                    self.assertIsNone(authorship.fold(start, end, n, under, path[1:]))


if __name__ == "__main__":
    unittest.main()
