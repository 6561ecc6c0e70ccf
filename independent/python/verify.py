#!/usr/bin/env python3
"""A second verifier for Assay ledgers, written from docs/formats alone.

It judges *integrity* wholly, *completeness* and *authorship* (which is in
verify_authorship.py, loaded where it is asked for); it does not re-derive, and it
checks no witnesses. It uses the standard library only and shares no code with the
TypeScript packages, so that the two can be compared.

    python3 independent/python/verify.py [--head LINE] [--expect KEY=VALUE]... [--with DIR]
        [--signature FILE]... [--trust KEY]... [--threshold N] [--proof FILE]...
        [--json] [FILE]...

Without a file the proofs are judged by themselves. One JSON document is printed. Exit status: 0 when integrity holds in every file
and completeness and authorship failed in none, 3 when one of these checks failed,
4 when keys were trusted and authorship could not be checked, 2 for wrong use.

The sections follow the pages of docs/formats:

     1  canonical-json.md   C and H
     2  limits.md           the scan before parsing
     3  record.md           lines and their decoding
     4  names.md            patterns and closed sets
     5  payloads.md         the six payloads
     6  tokens.md           sealed values and blobs, and what is kept for them
     7  graph.md            ids, ends, cycles, the root
     8  requests.md         the table of open requests
     9  record.md, grammar.md, verdicts.md: one record, one file
    10  verdicts.md         completeness
    11  head.md             the command line

Notes for readers who port this: Python reads `true` as a kind of integer, so
types are compared with `type(x) is int`; `\\d` and `str.isdigit` accept other
digits than 0-9, so classes are written out; `$` matches before a last line
feed, so every pattern is used with `fullmatch`.
"""

import argparse
import collections
import errno
import hashlib
import json
import os
import re
import stat
import sys


class Fault(Exception):
    """Ends the judgement of a file; the record is the one at hand."""

    def __init__(self, code, detail=None):
        super().__init__(code, detail)
        self.code = code
        self.detail = detail


def need(condition, code, detail=None):
    """fault(code) unless the condition holds."""
    if not condition:
        raise Fault(code, detail)


# --- 1. Canonical JSON (canonical-json.md) ------------------------------------

MAX_NUMBER = 2**53 - 1

ESCAPES = {chr(i): "\\u%04x" % i for i in range(0x20)}
ESCAPES.update({'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t",
                "\n": "\\n", "\f": "\\f", "\r": "\\r"})
ESCAPED = re.compile(r'["\\\x00-\x1f]')


def number_text(n):
    """The text ECMAScript gives for a number (canonical-json.md, Numbers).

    Integers arrive as `int`, all others as `float`. repr() of a float has the
    shortest digits that read back as the same double, as the page demands; only
    its layout differs, so digits and exponent are taken out and laid out anew.
    """
    if not abs(n) <= MAX_NUMBER:                     # also true for NaN
        raise ValueError("number out of range")
    if n == 0:
        return "0"
    if n < 0:
        return "-" + number_text(-n)
    if type(n) is int:
        return str(n)
    mantissa, _, exponent = repr(n).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = whole + fraction                        # value: 0.digits * 10^p
    p = len(whole) + int(exponent or "0")
    p -= len(digits) - len(digits.lstrip("0"))
    digits = digits.strip("0")
    k = len(digits)
    if k <= p:
        return digits + "0" * (p - k)
    if 0 < p:
        return digits[:p] + "." + digits[p:]
    if -6 < p:
        return "0." + "0" * -p + digits
    return digits[0] + ("." + digits[1:] if k > 1 else "") + "e-%d" % (1 - p)


def quoted(text):
    """Text between quotation marks, with the few escapes there are."""
    return '"' + ESCAPED.sub(lambda m: ESCAPES[m.group()], text) + '"'


def utf16_units(text):
    """Sort key: the UTF-16 code units of a text, compared as unsigned numbers."""
    return text.encode("utf-16-be", "surrogatepass")


def write_canonical(value, out):
    """Append the pieces of C(value) to the list `out`.

    One call per level of nesting; what comes from a file is at most 256 deep.
    """
    if value is None:
        out.append("null")
    elif value is True:
        out.append("true")
    elif value is False:
        out.append("false")
    elif type(value) is str:
        out.append(quoted(value))
    elif type(value) in (int, float):
        out.append(number_text(value))
    elif type(value) is list:
        mark = "["
        for element in value:
            out.append(mark)
            write_canonical(element, out)
            mark = ","
        out.append("]" if value else "[]")
    elif type(value) is dict:
        mark = "{"
        for key in sorted(value, key=utf16_units):
            out.append(mark + quoted(key) + ":")
            write_canonical(value[key], out)
            mark = ","
        out.append("}" if value else "{}")
    else:
        raise ValueError("not an admitted value")


def C(value):
    """C(x): the canonical bytes. ValueError for what is not admitted.

    A lone surrogate is refused by the encoding to UTF-8, whose error is a
    ValueError too.
    """
    out = []
    write_canonical(value, out)
    return "".join(out).encode("utf-8")


def H(value):
    """H(x): SHA-256 of C(x), as 64 lower-case hexadecimal characters."""
    return hashlib.sha256(C(value)).hexdigest()


# --- 2. The scan before parsing (limits.md) -----------------------------------

MAX_LINE = 16_777_216
MAX_MARKS = 262_144
MAX_DEPTH = 256
MAX_OPEN = 65_536

OUTSIDE = re.compile(rb'[",\[{]|[\]}]+')             # what matters outside strings
INSIDE = re.compile(rb'"|\\.', re.DOTALL)            # the end of a string, or an escape


def prescan(line):
    """Judge length, marks and depth on the raw bytes of one line (limits.md).

    The same as the loop over bytes on that page, but jumping from one byte that
    matters to the next. Outside strings a backslash is a byte like any other.
    """
    need(len(line) <= MAX_LINE, "size", "line too long")
    marks = now = deepest = at = 0
    while True:
        found = OUTSIDE.search(line, at)
        if found is None:
            break
        at = found.end()
        byte = found.group()
        if byte == b'"':
            while True:                              # skip the string
                found = INSIDE.search(line, at)
                if found is None:
                    at = len(line)                   # it never ends
                    break
                at = found.end()
                if found.group() == b'"':
                    break
        elif byte[:1] in b"]}":
            now -= len(byte)                         # may become negative
        else:
            marks += 1
            need(marks <= MAX_MARKS, "size", "too many marks")
            if byte != b",":
                now += 1
                deepest = max(deepest, now)
    need(deepest <= MAX_DEPTH, "depth", "nested too deep")


