#!/usr/bin/env python3
"""A checker of what is said about plans, written from docs/formats/plan.md alone.

It searches nothing and shares no code with the TypeScript packages. Standard
library only.

    python3 independent/python/verify_plan.py --psplib DIR LINES    lines about the files below DIR
    python3 independent/python/verify_plan.py --claims FILE         claims, each with its plan
    python3 independent/python/verify_plan.py --report PLAN REPORT  what assay check --json
                                                         printed of a plan file in JSON

A claim is one line `{"plan", "objective", "bounds", "part", "claim",
"certificate"}`, or `{"plan", "raise"}`. One JSON document is printed: how many lines there are, and those that
do not hold, each with why. Exit status: 0 when all hold, 3 when one does not, 2
for wrong use. `true` is a kind of integer for Python, so types are compared.
"""

import json
import os
import re
import sys
from fractions import Fraction
from math import gcd

DEPTH_MAX = 80
TOTAL_MAX = 2 ** 50 - 1


class Fault(Exception):
    """Why a line does not hold."""


def need(condition, why):
    if not condition:
        raise Fault(why)


def is_count(n):
    return type(n) is int and n >= 0


# --- The plan file ------------------------------------------------------------

def mid(estimate):
    return estimate[1] if isinstance(estimate, list) else estimate


def read_links(task):
    """How a task waits: by (task, kind) the lag; of several of one kind the largest counts."""
    links = {}
    for entry in task.get("after", []):
        entry = entry if isinstance(entry, dict) else {"task": entry}
        key = entry["task"], entry.get("link", "FS")
        links[key] = max(entry.get("lag", 0), links.get(key, entry.get("lag", 0)))
    return links


def read_plan(plan):
    """The plan with its defaults, every list by id; of estimates the mids."""
    rows = sorted(plan.get("rows", []), key=lambda row: row["id"])
    ids = [row["id"] for row in rows]

    def approach(value, name):
        amounts = value.get("amounts", {})
        return {
            "id": name,
            "minutes": mid(value["minutes"]),
            "confidence": value.get("confidence", 500000),
            "amounts": [mid(amounts.get(row["id"], row.get("default"))) for row in rows],
            "metrics": {key: mid(figure) for key, figure in value.get("metrics", {}).items()},
            "uses": value.get("uses", {}),
        }

    tasks = [{
        "id": task["id"],
        "links": read_links(task),
        "approaches": [approach(task, task.get("approach", "base"))] + sorted(
            (approach(other, other["id"]) for other in task.get("alternatives", [])),
            key=lambda other: other["id"]),
    } for task in sorted(plan["tasks"], key=lambda task: task["id"])]
    cost = plan.get("cost", "cost" if "cost" in ids else ids[0] if ids else None)
    return {"tasks": tasks, "rows": rows, "cost": None if cost is None else ids.index(cost),
            "metrics": plan.get("metrics", []), "couplings": plan.get("couplings", []),
            "deadline": plan.get("deadline"), "renewable": plan.get("renewable", {})}


# --- PSPLIB and MMLIB files ---------------------------------------------------

def read_psplib(text):
    """A file as a plan value, the shortest mode of each job, and the published critical path or None."""
    lines = text.splitlines()

    def number(pattern):
        return next(int(found[1]) for found in map(re.compile(pattern).search, lines) if found)

    def below(pattern, more):
        return next(i for i, line in enumerate(lines) if re.match(pattern, line)) + 1 + more

    jobs = number(r"^jobs[^:]*:\s*([0-9]+)")
    renewable = number(r"- renewable\s*:\s*([0-9]+)")
    spent = number(r"- nonrenewable\s*:\s*([0-9]+)")
    at = below("PRECEDENCE RELATIONS", 1)
    heads = [[int(word) for word in line.split()] for line in lines[at:at + jobs]]
    name = ["t%03d" % (job + 1) for job in range(jobs)]
    after = {each: [] for each in name}
    for job, head in enumerate(heads):
        for successor in head[3:]:
            after[name[successor - 1]].append(name[job])
    at = below("REQUESTS/DURATIONS", 2)
    supply = [int(word) for word in lines[below(r" *RESOURCE *AVAILABILITIES", 1)].split()]
    tasks, shortest = [], {}
    for job, head in enumerate(heads):
        modes, possible = [], []
        for mode in range(head[1]):
            words = [int(word) for word in lines[at].split()][0 if mode else 1:]
            amounts = words[2 + renewable:]
            need(len(amounts) == spent, "a mode of another width")
            modes.append({"id": "m%d" % (mode + 1), "minutes": words[1], "confidence": 1000000,
                          "amounts": {"n%d" % (i + 1): n for i, n in enumerate(amounts)}})
            if all(need <= there for need, there in zip(words[2:2 + renewable], supply)):
                possible.append(modes[-1])
            at += 1
        first, *others = possible or modes
        shortest[name[job]] = min(mode["minutes"] for mode in modes)
        tasks.append({**first, "id": name[job], "approach": first["id"], "after": after[name[job]],
                      "alternatives": others})
    rows = [{"id": "n%d" % (i + 1), "op": "<=", "cap": cap} for i, cap in enumerate(supply[renewable:])]
    header = next((lines[i + 1].split() for i, line in enumerate(lines) if line.startswith("pronr")), [])
    plan = {"plan": 1, "rows": rows, "tasks": tasks}
    return plan, shortest, int(header[5]) if len(header) > 5 else None


