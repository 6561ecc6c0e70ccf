#!/usr/bin/env python3
"""A checker of what is said about plans, written from docs/formats/plan.md alone.

It searches nothing and shares no code with the TypeScript packages. Standard
library only.

    python3 independent/python/verify_plan.py --psplib DIR LINES    lines about the files below DIR
    python3 independent/python/verify_plan.py --claims FILE         claims, each with its plan
    python3 independent/python/verify_plan.py --report PLAN REPORT  what assay check --json
                                                         printed of a plan file in JSON

A claim is one line `{"plan", "objective", "bounds", "part", "claim",
"certificate"}`. One JSON document is printed: how many lines there are, and those that
do not hold, each with why. Exit status: 0 when all hold, 3 when one does not, 2
for wrong use. `true` is a kind of integer for Python, so types are compared.
"""

import json
import os
import re
import sys

DEPTH_MAX = 80


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
            "confidence": value["confidence"],
            "amounts": [mid(amounts.get(row["id"], row.get("default"))) for row in rows],
            "metrics": {key: mid(figure) for key, figure in value.get("metrics", {}).items()},
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
            "deadline": plan.get("deadline")}


# --- PSPLIB and MMLIB files ---------------------------------------------------

def read_psplib(text):
    """A file as a plan value, and the published critical path or None."""
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
    tasks = []
    for job, head in enumerate(heads):
        modes = []
        for mode in range(head[1]):
            words = [int(word) for word in lines[at].split()][0 if mode else 1:]
            amounts = words[2 + renewable:]
            need(len(amounts) == spent, "a mode of another width")
            modes.append({"id": "m%d" % (mode + 1), "minutes": words[1], "confidence": 1000000,
                          "amounts": {"n%d" % (i + 1): n for i, n in enumerate(amounts)}})
            at += 1
        tasks.append({**modes[0], "id": name[job], "approach": "m1", "after": after[name[job]],
                      "alternatives": modes[1:]})
    at = below(r" *RESOURCE *AVAILABILITIES", 1)
    caps = [int(word) for word in lines[at].split()][renewable:]
    rows = [{"id": "n%d" % (i + 1), "op": "<=", "cap": cap} for i, cap in enumerate(caps)]
    header = next((lines[i + 1].split() for i, line in enumerate(lines) if line.startswith("pronr")), [])
    return {"plan": 1, "rows": rows, "tasks": tasks}, int(header[5]) if len(header) > 5 else None


def longest_chain(tasks, minutes):
    """The end of the last task, each as soon as what it waits for has ended."""
    ends, left = {}, list(tasks)
    while left:
        ready = [task for task in left if all(before in ends for before, _ in task["links"])]
        need(ready, "a cycle")
        for task in ready:
            start = max((ends[before] for before, _ in task["links"]), default=0)
            ends[task["id"]] = start + minutes(task)
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
    names = [row["id"] for _, row in rows] + ["repair:" + of for of in extra]
    caps = [cap(row, row["cap"]) for _, row in rows] + [bounds[of] for of in extra]
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
    deadline = plan["deadline"]
    if deadline is not None:
        deadline = cap(deadline, deadline["minutes"]) if holds(deadline) else None
    return {"tasks": tasks, "caps": dict(zip(names, caps)), "pairs": pairs, "deadline": deadline}


# --- Certificates -------------------------------------------------------------

def row_of(question, name):
    """The cap that a name weighs, its size, and what an option of a task adds to it."""
    if name in question["caps"]:
        return name, question["caps"][name], lambda task, option: option["amounts"][name]
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
    return "deadline:", cap, lambda task, option: option["minutes"] * counts.get(task, 0)


def check_leaf(question, claim, leaf, allowed):
    weights, unit = leaf["weights"], leaf["unit"]
    need(is_count(unit) and all(is_count(n) for _, n in weights), "a weight that is no count")
    kind = claim["kind"]
    need(kind != "unsat" or unit == 0, "unsat with an objective")
    rows = [(row_of(question, name), n) for name, n in weights]
    if kind == "raise":
        on_cap = {}
        for (cap_id, _, _), n in rows:
            on_cap[cap_id] = on_cap.get(cap_id, 0) + n
        need(all(n <= unit for n in on_cap.values()), "a cap weighed by more than the unit")
    total = -sum(n * cap for (_, cap, _), n in rows)
    for task in question["tasks"]:
        options = [task["options"][name] for name in allowed[task["id"]]]
        need(options, "no option left")
        total += min((0 if kind == "raise" else unit * option["objective"])
                     + sum(n * adds(task["id"], option) for (_, _, adds), n in rows) for option in options)
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
    value, published = read_psplib(text)
    plan = read_plan(value)
    shortest = longest_chain(plan["tasks"], lambda task: min(each["minutes"] for each in task["approaches"]))
    need(line["cpm"] == shortest, "another critical path")
    need(published is None or published == shortest, "another critical path than the file's")
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
        check_certificate(question, {"kind": "raise", "value": total}, line["raise"]["certificate"])
    if line["core"] is not None:
        check_core(plan, line["core"])


# --- The command line ---------------------------------------------------------

def check_claim(line):
    plan = read_plan(line["plan"])
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
            proofs = json.load(file)["proofs"]
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