# --- 3. Lines (record.md, Lines) ----------------------------------------------

LONGEST_NUMBER = 32                                  # no canonical number is longer than 25


def refuse(text):
    raise ValueError("not canonical: " + text[:20])


def read_integer(text):
    """A number without fraction and exponent. Long ones are not even computed."""
    return int(text) if len(text) <= LONGEST_NUMBER else refuse(text)


def read_double(text):
    """A number with a fraction or exponent, as an IEEE double."""
    return float(text) if len(text) <= LONGEST_NUMBER else refuse(text)


PARSER = json.JSONDecoder(parse_int=read_integer, parse_float=read_double,
                          parse_constant=refuse)     # NaN, Infinity, -Infinity


def decode(line):
    """The value of a line, whose bytes must be C of that value (record.md).

    Whatever Python's parser is lenient about (duplicate keys, white space,
    escaped surrogates, other spellings of numbers) shows in the comparison.
    """
    try:
        value = PARSER.decode(line.decode("utf-8"))
        canonical = C(value)
    except ValueError as error:
        raise Fault("encoding", str(error)) from None
    need(canonical == line, "encoding", "not the canonical bytes")
    return value


def lines(stream):
    """The lines of a binary stream as (bytes without 0A, ended).

    Never holds more than one line, and of a line that is too long no more than
    is needed to see that.
    """
    while True:
        line = stream.readline(MAX_LINE + 1)
        if not line:
            return
        ended = line.endswith(b"\n")
        yield (line[:-1] if ended else line), ended
        while len(line) > MAX_LINE and not line.endswith(b"\n"):
            line = stream.readline(MAX_LINE + 1)         # the rest of it, unread


# --- 4. Names, ids and hashes (names.md) --------------------------------------

HASH = re.compile(r"[0-9a-f]{64}")
RUN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._~-]{0,127}")
RESERVED = re.compile(r"(?:CON|PRN|AUX|NUL|COM[0-9]|LPT[0-9])")
PROPOSER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._~:/@+-]{0,127}")
NAME = re.compile(r"[a-z][a-z0-9_.-]{0,63}")
TS_BASE = re.compile(r"[\x21\x22\x24-\x7e]{1,64}")   # U+0021 to U+007E without "#"
TS = re.compile(r"([\x21\x22\x24-\x7e]{1,64})#([0-9]{12})")
REQUEST_ID = re.compile(r"(0|[1-9][0-9]{0,11})\.(0|[1-9][0-9]{0,4})")
MEDIA = re.compile(r"[\x20-\x7e]{0,128}")

SOURCES = ("live_model", "recorded_model", "rule", "human", "tool", "retrieval",
           "clock", "synthetic", "run")
FAILURES = ("timeout", "unavailable", "denied", "malformed", "cancelled", "lost",
            "exhausted")
OF_THE_KERNEL = FAILURES + ("run_closed", "inadmissible", "proposal_shape", "not_open",
                            "source_not_accepted", "limit_bytes")
NODE_KINDS = ("seed", "interpretation", "assumption", "claim", "decision", "artifact")
EDGE_KINDS = ("depends_on", "refines", "contradicts")


def matching(pattern):
    """A form: text that matches the pattern as a whole."""
    return lambda value: type(value) is str and pattern.fullmatch(value) is not None


is_hash = matching(HASH)
is_name = matching(NAME)


def is_run_id(value):
    """A run id can be a file name, so it neither ends in "." nor names a device."""
    return (matching(RUN_ID)(value) and not value.endswith(".")
            and RESERVED.fullmatch(value.split(".")[0].upper()) is None)


def request_order(request_id):
    """A request id as (sequence, index): ids are ordered as pairs of numbers."""
    sequence, index = REQUEST_ID.fullmatch(request_id).groups()
    return int(sequence), int(index)


def is_request_id(value):
    return matching(REQUEST_ID)(value) and request_order(value)[1] <= 65_535


# --- 5. Payloads (payloads.md) ------------------------------------------------
#
# A form is a function from a value to true or false. The tables below read like
# those of the page.

def is_text(value):
    return type(value) is str


def is_integer(value):
    return type(value) is int                        # so not true and not 1.5


def at_least(least):
    return lambda value: type(value) is int and value >= least


def is_free(value):
    """A free value: any admitted JSON, tokens included."""
    return True


def one_of(*words):
    return lambda value: type(value) is str and value in words


def nullable(form):
    return lambda value: value is None or form(value)


def array_of(form):
    return lambda value: type(value) is list and all(form(element) for element in value)


def table(key_form, value_form):
    """An object whose keys are not fixed but have a form."""
    return lambda value: type(value) is dict and all(
        key_form(key) and value_form(value[key]) for key in value)


def closed(**forms):
    """An object with exactly these keys, each value of its form."""
    return lambda value: type(value) is dict and value.keys() == forms.keys() and all(
        form(value[key]) for key, form in forms.items())


def is_confidence(value):
    return value is None or (type(value) in (int, float) and 0 <= value <= 1)


def is_accepts(value):
    return array_of(one_of(*SOURCES))(value) and 0 < len(value) == len(set(value))


is_spent = table(is_name, at_least(0))

is_head = closed(run_id=is_run_id, count=at_least(1), hash=is_hash)

is_request = closed(
    id=is_request_id,
    kind=is_name,
    body=is_free,                                    # integers
    accepts=is_accepts,
    attempts=at_least(0),
)

is_node = closed(id=is_hash, kind=is_name, payload=is_free, payload_hash=is_hash)

is_edge = closed(id=is_hash, kind=is_name, from_id=is_hash, to_id=is_hash)

is_open_entry = closed(rejections=at_least(0), spent=is_spent, request=is_request)

is_state_object = closed(
    t=one_of("state"),
    machine=is_free,                                 # integers
    open=table(is_request_id, is_open_entry),
    artifacts=table(is_name, is_hash),
)