def longest_chain(tasks, minutes):
    """The end of the last task, each as soon as its links allow."""
    starts, ends, left = {}, {}, list(tasks)
    while left:
        ready = [task for task in left if all(before in ends for before, _ in task["links"])]
        need(ready, "a cycle")
        for task in ready:
            length = minutes(task)
            waits = [(ends if kind[0] == "F" else starts)[before] + lag - (length if kind[1] == "F" else 0)
                     for (before, kind), lag in task["links"].items()]
            starts[task["id"]] = max([0] + waits)
            ends[task["id"]] = starts[task["id"]] + length
        left = [task for task in left if task["id"] not in ends]
    return max(ends.values())


# --- Questions ----------------------------------------------------------------

PASSES = {"<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
          ">": lambda a, b: a > b, ">=": lambda a, b: a >= b}


def question_of(plan, objective=None, bounds=None, part=None):
    bounds = bounds or {}

    def holds(held):
        name = held.get("id", "deadline")
        return held.get("hard", True) if part is None else name in part["constraints"]

    def measure(of, approach, place):
        if of is None:
            return 0
        if of == "substitutions":
            return 0 if place == 0 else 1
        if of == "effort":
            return approach["minutes"]
        return 0 if plan["cost"] is None else approach["amounts"][plan["cost"]]

    def cap(held, bound):
        return bound - (held["op"] == "<")

    rows = [(i, row) for i, row in enumerate(plan["rows"]) if holds(row)]
    extra = [of for of in ("substitutions", "cost", "effort") if of in bounds]
    deadline = plan["deadline"]
    work = []
    for resource in sorted(plan["renewable"]) if deadline is not None else []:
        used = any(each["uses"].get(resource, 0) > 0 for task in plan["tasks"] for each in task["approaches"])
        row = {"id": "work:" + resource, "hard": deadline.get("hard", True)}
        if used and holds(row):
            work.append((resource, row["id"]))
    minutes = 0 if deadline is None else max(0, cap(deadline, deadline["minutes"]))
    names = [row["id"] for _, row in rows] + [name for _, name in work] + ["repair:" + of for of in extra]
    caps = [cap(row, row["cap"]) for _, row in rows]
    caps += [min(TOTAL_MAX, plan["renewable"][resource] * minutes) for resource, _ in work]
    caps += [bounds[of] for of in extra]
    tasks = []
    for task in plan["tasks"]:
        if part is not None and task["id"] not in part["tasks"]:
            tasks.append({"id": task["id"], "links": task["links"], "options": {
                "none": {"amounts": dict.fromkeys(names, 0), "objective": 0, "minutes": 0}}})
            continue
        options = {}
        for place, approach in enumerate(task["approaches"]):
            if place > 0 and (part is not None and part["current"]
                              or approach["confidence"] < bounds.get("confidence", 0)):
                continue
            figures = [(metric, approach["metrics"].get(metric["id"])) for metric in plan["metrics"]
                       if metric["task"] == task["id"] and holds(metric)]
            if not all(figure is not None and PASSES[metric["op"]](figure, metric["bound"])
                       for metric, figure in figures):
                continue
            amounts = [approach["amounts"][i] for i, _ in rows]
            amounts += [approach["minutes"] * approach["uses"].get(resource, 0) for resource, _ in work]
            amounts += [measure(of, approach, place) for of in extra]
            options[approach["id"]] = {"amounts": dict(zip(names, amounts)),
                                       "objective": measure(objective, approach, place),
                                       "minutes": approach["minutes"]}
        tasks.append({"id": task["id"], "links": task["links"], "options": options})
    pairs = {}
    for coupling in plan["couplings"]:
        if not holds(coupling) or part is not None and not set(coupling["tasks"]) <= set(part["tasks"]):
            continue
        fits = {(a, b) for a, b, figure in coupling["values"]
                if PASSES[coupling["op"]](figure, coupling["bound"])}
        pairs[coupling["id"]] = (coupling["tasks"], fits)
    if deadline is not None:
        deadline = cap(deadline, deadline["minutes"]) if holds(deadline) else None
    return {"tasks": tasks, "caps": dict(zip(names, caps)), "pairs": pairs, "deadline": deadline}


