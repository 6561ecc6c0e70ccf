"""A second, independent computation of the goal gradient, in Python's exact fractions: writes the goldens.

    python3 packages/controller/tools/ggs_goldens.py packages/controller/test/golden

Written from 002 §R7 and the decisions dec-G1 to dec-G24 alone. The printed 24 cells are not written here: they are
copied from the document into ggs-cells.json. Look at each difference before committing it.
"""
import json
import os
import sys
from fractions import Fraction as F

PPM = 1_000_000
DEFAULTS = dict(alpha=600_000, beta=300_000, lam=400_000, w1=600_000, w2=400_000, epsilon=100_000, delta=300_000,
                rho=500_000, theta=800_000, budget=300_000_000, replans=3, law2=2, literal=False)
SECOND = 1_000_000


def text(value):
    return f"{value.numerator}/{value.denominator}"


def directive_of(band, far, logical, spent):
    if spent:
        return "abandon"
    if not far:
        return "success"
    return {("plateau", True): "break_symmetry", ("plateau", False): "change_path"}.get((band, logical)) or (
        "change_approach" if logical else "refine")


def band_of(gradient, epsilon):
    return "worsening" if gradient >= epsilon else "improving" if gradient <= -epsilon else "plateau"


def cell_of(band, far, logical, spent):
    return 1 + 8 * ["improving", "plateau", "worsening"].index(band) + 4 * far + 2 * spent + logical


def grid():
    """Every boundary at the default thresholds, and one part per million on either side of it."""
    unit = F(1, PPM)
    epsilon, delta, rho, theta = F(1, 10), F(3, 10), F(1, 2), F(4, 5)
    gradients = [-epsilon - unit, -epsilon, -epsilon + unit, F(0), epsilon - unit, epsilon, epsilon + unit]
    near = lambda at: [at - unit, at, at + unit]
    rows = []
    for g in gradients:
        for d in near(delta):
            for p in near(rho):
                for o in near(theta):
                    place = (band_of(g, epsilon), d > delta, p > rho, o >= theta)
                    rows.append([text(g), text(d), text(p), text(o), cell_of(*place), directive_of(*place)])
    return rows


def omega_of(policy, replans, elapsed):
    total = (F(policy["w1"], PPM) * F(replans, policy["replans"]) + F(policy["w2"], PPM) * F(elapsed, policy["budget"]))
    if policy["literal"]:
        return total
    if replans >= policy["replans"] or elapsed >= policy["budget"]:
        return F(1)
    return min(F(1), total)


def trace(policy, rounds):
    """rounds: (criteria, logical failures, environmental failures, elapsed microseconds)."""
    last, worsening, out = None, 0, []
    for count, (total, logical, environmental, elapsed) in enumerate(rounds):
        d = F(logical + environmental, total)
        p = F(logical, logical + environmental) if logical + environmental else F(0)
        o = omega_of(policy, count, elapsed)
        a, b, lam = (F(policy[name], PPM) for name in ("alpha", "beta", "lam"))
        loss, task = a * d + b * (1 - o) * p + lam * o, a * d + b * p
        grad_l, grad_task = (loss - last[0], task - last[1]) if last else (F(0), F(0))
        epsilon = F(policy["epsilon"], PPM)
        if not policy["literal"]:
            epsilon = min(epsilon, a / (2 * total))
        band = band_of(grad_l if policy["literal"] else grad_task, epsilon)
        is_worse = band == "worsening" and (policy["literal"] or last is None or d >= last[2])
        worsening = worsening + 1 if is_worse else 0
        place = (band, d > F(policy["delta"], PPM), p > F(policy["rho"], PPM), o >= F(policy["theta"], PPM))
        directive, reason = directive_of(*place), None
        if directive == "abandon":
            reason = "omega"
        elif directive == "success":
            reason = "converged"
        elif worsening >= policy["law2"]:
            directive, reason = "abandon", "law2"
        out.append(dict(D=text(d), P=text(p), Omega=text(o), L=text(loss), grad_l=text(grad_l), grad_task=text(grad_task),
                        epsilon=text(epsilon), band=band, worsening_count=worsening, cell=cell_of(*place),
                        directive=directive, reason=reason))
        if directive in ("abandon", "success"):
            break
        last = (loss, task, d)
    return out


def traces():
    stuck = lambda seconds: [(10, 0, 10, (n + 1) * seconds * SECOND) for n in range(9)]
    slow = [(10, 0, 10 - n, (n + 1) * 12 * SECOND) for n in range(10)]
    cases = {
        "c1: D 1, P 0, rounds of 45 s": stuck(45),
        "c2: D 1, P 0, rounds of 20 s": stuck(20),
        "c3: no time passes": stuck(0),
        "c4: three of ten fail": [(10, 1, 2, 30 * SECOND)],
        "c7: half of the failures are logical": [(10, 2, 2, 10 * SECOND), (10, 3, 3, 20 * SECOND), (10, 3, 2, 30 * SECOND)],
        "c11: one more of ten criteria met each round": slow,
        "all logical, growing worse": [(8, 4, 0, 10 * SECOND), (8, 6, 0, 20 * SECOND), (8, 8, 0, 30 * SECOND)],
        "logical failures turn environmental": [(6, 6, 0, 9_876_543), (6, 3, 3, 23_456_789), (6, 1, 4, 31_415_926), (6, 0, 3, 44_444_444)],
        "37.5 s without a change": [(10, 0, 10, 0), (10, 0, 10, 37_500_000)],
        "one microsecond less": [(10, 0, 10, 0), (10, 0, 10, 37_499_999)],
    }
    policies = dict(default=DEFAULTS, literal=dict(DEFAULTS, literal=True))
    return [dict(title=title, policy=name, rounds=rounds, expected=trace(policy, rounds))
            for title, rounds in cases.items() for name, policy in policies.items()]


def write(folder, name, rows):
    with open(os.path.join(folder, name), "w") as file:
        file.write("[\n" + ",\n".join("  " + json.dumps(row) for row in rows) + "\n]\n")


if __name__ == "__main__":
    write(sys.argv[1], "ggs-grid.json", grid())
    write(sys.argv[1], "ggs-traces.json", traces())