def is_state(value):
    """A State of a base snapshot: the key of each open request is its id."""
    return is_state_object(value) and all(
        entry["request"]["id"] == key for key, entry in value["open"].items())


is_base_object = closed(run_id=is_run_id, count=at_least(1), hash=is_hash,
                        snapshot=nullable(is_state))


def is_base(value):
    """A base: what is open in its snapshot was asked before its count."""
    return is_base_object(value) and (value["snapshot"] is None or all(
        int(key.split(".")[0]) < value["count"] for key in value["snapshot"]["open"]))


PAYLOADS = {
    "genesis": dict(
        format=one_of("assay/0"),
        run_id=is_run_id,
        machine=closed(name=is_name, version=is_integer, engine=nullable(is_text)),
        ts_base=matching(TS_BASE),
        policy=is_free,                              # any
        input=is_free,                               # any
        base=nullable(is_base),
    ),
    "proposal": dict(
        request_id=is_request_id,
        source=one_of(*SOURCES),
        proposer=matching(PROPOSER),
        confidence=is_confidence,
        value=is_free,                               # any
        failure=nullable(closed(code=one_of(*FAILURES),
                                final=lambda value: type(value) is bool,
                                detail=is_free)),    # integers
        at_us=nullable(at_least(0)),
        spent=is_spent,
        cites=array_of(is_head),
        provenance=table(is_free, is_free),          # an object, any
        proposal_hash=is_hash,
    ),
    "decision": dict(
        events=array_of(is_free),                    # integers
        requests=array_of(is_request),
        withdrawn=array_of(is_request_id),
        graph=nullable(closed(nodes=array_of(is_node), edges=array_of(is_edge))),
        state_hash=nullable(is_hash),
    ),
    "rejection": dict(
        code=is_name,
        detail=is_free,                              # integers
    ),
    "artifact": dict(
        name=is_name,
        content=is_free,                             # integers
        artifact_hash=is_hash,
    ),
    "close": dict(
        status=one_of("success", "refused"),
        reasons=array_of(is_name),
        dag_root_hash=is_hash,
        artifact_hashes=table(is_name, is_hash),
        record_count=at_least(0),
        state_hash=is_hash,
        open_requests=array_of(is_request_id),
    ),
}


def judge_form(kind, payload, position):
    """Code payload_shape: key sets, types, patterns, closed sets and ranges."""
    code = "payload_shape"
    forms = PAYLOADS[kind]
    need(type(payload) is dict, code, "payload is no object")
    need(payload.keys() == forms.keys(), code, "keys of the payload")
    for key, form in forms.items():
        need(form(payload[key]), code, key)
    if kind == "genesis" and payload["base"] is not None:
        need(payload["base"]["run_id"] != payload["run_id"], code, "base is this run")
    if kind == "proposal" and payload["failure"] is not None:
        need(payload["value"] is None and payload["confidence"] is None, code,
             "a failure with a value or a confidence")
    if kind == "decision" and position == 1:
        need(payload["state_hash"] is not None, code, "state_hash of the first decision")
    if kind == "decision" and payload["graph"] is not None:
        need(payload["graph"]["nodes"] or payload["graph"]["edges"], code, "a graph of nothing")
    if kind == "rejection" and payload["code"] in OF_THE_KERNEL:
        need(payload["detail"] is None, code, "detail of a rejection by the kernel")
    if kind == "close" and payload["status"] != "success":
        need(payload["reasons"], code, "refused without reasons")


def integer_places(kind, payload):
    """The free values marked *integers*, of a payload whose form is right."""
    if kind == "genesis" and payload["base"] and payload["base"]["snapshot"]:
        state = payload["base"]["snapshot"]
        yield state["machine"]
        for entry in state["open"].values():
            yield entry["request"]["body"]
    if kind == "proposal" and payload["failure"]:
        yield payload["failure"]["detail"]
    if kind == "decision":
        yield payload["events"]
        for request in payload["requests"]:
            yield request["body"]
        for node in payload["graph"]["nodes"] if payload["graph"] else ():
            yield node["payload"]
    if kind == "rejection":
        yield payload["detail"]
    if kind == "artifact":
        yield payload["content"]


def judge_numbers(value):
    """Code number: no fraction inside, tokens not excepted.

    Canonical text writes an integer without fraction and exponent, so what was
    read as a float is no integer.
    """
    todo = [value]
    while todo:
        value = todo.pop()
        need(type(value) is not float, "number", "a fraction where integers are due")
        if type(value) is list:
            todo.extend(value)
        elif type(value) is dict:
            todo.extend(value.values())


# --- 6. Tokens (tokens.md) ----------------------------------------------------

is_sealed = closed(**{"$sealed": is_hash})
is_blob = closed(**{"$blob": closed(bytes=at_least(0), media=matching(MEDIA), sha256=is_hash)})


def judge_tokens(payload, kept):
    """Code token: whatever has the key $sealed or $blob has exactly one form, and
    what is kept for it, where it is at hand, fits it."""
    todo = [payload]
    while todo:
        value = todo.pop()
        if type(value) is list:
            todo.extend(value)
        elif type(value) is dict:
            if "$sealed" in value:
                need(is_sealed(value), "token", "$sealed")
                need(kept.opens(value["$sealed"]), "token", "opening")
            elif "$blob" in value:
                need(is_blob(value), "token", "$blob")
                need(kept.fits(value["$blob"]), "token", "blob")
            else:
                todo.extend(value.values())


class Kept:
    """Openings and blobs of the folder given by --with. What is absent fits."""

    def __init__(self, folder=None):
        self.folder = folder
        self.openings = {}                           # seal -> whether all of its openings fit
        self.measured = {}                           # sha256 -> (bytes, sha256) or None
        names = sorted(os.listdir(folder)) if folder else []
        for name in names:
            if name.endswith(".openings.jsonl"):
                with open_file(os.path.join(folder, name)) as stream:
                    for line, _ in lines(stream):
                        self.read(line)

    def read(self, line):
        """One opening. A line that names no seal belongs to no token."""
        try:
            prescan(line)
            opening = decode(line)
        except Fault:
            return
        if type(opening) is not dict or not is_hash(opening.get("seal")):
            return
        seal = opening["seal"]
        right = (opening.keys() == {"salt", "seal", "value"} and is_hash(opening["salt"])
                 and seal == H({"t": "sealed", "salt": opening["salt"],
                                "value": opening["value"]}))
        self.openings[seal] = right and self.openings.get(seal, True)

    def opens(self, seal):
        return self.openings.get(seal, True)

    def fits(self, blob):
        name = blob["sha256"]
        if self.folder and name not in self.measured:
            self.measured[name] = measure(os.path.join(self.folder, "blobs", name))
        found = self.measured.get(name)
        return found is None or found == (blob["bytes"], name)