# --- Certificates -------------------------------------------------------------

def row_of(question, name):
    """The cap of a row, and what an option of a task adds to it."""
    if name in question["caps"]:
        return question["caps"][name], lambda task, option: option["amounts"][name]
    need(name.startswith("deadline:") and question["deadline"] is not None, "no such row")
    links = {task["id"]: task["links"] for task in question["tasks"]}
    steps = [step.partition("~") for step in name[len("deadline:"):].split(">")]
    need(steps[0][1] == "", "a chain that begins with a link")
    need(all(task in links for task, _, _ in steps), "no such task in a chain")
    cap, counts = question["deadline"], dict.fromkeys([task for task, _, _ in steps], 0)
    kinds = [None] + ["fs" if mark == "" else kind for _, mark, kind in steps[1:]] + [None]
    for at, (task, mark, kind) in enumerate(steps):
        need(mark == "" or kind in ("ss", "ff", "sf"), "a link of no kind")
        counts[task] += kinds[at + 1] not in ("ss", "sf")
        counts[task] -= kinds[at] in ("ff", "sf")
        if at > 0:
            link = steps[at - 1][0], kinds[at].upper()
            need(link in links[task], "a chain that is none")
            cap -= links[task][link]
    return cap, lambda task, option: option["minutes"] * counts.get(task, 0)


def check_leaf(question, claim, leaf, allowed):
    weights, unit = leaf["weights"], leaf["unit"]
    need(is_count(unit) and all(is_count(n) for _, n in weights), "a weight that is no count")
    need(claim["kind"] != "unsat" or unit == 0, "unsat with an objective")
    rows = [(row_of(question, name), n) for name, n in weights]
    total = -sum(n * cap for (cap, _), n in rows)
    for task in question["tasks"]:
        options = [task["options"][name] for name in allowed[task["id"]]]
        need(options, "no option left")
        total += min(unit * option["objective"] + sum(n * adds(task["id"], option) for (_, adds), n in rows)
                     for option in options)
    need(total > unit * (claim.get("value", 1) - 1), "a sum that proves nothing")


def check_certificate(question, claim, certificate, allowed=None, depth=0):
    allowed = allowed or {task["id"]: list(task["options"]) for task in question["tasks"]}
    if "unit" in certificate:
        check_leaf(question, claim, certificate, allowed)
    elif "coupling" in certificate:
        tasks, fits = question["pairs"].get(certificate["coupling"], ([], set()))
        need(tasks == certificate["tasks"], "no such coupling")
        need(not any((a, b) in fits for a in allowed[tasks[0]] for b in allowed[tasks[1]]), "a pair that fits")
    else:
        task = certificate["task"]
        need(task in allowed and depth < DEPTH_MAX, "no such task, or too deep")
        covered = set()
        for names, inner in certificate["parts"]:
            rest = [name for name in allowed[task] if name in names]
            covered.update(rest)
            if rest:
                check_certificate(question, claim, inner, {**allowed, task: rest}, depth + 1)
        need(covered == set(allowed[task]), "an option in no part")


# --- Raised caps --------------------------------------------------------------