def open_file(path):
    """Open a file of the folder, which somebody else may have filled: a pipe or a
    device in it would be waited for, or read, for ever."""
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise OSError(errno.EINVAL, "not a file", path)
    return open(path, "rb")


def measure(path):
    """Number of bytes and SHA-256 of a file, or None where there is none."""
    digest, size = hashlib.sha256(), 0
    try:
        with open_file(path) as stream:
            for chunk in iter(lambda: stream.read(1 << 20), b""):
                digest.update(chunk)
                size += len(chunk)
    except FileNotFoundError:
        return None
    return size, digest.hexdigest()


# --- 7. The context graph (graph.md) ------------------------------------------

class Graph:
    """Nodes and edges of one file.

    Cycles are looked for once, when reading has ended, and dated back to the
    decision that closed them. That takes E log E steps for E edges, whatever the
    file does, and gives the verdict that a search per decision would give.
    """

    def __init__(self):
        self.nodes = {}                              # id -> number of the node
        self.edges = set()
        self.arrows = []                             # (position, from, to), no "contradicts"
        self.whole = True                            # false from an erased decision on

    def judge(self, graph, run_id, position):
        """Code graph, for one decision; all but cycles."""
        for node in graph["nodes"]:
            need(node["kind"] in NODE_KINDS, "graph", "node kind")
            need(node["payload_hash"] == H(node["payload"]), "graph", "node payload_hash")
            need(node["id"] == H({"t": "node", "run_id": run_id, "kind": node["kind"],
                                  "payload_hash": node["payload_hash"]}), "graph", "node id")
            need(node["id"] not in self.nodes, "graph", "node recorded before")
            self.nodes[node["id"]] = len(self.nodes)
        for edge in graph["edges"]:
            need(edge["kind"] in EDGE_KINDS, "graph", "edge kind")
            need(edge["id"] == H({"t": "edge", "run_id": run_id, "kind": edge["kind"],
                                  "from": edge["from_id"], "to": edge["to_id"]}),
                 "graph", "edge id")
            need(edge["id"] not in self.edges, "graph", "edge recorded before")
            self.edges.add(edge["id"])
        if self.whole:
            for edge in graph["edges"]:
                need(edge["from_id"] in self.nodes and edge["to_id"] in self.nodes,
                     "graph", "edge without its node")
            for edge in graph["edges"]:
                if edge["kind"] != "contradicts":
                    self.arrows.append((position, self.nodes[edge["from_id"]],
                                        self.nodes[edge["to_id"]]))

    def root(self):
        """dag_root_hash."""
        return H({"sorted_node_ids": sorted(self.nodes), "sorted_edge_ids": sorted(self.edges)})

    def has_cycle(self, count):
        """Do the first `count` arrows have a cycle? Takes away nodes that nothing
        points to, until none is left (no cycle) or each left one is pointed to."""
        onward, pointed = {}, {}
        for _, start, end in self.arrows[:count]:
            onward.setdefault(start, []).append(end)
            pointed[end] = pointed.get(end, 0) + 1
        free = [node for node in onward if node not in pointed]
        while free:
            for end in onward.pop(free.pop(), ()):
                pointed[end] -= 1
                if pointed[end] == 0:
                    del pointed[end]
                    free.append(end)
        return bool(pointed)

    def first_cycle(self):
        """The position of the first decision whose edges close a cycle, or None."""
        if not self.has_cycle(len(self.arrows)):
            return None
        low, high = 0, len(self.arrows)              # low has no cycle, high has one
        while high - low > 1:
            middle = (low + high) // 2
            if self.has_cycle(middle):
                high = middle
            else:
                low = middle
        return self.arrows[high - 1][0]


# --- 8. The table of open requests (requests.md) ------------------------------

class OpenTable:
    """Code request_id. `proposal` is the payload that is answered; None after a
    genesis, and when it was erased, in which case the table is not known."""

    def __init__(self):
        self.open = set()
        self.known = True                            # false from an erased proposal or decision on
        self.opening = 0                             # requests that the last decision opened

    def rejection(self, rejection, proposal):
        """`not_open` is used if, and only if, the request is not open."""
        if self.known and rejection is not None:
            is_open = proposal["request_id"] in self.open
            need((rejection["code"] == "not_open") != is_open, "request_id",
                 "not_open for an open request" if is_open else "rejected, yet not open")

    def decision(self, decision, proposal, sequence):
        if self.known and proposal is not None:
            need(proposal["request_id"] in self.open, "request_id", "answered, yet not open")
            self.open.remove(proposal["request_id"])
        self.opening = 0 if decision is None else len(decision["requests"])
        if decision is None:
            self.known = False
            return
        if self.known:
            for request_id in decision["withdrawn"]:
                need(request_id in self.open, "request_id", "withdrawn, yet not open")
                self.open.remove(request_id)
        for index, request in enumerate(decision["requests"]):
            need(request["id"] == "%d.%d" % (sequence, index), "request_id", "new id")
            if self.known:
                self.open.add(request["id"])
        need(not self.known or len(self.open) <= MAX_OPEN, "request_id", "too many open")

    def listed(self):
        """close.open_requests: by sequence, then index, both as numbers."""
        return sorted(self.open, key=request_order)


# --- 9. Records and files (record.md, grammar.md, verdicts.md) ----------------

RECORD_KEYS = {"v", "ts", "kind", "parent", "payload", "payload_hash", "record_hash"}

MAY_FOLLOW = {                                       # grammar.md
    "genesis": ("decision",),
    "proposal": ("decision", "rejection"),
    "decision": ("artifact", "close", "proposal"),
    "artifact": ("artifact", "close", "proposal"),
    "rejection": ("proposal",),
    "close": (),
}


class Ledger:
    """What is known of a file: while it is read, and afterwards for completeness."""

    def __init__(self, kept):
        self.kept = kept                             # what tokens name, as far as given
        self.fault = None                            # (code, position, detail)
        self.foreign = False
        self.erased = []                             # [first position, number], or empty
        self.hashes = bytearray()                    # 32 bytes for each sound record
        self.first = 0                               # sequence of record 0
        self.ts_base = None
        self.run_id = None
        self.expectable = {}                         # what --expect is compared with
        self.kinds = []                              # of the sound records
        self.states = {}                             # position of a decision -> its state_hash
        self.base = None                             # of the genesis
        self.cites = []                              # (position, head) of each cited head
        self.course = []                             # what a fork is compared by
        self.status = None                           # of a close
        self.close = None                            # what the summary is taken over
        # State of the reading.
        self.position = 0
        self.kind = None                             # of the record before
        self.proposal = None                         # payload of the proposal before
        self.artifact_name = None                    # last one known in this decision
        self.artifacts = {}                          # name -> hash, the latest
        self.artifacts_known = True
        self.requests = OpenTable()
        self.graph = Graph()

    @property
    def records(self):
        return len(self.hashes) // 32

    @property
    def count(self):
        """Sequence of the last record + 1; in a foreign chain the number of records."""
        return self.first + self.records

    @property
    def summary_hash(self):
        """head.md, Summary hash. Only for a closed run."""
        return H(dict(self.close, ledger_last_hash=self.hash_at(self.records - 1)))

    def hash_at(self, position):
        return self.hashes[32 * position:32 * position + 32].hex()


def judge_file(stream, kept=None):
    """Integrity of one file, given as a binary stream (record.md, verdicts.md)."""
    ledger = Ledger(kept or Kept())
    try:
        for line, ended in lines(stream):
            prescan(line)
            record = decode(line)
            need(ended, "final_newline", "the last line does not end in 0A")
            judge_record(ledger, record)
            ledger.hashes += bytes.fromhex(record["record_hash"])
            ledger.kinds.append(sys.intern(record["kind"]))
            ledger.position += 1
        need(ledger.position > 0, "empty", "no bytes")
    except Fault as fault:
        ledger.fault = (fault.code, ledger.position, fault.detail)
    # Arrows of sound decisions only are in the graph, so that a cycle is at an
    # earlier record than any other fault.
    cycle = ledger.graph.first_cycle()
    if cycle is not None:
        ledger.fault = ("graph", cycle, "the edges have a cycle")
        del ledger.hashes[32 * cycle:]
    ledger.graph = ledger.requests = ledger.proposal = None
    return ledger


def judge_record(ledger, record):
    """One record, by the order of codes in verdicts.md, from `shape` onwards."""
    judge_envelope(ledger, record)
    if ledger.position == 0:
        ledger.foreign = is_foreign(record)
    erased = "payload" not in record
    if erased:
        ledger.erased = [ledger.erased[0], ledger.erased[1] + 1] if ledger.erased \
            else [ledger.position, 1]
    if ledger.foreign:
        return
    payload = record.get("payload")
    sequence = judge_ts(ledger, record)
    judge_order(ledger, record["kind"], payload)
    need(not erased or record["kind"] not in ("genesis", "close"), "payload_shape", "erased")
    if not erased:
        judge_form(record["kind"], payload, ledger.position)
        for value in integer_places(record["kind"], payload):
            judge_numbers(value)
        judge_tokens(payload, ledger.kept)
    # From here on, payload is None in an erased record and only there.
    JUDGE_MEANING[record["kind"]](ledger, payload, sequence)
    ledger.kind = record["kind"]


def judge_envelope(ledger, record):
    """Codes shape, version, payload_hash, record_hash, parent (record.md)."""
    need(type(record) is dict, "shape", "the record is no object")
    need(record.keys() in (RECORD_KEYS, RECORD_KEYS - {"payload"}), "shape", "keys")
    need(is_integer(record["v"]), "shape", "v")
    need(is_text(record["ts"]), "shape", "ts")
    need(is_text(record["kind"]), "shape", "kind")
    need(nullable(is_hash)(record["parent"]), "shape", "parent")
    need(is_hash(record["payload_hash"]), "shape", "payload_hash")
    need(is_hash(record["record_hash"]), "shape", "record_hash")
    need(record["v"] == 1, "version")
    if "payload" in record:                          # null is a payload too
        need(record["payload_hash"] == H(record["payload"]), "payload_hash")
    hashed = ("v", "ts", "kind", "parent", "payload_hash")
    need(record["record_hash"] == H({key: record[key] for key in hashed}), "record_hash")
    before = ledger.hash_at(ledger.position - 1) if ledger.position else None
    need(record["parent"] == before, "parent")


def is_foreign(record):
    """Foreign chains (verdicts.md), of record 0. An erased genesis is ours."""
    if record["kind"] != "genesis":
        return True
    if "payload" not in record:
        return False
    payload = record["payload"]
    return type(payload) is not dict or payload.get("format") != "assay/0"


def judge_ts(ledger, record):
    """Code ts; returns the sequence. Both facts of the genesis are read here
    leniently, before its form is judged (record.md, ts). An erased one shows
    neither: of its ts the form alone is judged."""
    found = TS.fullmatch(record["ts"])
    need(found is not None, "ts", "form")
    if ledger.position == 0 and "payload" not in record:
        return None
    if ledger.position == 0:
        genesis = record["payload"]
        ledger.ts_base = genesis.get("ts_base")
        base = genesis.get("base")
        if type(base) is dict and base.get("snapshot") is not None \
                and at_least(1)(base.get("count")):
            ledger.first = base["count"]
    need(found.group(1) == ledger.ts_base, "ts", "base")
    need(int(found.group(2)) == ledger.first + ledger.position, "ts", "sequence")
    return ledger.first + ledger.position