def divided(plan):
    """The plan in the integers of its raises; each hard cap: id, bound, 1 under `<`, units in one."""
    pers = [gcd(row["cap"], *(approach["amounts"][i] for task in plan["tasks"]
                              for approach in task["approaches"])) or 1 if row.get("hard", True) else 1
            for i, row in enumerate(plan["rows"])]
    rows = [{**row, "cap": row["cap"] // per} for row, per in zip(plan["rows"], pers)]
    tasks = [{**task, "approaches": [
        {**approach, "amounts": [n // per for n, per in zip(approach["amounts"], pers)]}
        for approach in task["approaches"]]} for task in plan["tasks"]]
    return {**plan, "rows": rows, "tasks": tasks}, caps_of({**plan, "rows": rows}, pers)


def caps_of(plan, pers):
    caps = [(row["id"], row["cap"], int(row["op"] == "<"), per)
            for row, per in zip(plan["rows"], pers) if row.get("hard", True)]
    deadline = plan["deadline"]
    if deadline is not None and deadline.get("hard", True):
        caps.append(("deadline", deadline["minutes"], int(deadline["op"] == "<"), 1))
    return caps


def grown(plan, caps, levels):
    """The question under grown caps; None: without that cap."""
    by = {cap[0]: level for cap, level in zip(caps, levels)}

    def grow(held, name, key):
        if name not in by:
            return held
        return {**held, "hard": False} if by[name] is None else {**held, key: held[key] + by[name]}

    deadline = plan["deadline"]
    return question_of({**plan, "rows": [grow(row, row["id"], "cap") for row in plan["rows"]],
                        "deadline": None if deadline is None else grow(deadline, "deadline", "minutes")})


def share_of(cap, level):
    return (Fraction(level - cap[2], cap[1] or 1), 1) if level > 0 else (Fraction(0), 0)


def sum_of(caps, levels):
    shares = [share_of(cap, level) for cap, level in zip(caps, levels)]
    return sum(share for share, _ in shares), sum(count for _, count in shares)


def check_steps(plan, caps, steps, sum_, high):
    """The proof, in preorder, that no raise within a box sums up to less."""
    left = iter(steps)

    def walk(low, high):
        step = next(left, None)
        need(step is not None, "a proof that ends early")
        if step == "sum":
            need(sum_of(caps, low) >= sum_, "a box with a smaller sum")
        elif "cap" not in step:
            check_certificate(grown(plan, caps, high), {"kind": "unsat"}, step)
        else:
            at, cut = [cap[0] for cap in caps].index(step["cap"]), step["at"]
            need(type(cut) is int, "a cut that is no integer")
            walk(low, high[:at] + [cut] + high[at + 1:])
            walk(low[:at] + [cut + 1] + low[at + 1:], high)

    walk([0] * len(caps), high)
    need(next(left, None) is None, "steps behind the proof")


def check_raise(plan, raised):
    plan, caps = divided(plan)

    def levels_of(grown_caps):
        by_id = {cap["id"]: cap for cap in grown_caps}
        need(len(by_id) == len(grown_caps) and set(by_id) <= {cap[0] for cap in caps}, "no such cap")
        levels = []
        for name, bound, strict, per in caps:
            said, level, rest = by_id.get(name), 0, 0
            if said is not None and said["to"] != bound * per:
                above, rest = divmod(said["to"] - strict, per)
                level = above - bound + strict
            need(rest == 0 and level >= 0, "a bound that no raise gives")
            if said is not None:
                need(said["by"] == said["to"] - bound * per, "another difference")
                need(said["share"] == ([max(0, level - strict), bound] if bound else None), "another share")
            levels.append(level)
        return levels

    def check_fit(levels, changes):
        question = grown(plan, caps, levels)
        options = {task["id"]: task["options"] for task in question["tasks"]}
        taken = {task["id"]: task["approaches"][0]["id"] for task in plan["tasks"]}
        need(len(dict(changes)) == len(changes), "a task that changes twice")
        taken.update(changes)
        need(overrun(question, list(taken.items()), options) == 0, "a choice that does not fit")
        for tasks, fits in question["pairs"].values():
            need(tuple(taken[task] for task in tasks) in fits, "a pair that does not fit")
        if question["deadline"] is not None:
            length = longest_chain(question["tasks"],
                                   lambda task: task["options"][taken[task["id"]]]["minutes"])
            need(length <= question["deadline"], "a choice that is late")

    def check_unsat(levels, certificate):
        check_certificate(grown(plan, caps, levels), {"kind": "unsat"}, certificate)

    for cap in raised["alone"]:
        if cap["to"] is None:
            if cap["proven"]:
                check_unsat([None if name == cap["id"] else 0 for name, _, _, _ in caps], cap["certificate"])
            continue
        levels = levels_of([cap])
        check_fit(levels, cap["changes"])
        if cap["proven"] and any(levels):
            check_unsat([max(0, level - 1) for level in levels], cap["certificate"])
    joint = raised["joint"]
    if joint is None:
        return
    levels = levels_of(joint["caps"])
    check_fit(levels, joint["changes"])
    if not joint["proven"]:
        return
    most, _ = max((share_of(cap, level) for cap, level in zip(caps, levels)), default=(0, 0))
    below, within = [], []
    for _, bound, strict, _ in caps:
        share = most * bound
        below.append(min(TOTAL_MAX, max(0, strict - 1 - (-share.numerator // share.denominator))) if bound else 0)
        within.append(min(TOTAL_MAX, strict + share.numerator // share.denominator) if bound else 0)
    if any(levels):
        check_unsat(below, joint["largest"])
    check_steps(plan, caps, joint["steps"], sum_of(caps, levels), within if any(levels) else [0] * len(caps))


# --- Lines about others' data -------------------------------------------------

def overrun(question, choice, tasks):
    """By how much a choice for exactly these tasks passes the caps."""
    need(sorted(name for name, _ in choice) == sorted(tasks), "a choice for other tasks")
    options = {task["id"]: task["options"] for task in question["tasks"]}
    need(all(option in options[task] for task, option in choice), "no such approach")
    use = {name: sum(options[task][option]["amounts"][name] for task, option in choice)
           for name in question["caps"]}
    return sum(max(0, use[name] - cap) for name, cap in question["caps"].items())


def check_core(plan, core):
    rows, tasks = core["rows"], core["tasks"]

    def about(rows, tasks):
        return question_of(plan, part={"constraints": rows, "tasks": tasks, "current": False})

    check_certificate(about(rows, tasks), {"kind": "unsat"}, core["certificate"])
    need(sorted(element for element, _ in core["witnesses"]) == sorted(rows + tasks), "other elements")
    for element, choice in core["witnesses"]:
        others = [row for row in rows if row != element], [task for task in tasks if task != element]
        need(overrun(about(*others), choice, others[1]) == 0, "a witness that does not fit")


def check_line(line, text):
    value, shortest, published = read_psplib(text)
    plan = read_plan(value)
    cpm = longest_chain(plan["tasks"], lambda task: shortest[task["id"]])
    need(line["cpm"] == cpm, "another critical path")
    need(published is None or published == cpm, "another critical path than the file's")
    given = {key for key in ("choice", "certificate", "raise", "core") if line[key] is not None}
    allowed = {"SAT": {"choice"}, "UNSAT": {"certificate", "raise", "core"}}.get(line["verdict"], set())
    need(given <= allowed, "something that does not belong to the verdict")
    if line["verdict"] is None:
        return
    question, names = question_of(plan), [task["id"] for task in plan["tasks"]]
    if line["verdict"] == "SAT":
        need(overrun(question, line["choice"] or [], names) == 0, "a choice that does not fit")
        return
    check_certificate(question, {"kind": "unsat"}, line["certificate"])
    if line["raise"] is not None:
        total = line["raise"]["total"]
        need(overrun(question, line["raise"]["choice"], names) == total, "another overrun")
        caps = caps_of(plan, [1] * len(plan["rows"]))
        sums = [(name, 1, 0, 1) for name, _, _, _ in caps]
        check_steps(plan, sums, line["raise"]["steps"], (total, 0), [total] * len(caps))
    if line["core"] is not None:
        check_core(plan, line["core"])


# --- The command line ---------------------------------------------------------

def check_claim(line):
    plan = read_plan(line["plan"])
    if "raise" in line:
        check_raise(plan, line["raise"])
        return
    question = question_of(plan, line["objective"], line["bounds"], line["part"])
    check_certificate(question, line["claim"], line["certificate"])


def report(lines, check):
    """Each line is judged by itself: what is not of the form of the page does not hold."""
    refused = []
    for number, line in enumerate(lines):
        try:
            check(json.loads(line))
        except Fault as fault:
            refused.append([number, str(fault)])
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
            refused.append([number, "not of the form: " + type(error).__name__])
    print(json.dumps({"lines": len(lines), "refused": refused}))
    return 3 if refused else 0


def main(args):
    if len(args) == 2 and args[0] == "--claims":
        with open(args[1], encoding="utf-8") as file:
            return report(file.read().splitlines(), check_claim)
    if len(args) == 3 and args[0] == "--report":
        with open(args[1], encoding="utf-8") as file:
            plan = json.load(file)
        with open(args[2], encoding="utf-8") as file:
            said = json.load(file)
        proofs = said["proofs"] + ([] if said["raise"] is None else [{"raise": said["raise"]}])
        return report([json.dumps(proof) for proof in proofs],
                      lambda proof: check_claim({**proof, "plan": plan}))
    if len(args) == 3 and args[0] == "--psplib":
        paths = {name: os.path.join(folder, name) for folder, _, names in os.walk(args[1]) for name in names}

        def text(instance):
            with open(paths[instance], encoding="latin-1") as file:
                return file.read()

        with open(args[2], encoding="utf-8") as file:
            return report(file.read().splitlines(), lambda line: check_line(line, text(line["instance"])))
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