def judge_order(ledger, kind, payload):
    """Code order: the grammar, and rising names of one decision's artifacts."""
    if ledger.position > 0:
        need(kind in MAY_FOLLOW[ledger.kind], "order", "%s after %s" % (kind, ledger.kind))
    if kind == "artifact" and type(payload) is dict and is_text(payload.get("name")):
        name = payload["name"]
        need(ledger.artifact_name is None
             or utf16_units(ledger.artifact_name) < utf16_units(name), "order", "artifact name")
        ledger.artifact_name = name


# What each kind means to the tables, from `proposal_hash` onwards. `payload` is
# None where the record is erased: grammar.md, "Erased records".

def mean_genesis(ledger, genesis, sequence):
    ledger.run_id = genesis["run_id"]
    ledger.expectable = {
        "machine": "%s@%d" % (genesis["machine"]["name"], genesis["machine"]["version"]),
        "policy": H(genesis["policy"]),
        "input": H(genesis["input"]),
        "run": genesis["run_id"],
    }
    ledger.base = genesis["base"]
    if genesis["base"] and genesis["base"]["snapshot"]:
        snapshot = genesis["base"]["snapshot"]
        ledger.requests.open = set(snapshot["open"])
        ledger.artifacts = dict(snapshot["artifacts"])
        ledger.course.append((ledger.position, "opened", [], [
            (entry["request"]["id"], asking(entry["request"]))
            for entry in snapshot["open"].values()]))


def asking(request):
    """What a request asks: two of equal kind and body ask the same."""
    return H([request["kind"], request["body"]])


def mean_proposal(ledger, proposal, sequence):
    ledger.proposal = proposal
    if proposal is None:
        ledger.requests.known = False
        ledger.course.append((ledger.position, "erased"))
        return
    # All it says but for the request's id; its own hash covers the three left out.
    said = {key: proposal[key] for key in proposal.keys() - {"request_id", "source", "confidence", "value"}}
    ledger.course.append((ledger.position, "answer", proposal["request_id"], H(said)))
    hashed = ("source", "confidence", "value")
    need(proposal["proposal_hash"] == H({key: proposal[key] for key in hashed}),
         "proposal_hash")
    ledger.cites.extend((ledger.position, head) for head in proposal["cites"])


def mean_rejection(ledger, rejection, sequence):
    ledger.requests.rejection(rejection, ledger.proposal)
    ledger.proposal = None


def mean_decision(ledger, decision, sequence):
    ledger.artifact_name = None
    ledger.requests.decision(decision, ledger.proposal, sequence)
    if decision is None:
        ledger.course.append((ledger.position, "erased"))
    else:
        answered = [ledger.proposal["request_id"]] if ledger.proposal else []
        ledger.course.append((ledger.position, "opened", answered + decision["withdrawn"], [
            (request["id"], asking(request)) for request in decision["requests"]]))
    ledger.proposal = None
    if decision is not None:
        ledger.states[ledger.position] = decision["state_hash"]
    if decision is None:
        ledger.graph.whole = False
    elif decision["graph"] is not None:
        ledger.graph.judge(decision["graph"], ledger.run_id, ledger.position)


def mean_artifact(ledger, artifact, sequence):
    if artifact is None:
        ledger.artifacts_known = False
        return
    need(artifact["artifact_hash"] == H(artifact["content"]), "artifact_hash")
    ledger.artifacts[artifact["name"]] = artifact["artifact_hash"]


def mean_close(ledger, close, sequence):
    """Code close (payloads.md, close)."""
    need(not ledger.graph.whole or close["dag_root_hash"] == ledger.graph.root(),
         "close", "dag_root_hash")
    need(not ledger.artifacts_known or close["artifact_hashes"] == ledger.artifacts,
         "close", "artifact_hashes")
    need(close["record_count"] == sequence + 1, "close", "record_count")
    need(ledger.requests.opening == 0, "close", "behind a decision that opens requests")
    need(not ledger.requests.known or close["open_requests"] == ledger.requests.listed(),
         "close", "open_requests")
    ledger.status = close["status"]
    ledger.close = {key: close[key] for key in ("dag_root_hash", "artifact_hashes")}


JUDGE_MEANING = {
    "genesis": mean_genesis,
    "proposal": mean_proposal,
    "decision": mean_decision,
    "rejection": mean_rejection,
    "artifact": mean_artifact,
    "close": mean_close,
}


# --- 10. Completeness and the other verdicts (verdicts.md) --------------------

def check(verdict, code=None, record=None, count=0, detail=None):
    """One answer. `record` is a position, `count` the number of records concerned."""
    return {"verdict": verdict, "code": code, "record": record, "count": count,
            "detail": detail}


def integrity(ledger):
    if ledger.fault:
        code, position, detail = ledger.fault
        return check("failed", code, position, 1, detail)
    remarks = (["foreign_chain"] if ledger.foreign else []) \
        + (["payload_erased"] if ledger.erased else [])
    position, number = ledger.erased or (None, 0)
    return check("held", None, position, number, ", ".join(remarks) or None)


def against_head(ledger, count, last_hash):
    """Lines 4 to 10: a file against a head (c, h)."""
    n, s, is_closed = ledger.count, ledger.first, ledger.status is not None
    at = count - 1 - s                               # position of the head's record
    if count < n:
        if count > s and ledger.hash_at(at) == last_hash:
            return check("not_checked", "beyond_head", at + 1, n - count)
        return check("failed", "head_mismatch", at if count > s else None, 1)
    if count == n:
        if ledger.hash_at(at) != last_hash:
            return check("failed", "head_mismatch", at, 1)
        return check("held") if is_closed else check("not_checked", "open_run")
    if is_closed:
        return check("failed", "head_mismatch", ledger.records - 1, 1)
    return check("failed", "truncated", None, count - n)


def first_difference(one, other):
    """The first position at which both have a record and these differ, or None.

    Records are compared by record_hash: an erased copy is the same file.
    """
    shared = min(one.records, other.records)
    return next((at for at in range(shared) if one.hash_at(at) != other.hash_at(at)), None)


def completeness(ledger, others=(), head=None, expectations=(), cited=None, logged=None):
    """Lines 1 to 10, with the rules for several files and for cited heads between 2 and 3.

    `head` is (count, hash) or None, `expectations` pairs of key and value, and
    `others` the other files given; those not sound or of another run are left out.
    `cited`: ledgers by run id that heads are compared with; None where none were given.
    `logged`: what a log says instead of a head, or None.
    """
    if ledger.fault:
        return check("not_checked", "integrity")
    for key, value in expectations:
        if ledger.foreign or ledger.expectable[key] != value:
            return check("failed", "expectation", None if ledger.foreign else 0, 1, key)
    for other in others:
        if other.fault or other.hash_at(0) != ledger.hash_at(0):
            continue
        position = first_difference(ledger, other)
        if position is not None:
            return check("failed", "split_view", position, 1)
    base, cites = citations(ledger, cited or {})
    wrong = sorted(position for position, verdict in [base] + cites if verdict == "failed")
    if wrong:
        return check("failed", "head_mismatch", wrong[0], len(wrong), "a cited head")
    if logged:
        return check(*logged, None, logged[0] == "failed")
    # No file stands in for a head that the user brought from outside.
    verdict = against_head(ledger, *head) if head else check("not_checked", "no_head")
    named = ([(0, ledger.base)] if ledger.base else []) + ledger.cites
    missing = [] if cited is None else [at for at, to in named if to["run_id"] not in cited]
    if missing and verdict["verdict"] != "failed":
        return check("not_checked", "no_ledger", missing[0], len(missing))
    # This verifier has no machine: what a ledger that is cited says is not known to it.
    if cited and ledger.cites and verdict["detail"] is None:
        verdict = {**verdict, "detail": "heads compared, contents not"}
    return verdict


def citations(ledger, cited):
    """Base and cites against the ledgers at hand (base-and-snapshot.md), each as (position,
    verdict); the verdict on the base is None where there is none."""
    base = (0, judge_base(ledger.base, cited) if ledger.base else None)
    if ledger.base and ledger.base["snapshot"] is None and base[1] != "failed":
        position, verdict = refed(ledger, cited.get(ledger.base["run_id"]))
        base = base if verdict == "held" else (position, verdict)
    return base, [(position, judge_cite(head, cited)) for position, head in ledger.cites]


def answers_before(parent, end):
    """The answers to open requests before a position, as (question, content), and whether
    they are all known: an erased proposal or decision hides what follows."""
    asked, found = {}, []
    for position, what, *rest in parent.course:
        if position >= end:
            break
        if what == "erased":
            return found, False
        if what == "answer":
            if rest[0] in asked:
                found.append((asked[rest[0]], rest[1]))
            continue
        for request_id in rest[0]:
            asked.pop(request_id, None)
        asked.update(rest[1])
    return found, True


def refed(fork, parent):
    """Point 5: (position, verdict). The parent's answers in order, each to the lowest open
    request that asks the same; what nobody here asks is left over, and what comes after
    the last is the fork's own."""
    if parent is None:
        return 0, "not_checked"
    due, known = answers_before(parent, fork.base["count"] - parent.first)
    due = collections.deque(due)
    asked, waiting = {}, {}                          # id -> question, question -> ids

    def lowest(question):
        ids = waiting.get(question, ())
        while ids and ids[0] not in asked:
            ids.popleft()
        return ids[0] if ids else None

    for position, what, *rest in fork.course:
        if what == "opened":
            for request_id in rest[0]:
                asked.pop(request_id, None)
            for request_id, question in rest[1]:
                asked[request_id] = question
                waiting.setdefault(question, collections.deque()).append(request_id)
            continue
        while what == "answer" and due and lowest(due[0][0]) is None:
            due.popleft()
        if not due:
            return position, "held" if known else "not_checked"
        if what == "erased":
            return position, "not_checked"
        question, content = due.popleft()
        if rest != [lowest(question), content]:
            return position, "failed"
    return 0, "held"


def judge_cite(head, cited):
    other = cited.get(head["run_id"])
    if other is None:
        return "not_checked"
    position = head["count"] - 1 - other.first
    fits = 0 <= position < other.records and other.hash_at(position) == head["hash"]
    return "held" if fits else "failed"


def judge_base(base, cited):
    """Points 1 to 4. What a last decision still owed is not known without re-derivation."""
    verdict = judge_cite(base, cited)
    if verdict != "held":
        return verdict
    other = cited[base["run_id"]]
    position = base["count"] - 1 - other.first
    kind = other.kinds[position]
    last = position + 1 == other.records
    if kind in ("genesis", "proposal") or not last and other.kinds[position + 1] != "proposal":
        return "failed"
    if base["snapshot"] is not None:
        if kind not in ("decision", "artifact"):
            return "failed"
        while other.kinds[position] == "artifact":
            position -= 1
        if position not in other.states:             # an erased decision
            return "not_checked"
        if other.states[position] != H(base["snapshot"]):
            return "failed"
    return "not_checked" if last and kind in ("decision", "artifact") else "held"


def citable(ledgers):
    """Ledgers by run id, as far as they are sound: of several of one run the longest, and none
    where two part."""
    longest, parted = {}, set()
    for ledger in ledgers:
        if ledger.records == 0 or ledger.foreign:
            continue
        before = longest.get(ledger.run_id)
        if before and (before.first != ledger.first
                       or first_difference(before, ledger) is not None):
            parted.add(ledger.run_id)
        if not before or ledger.records > before.records:
            longest[ledger.run_id] = ledger
    return {run_id: ledger for run_id, ledger in longest.items() if run_id not in parted}


def result(name, ledger, others, head, expectations, cited, evidence=None, log=None):
    """All five answers about one file."""
    sound = ledger.fault is None
    logged, time = log.judge(ledger) if log and sound else (None, None)
    head = log.head(ledger) if log and sound else head

    def unless_faulty(code):
        return check("not_checked", code if sound else "integrity")

    return {
        "file": name,
        "head": {"run_id": ledger.run_id, "count": ledger.count,
                 "hash": ledger.hash_at(ledger.records - 1)} if sound else None,
        "outcome": (sound and ledger.status) or "open",
        "checks": {
            "integrity": integrity(ledger),
            "rederivation": unless_faulty("unknown_format" if ledger.foreign
                                          else "unknown_machine"),
            "completeness": completeness(ledger, others, head, expectations, cited, logged),
            "authorship": check(*evidence.verdict(ledger)) if evidence and sound
            else unless_faulty("unsigned"),
            "time": check(*time, None, time[0] == "failed") if time else unless_faulty("no_witness"),
        },
    }


# --- 11. Command line (head.md, Head line) ------------------------------------

HEAD_LINE = re.compile(r"assay-head:1:([1-9][0-9]{0,12}):([0-9a-f]{64})\n?")


def head_line(text):
    """A head line as (count, hash). Any other form is wrong use."""
    found = HEAD_LINE.fullmatch(text)
    if found is None or int(found.group(1)) > 10**12:
        raise argparse.ArgumentTypeError("not a head line")
    return int(found.group(1)), found.group(2)


def expectation(text):
    """KEY=VALUE; the value is compared as it stands."""
    key, equals, value = text.partition("=")
    if not equals or key not in ("machine", "policy", "input", "run"):
        raise argparse.ArgumentTypeError("not machine=, policy=, input= or run=")
    return key, value


def ledgers_in(folder, named):
    """The ledgers of a folder, but for files that are named already."""
    known = {os.path.realpath(name) for name in named}
    found = []
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if name.endswith(".jsonl") and not name.endswith((".openings.jsonl", ".proofs.jsonl")) \
                and os.path.realpath(path) not in known:
            with open_file(path) as stream:
                found.append(judge_file(stream))
    return found


def evidence_of(options):
    """What --signature, --trust, --threshold and --proof bring; None where nothing."""
    if not (options.signature or options.proof or options.trust and not options.log):
        return None
    from verify_authorship import Evidence, trusted_key
    keys = [trusted_key(text, H) for text in options.trust]
    if None in keys or options.threshold > max(1, len(dict(keys))):
        raise ValueError("no public key, or more signers asked for than are trusted")

    def all_lines(names):
        found = []
        for name in names:
            with open_file(name) as stream:
                found += [line for line, _ in lines(stream)]
        return found

    def canonical(line):
        prescan(line)
        return decode(line)

    return Evidence(all_lines(options.signature), all_lines(options.proof) if options.proof else None,
                    keys, options.threshold, canonical, H)


def log_of(options):
    """The log that --log, --trust and --witness bring; None where none."""
    if not options.log:
        return None
    from verify_authorship import trusted_key
    from verify_log import Log
    trusted, witnesses = ([trusted_key(text, H) for text in texts]
                          for texts in (options.trust, options.witness))
    if None in trusted + witnesses:
        raise ValueError("no public key")

    def canonical(line):
        try:
            prescan(line)
            return decode(line)
        except Exception:                            # any fault: not canonical
            return None

    return Log(options.log, trusted, witnesses, canonical, C, is_run_id)


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="verify.py", allow_abbrev=False,
        description="Judge integrity and completeness of Assay ledgers.")
    parser.add_argument("--head", type=head_line, metavar="LINE",
                        help="head line, kept elsewhere, that the files are to match")
    parser.add_argument("--expect", type=expectation, action="append", default=[],
                        metavar="KEY=VALUE", help="machine=NAME@VERSION, policy=HASH, "
                        "input=HASH or run=RUN_ID; may be given more than once")
    parser.add_argument("--with", dest="folder", metavar="DIR", help="folder with other "
                        "ledgers, NAME.jsonl, openings, NAME.openings.jsonl, and blobs, "
                        "blobs/SHA256")
    parser.add_argument("--signature", action="append", default=[], metavar="FILE",
                        help="signed heads")
    parser.add_argument("--trust", action="append", default=[], metavar="KEY",
                        help="a line assay-public-key:1:HEX: whose signature counts")
    parser.add_argument("--threshold", type=int, default=1, metavar="N",
                        help="how many of the trusted keys must have signed")
    parser.add_argument("--proof", action="append", default=[], metavar="FILE", help="proofs")
    parser.add_argument("--log", metavar="PATH", help="folder of a log of runs, or the proof of one")
    parser.add_argument("--witness", action="append", default=[], metavar="KEY",
                        help="key of a witness of that log")
    parser.add_argument("--json", action="store_true", help="print JSON, which is the default")
    parser.add_argument("files", nargs="*", metavar="FILE",
                        help="ledgers; without one, the proofs are judged by themselves")
    options = parser.parse_args(arguments)
    if not options.files and not options.proof:
        parser.error("there is neither a ledger nor a proof")
    try:
        kept = Kept(options.folder)
        beside = [] if options.folder is None else ledgers_in(
            options.folder, options.files if len(options.files) == 1 else [])
    except OSError as error:
        parser.error("cannot read %s: %s" % (error.filename, error.strerror))
    try:
        evidence = evidence_of(options)
        log = log_of(options)
    except ValueError as error:
        parser.error(str(error))
    except OSError as error:
        parser.error("cannot read %s: %s" % (error.filename, error.strerror))
    if not options.files:
        answers = evidence.loose()
        print(json.dumps({"proofs": [{"verdict": v, "code": c} for v, c in answers]}, indent=2))
        verdicts = [verdict for verdict, _ in answers]
        return 3 if "failed" in verdicts else 4 if "not_checked" in verdicts else 0
    ledgers = []
    for name in options.files:
        try:
            with open(name, "rb") as stream:
                ledgers.append(judge_file(stream, kept))
        except OSError as error:                     # of the ledger, or of a blob it names
            parser.error("cannot read %s: %s" % (error.filename or name, error.strerror))
    cited = None if options.folder is None else citable(beside)
    results = [
        result(name, ledger, ledgers[:i] + ledgers[i + 1:] + beside, options.head,
               options.expect, cited, evidence, log)
        for i, (name, ledger) in enumerate(zip(options.files, ledgers))]
    print(json.dumps({"results": results}, indent=2))
    failed = any(each["checks"][name]["verdict"] == "failed"
                 for each in results for name in ("integrity", "completeness", "authorship", "time"))
    asked = ["authorship"] * bool(options.trust and evidence) + ["completeness"] * bool(log) \
        + ["time"] * bool(options.witness)
    open_ = any(each["checks"][name]["verdict"] == "not_checked" for each in results for name in asked)
    open_ = open_ or any(each["checks"]["completeness"]["code"] == "no_ledger" for each in results)
    return 3 if failed else 4 if open_ else 0


if __name__ == "__main__":
    sys.exit(main())
