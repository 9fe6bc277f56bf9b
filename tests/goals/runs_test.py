"""Random methods, hand-typed as it were: each is run on random inputs, and the first clause that a run breaks must not be
called proved at that place. On such a run everything that the goal may assume holds, so the goal is false. The meaning of
expressions and statements is written down here once more and shares nothing with the server, which gets only the text.

PLUMBLINE_RUNS: the number of methods (60)."""

import os
import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(os.environ["PLUMBLINE_SOURCE_DIR"], "tests", "lean-bridge", "server")))
from talk import Talk  # noqa: E402

METHODS = int(os.environ.get("PLUMBLINE_RUNS", "60"))
RUNS = 200
TYPES = {"Array": "Array Int", "Int": "Int", "Nat": "Nat"}
RELATIONS = {"<": lambda a, b: a < b, "≤": lambda a, b: a <= b, "=": lambda a, b: a == b,
             "≠": lambda a, b: a != b, ">": lambda a, b: a > b, "≥": lambda a, b: a >= b}


# --- Expressions: tuples that begin with their form; numbers, variables and operations carry their type ---

def divided(kind, a, b):
    """Lean's quotient and remainder: the remainder is not negative, a divisor of 0 gives 0 and a."""
    if b == 0:
        return 0 if kind == "/" else a
    rest = a % abs(b)
    return (a - rest) // b if kind == "/" else rest


def value(expr, at):
    form, *rest = expr
    if form == "number":
        return rest[0]
    if form == "name":
        return at[rest[0]]
    if form == "op":
        op, a, b = rest[0], value(rest[1], at), value(rest[2], at)
        if op == "-":
            return max(0, a - b) if rest[3] == "Nat" else a - b
        return a + b if op == "+" else a * b if op == "*" else divided(op, a, b)
    if form == "element":
        array, index = at[rest[0]], value(rest[1], at)
        return array[index] if index < len(array) else 0
    if form == "size":
        return len(at[rest[0]])
    if form == "if":
        return value(rest[1] if value(rest[0], at) else rest[2], at)
    if form == "lifted":
        return value(rest[0], at)
    if form == "toNat":
        return max(0, value(rest[0], at))
    if form == "and":
        return value(rest[0], at) and value(rest[1], at)
    if form == "or":
        return value(rest[0], at) or value(rest[1], at)
    if form == "implies":
        return not value(rest[0], at) or value(rest[1], at)
    if form == "not":
        return not value(rest[0], at)
    if form == "relation":
        return RELATIONS[rest[0]](value(rest[1], at), value(rest[2], at))
    each = (value(rest[2], {**at, rest[0]: k}) for k in range(value(rest[1], at)))
    return all(each) if form == "forall" else any(each)


def kind_of(expr):
    if expr[0] in ("number", "name"):
        return expr[2]
    return {"op": lambda: expr[4], "if": lambda: expr[4], "element": lambda: "Int", "lifted": lambda: "Int",
            "size": lambda: "Nat", "toNat": lambda: "Nat"}[expr[0]]()


def shown(expr):
    form, *rest = expr
    if form == "number":
        return str(rest[0]) if rest[0] >= 0 else f"({rest[0]} : Int)"
    if form == "name":
        return rest[0]
    if form == "op":
        return f"({shown(rest[1])} {rest[0]} {shown(rest[2])})"
    if form == "relation":
        return f"(({shown(rest[1])} : {kind_of(rest[1])}) {rest[0]} {shown(rest[2])})"
    if form == "forall":
        return f"(∀ {rest[0]} : Nat, {rest[0]} < {shown(rest[1])} → {shown(rest[2])})"
    if form == "exists":
        return f"(∃ {rest[0]} : Nat, {rest[0]} < {shown(rest[1])} ∧ {shown(rest[2])})"
    if form in ("element", "size"):
        return f"{rest[0]}[{shown(rest[1])}]!" if form == "element" else f"{rest[0]}.size"
    parts = [shown(each) for each in rest if isinstance(each, tuple)]
    return {"if": "(if {} then {} else {})", "lifted": "(({} : Nat) : Int)", "toNat": "({} : Int).toNat",
            "and": "({} ∧ {})", "or": "({} ∨ {})", "implies": "({} → {})", "not": "(¬ {})"}[form].format(*parts)


def mentions(expr, name):
    if not isinstance(expr, tuple):
        return False
    return (expr[0] in ("name", "element", "size") and expr[1] == name) or any(mentions(e, name) for e in expr[1:])


class Variable:
    def __init__(self, name, kind, mutable=False):
        self.name, self.kind, self.mutable = name, kind, mutable


def hiding(scope, variable):
    """The scope with another variable, which hides one of its name."""
    return [v for v in scope if v.name != variable.name] + [variable]


class Expressions:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.labels = 0

    def label(self, first):
        self.labels += 1
        return f"{first}{self.labels}"

    def of(self, scope, kind):
        return [v for v in scope if v.kind == kind]

    def number(self, kind):
        return ("number", self.random.choice([0, 0, 1, 1, 2, 3, 5] if kind == "Nat" else [0, 1, -1, 2, -2, 3, -3, 7]), kind)

    def leaf(self, scope, kind, depth):
        names, arrays, dice = self.of(scope, kind), self.of(scope, "Array"), self.random.random()
        if names and dice < 0.7:
            return ("name", self.random.choice(names).name, kind)
        if not arrays or dice > 0.85 or (kind == "Int" and depth == 0):
            return self.number(kind)
        array = self.random.choice(arrays).name
        return ("size", array) if kind == "Nat" else ("element", array, self.expression(scope, "Nat", depth - 1))

    def expression(self, scope, kind, depth=2):
        dice = self.random.random()
        if depth == 0 or dice < 0.3:
            return self.leaf(scope, kind, depth)
        if dice < 0.38:
            other = "Nat" if kind == "Int" else "Int"
            return ("lifted" if kind == "Int" else "toNat", self.expression(scope, other, depth - 1))
        if dice < 0.46:
            return ("if", self.condition(scope, depth - 1), self.expression(scope, kind, depth - 1),
                    self.expression(scope, kind, depth - 1), kind)
        op = self.random.choice("+--+*/%")
        right = self.expression(scope, kind, depth - 1)
        if op in "*/%" and self.random.random() < 0.8:
            right = ("number", self.random.choice([2, 3, 4] if kind == "Nat" else [2, 3, -2, -3]), kind)
        return ("op", op, self.expression(scope, kind, depth - 1), right, kind)

    def condition(self, scope, depth=2):
        dice = self.random.random()
        for form, below in (("and", 0.12), ("or", 0.2), ("implies", 0.26), ("not", 0.32)):
            if depth > 0 and dice < below:
                parts = [self.condition(scope, depth - 1) for _ in range(1 if form == "not" else 2)]
                return (form, *parts)
        kind = self.random.choice(["Nat", "Int"])
        return ("relation", self.random.choice(list(RELATIONS)), self.expression(scope, kind, depth),
                self.expression(scope, kind, depth))

    def quantified(self, scope):
        arrays = self.of(scope, "Array")
        name = self.random.choice(["k", "k", "i", "x", "n"])  # it may hide a variable
        bound = self.expression(scope, "Nat", 1)
        if not arrays or mentions(bound, name):
            return self.condition(scope)
        index = ("name", name, "Nat")
        if self.random.random() < 0.4:
            index = ("op", "+", index, ("number", 1, "Nat"), "Nat")
        inner = hiding(scope, Variable(name, "Nat"))
        return (self.random.choice(["forall", "forall", "exists"]), name, bound,
                ("relation", self.random.choice(list(RELATIONS)),
                 ("element", self.random.choice(arrays).name, index), self.expression(inner, "Int", 1)))

    def claim(self, scope):
        return self.quantified(scope) if self.random.random() < 0.35 else self.condition(scope)


# --- Methods ---

class RandomMethod(Expressions):
    def __init__(self, seed):
        super().__init__(seed)
        self.parameters = [Variable("n", "Nat"), Variable("a", "Int"), Variable("xs", "Array")]
        self.result = self.random.choice(["Int", "Nat", "Array"])
        self.requires = [(self.label("r"), self.claim(self.parameters)) for _ in range(self.random.randint(0, 2))]
        known = self.parameters + [Variable("res", self.result)]
        self.ensures = [(self.label("e"), self.claim(known)) for _ in range(self.random.randint(1, 3))]
        scope = list(self.parameters)
        self.body = []
        for name, kind in (("x", "Int"), ("i", "Nat"), ("ys", "Array")):
            first = ("name", "xs", "Array") if kind == "Array" else self.expression(scope, kind, 1)
            self.body.append(("let", name, kind, True, first))
            scope.append(Variable(name, kind, True))
        self.body += self.block(scope, 3, False, ("return", None), keep=True)

    def returned(self, scope):
        if self.result == "Array":
            return ("return", ("name", self.random.choice(self.of(scope, "Array")).name, "Array"))
        return ("return", self.expression(scope, self.result, 1))

    def block(self, scope, depth, in_loop, last=None, keep=False):
        scope = list(scope)
        made = [self.statement(scope, depth, in_loop) for _ in range(self.random.randint(1, 4 if keep else 3))]
        if last == ("return", None) or (last is None and self.random.random() < 0.06):
            made.append(self.returned(scope))
        elif last is not None:
            made.append(last)
        elif in_loop and self.random.random() < 0.15:
            made.append((self.random.choice(["break", "continue"]),))
        return made

    def statement(self, scope, depth, in_loop):
        dice = self.random.random()
        if depth > 0 and dice < 0.2:
            return ("if", self.condition(scope, 1), self.block(scope, depth - 1, in_loop),
                    self.block(scope, depth - 1, in_loop) if self.random.random() < 0.5 else [])
        if depth > 1 and dice < 0.42:
            return self.loop(scope, depth)
        changing = [v for v in scope if v.mutable]
        if dice < 0.6 or not changing:
            return ("assert", self.label("s"), self.claim(scope))
        if dice < 0.68:
            made = Variable(self.random.choice(["x", "t", "i", "k"]), self.random.choice(["Int", "Nat"]), dice < 0.65)
            statement = ("let", made.name, made.kind, made.mutable, self.expression(scope, made.kind))
            scope[:] = hiding(scope, made)
            return statement
        variable = self.random.choice(changing)
        if variable.kind != "Array":
            return ("set", variable.name, self.expression(scope, variable.kind))
        if self.random.random() < 0.8:
            return ("store", variable.name, self.expression(scope, "Nat", 1), self.expression(scope, "Int", 1))
        return ("set", variable.name, ("name", self.random.choice(self.of(scope, "Array")).name, "Array"))

    def loop(self, scope, depth):
        counters = [v for v in scope if v.mutable and v.kind == "Nat"]
        if not counters:
            return ("assert", self.label("s"), self.claim(scope))
        name = self.random.choice(counters).name
        counter = ("name", name, "Nat")
        bounds = [("size", "xs"), ("number", self.random.choice([2, 3, 5]), "Nat")]
        if any(v.name == "n" and v.kind == "Nat" for v in scope):
            bounds.append(("name", "n", "Nat"))
        bound = self.random.choice(bounds)
        invariants = self.invariants(scope, counter, bound)
        body = []
        arrays = [v for v in scope if v.kind == "Array" and v.mutable]
        if arrays and self.random.random() < 0.6:
            index = self.random.choice([counter, self.expression(scope, "Nat", 1)])
            body.append(("store", arrays[0].name, index, self.expression(scope, "Int", 1)))
        # The counter may be hidden in the body: then its last line must be another one.
        inside = self.block([Variable(v.name, v.kind, v.mutable) for v in scope], depth - 2, True, ("step",))
        hidden = [s for s in inside if s[0] == "let" and s[1] == name]
        step = ("set", name, ("op", "+", counter, ("number", 1, "Nat"), "Nat"))
        inside[-1] = step if not hidden else ("break",)
        done = None
        if self.random.random() < 0.5:
            done = (self.label("w"), ("relation", self.random.choice("=≥"), counter, bound))
        return ("while", self.label("c"), ("relation", "<", counter, bound), invariants,
                (self.label("d"), ("op", "-", bound, counter, "Nat")), done, body + inside)

    def invariants(self, scope, counter, bound):
        made = []
        arrays = [v for v in scope if v.kind == "Array" and v.mutable]
        if self.random.random() < 0.7:
            made.append(("relation", "≤", counter, bound))
        if arrays and self.random.random() < 0.5:
            made.append(("relation", "=", ("size", arrays[0].name), ("size", "xs")))
        if arrays and self.random.random() < 0.5:
            one = ("number", 1, "Nat")
            until = self.random.choice([counter, ("op", "+", counter, one, "Nat"), ("op", "-", counter, one, "Nat")])
            fixed = hiding([v for v in scope if not v.mutable], Variable("k", "Nat"))
            if not mentions(until, "k"):
                made.append(("forall", "k", until, ("relation", self.random.choice("=≥≤"), (
                    "element", arrays[0].name, ("name", "k", "Nat")), self.expression(fixed, "Int", 1))))
        if self.random.random() < 0.6:
            made.append(self.claim(scope))
        return [(self.label("v"), prop) for prop in made]

    # --- As text ---

    def text(self):
        lines = ["import Velvet", "", "method meth"]
        lines += [f"    ({v.name} : {TYPES[v.kind]})" for v in self.parameters]
        lines.append(f"  returns (res : {TYPES[self.result]})")
        lines += [f"  requires {label}: {shown(prop)}" for label, prop in self.requires]
        lines += [f"  ensures {label}: {shown(prop)}" for label, prop in self.ensures]
        lines.append("do")
        self.write(self.body, "  ", lines)
        return "\n".join(lines) + "\n"

    def write(self, body, indent, lines):
        for form, *rest in body:
            if form == "let":
                name, kind, mutable, first = rest
                lines.append(f"{indent}let {'mut ' if mutable else ''}{name} : {TYPES[kind]} := {shown(first)}")
            elif form == "set":
                lines.append(f"{indent}{rest[0]} := {shown(rest[1])}")
            elif form == "store":
                lines.append(f"{indent}{rest[0]} := {rest[0]}.set! ({shown(rest[1])}) ({shown(rest[2])})")
            elif form == "assert":
                lines.append(f"{indent}assert {rest[0]}: {shown(rest[1])}")
            elif form in ("break", "continue"):
                lines.append(indent + form)
            elif form == "return":
                lines.append(f"{indent}return {shown(rest[0])}")
            elif form == "if":
                lines.append(f"{indent}if {shown(rest[0])} then")
                self.write(rest[1], indent + "  ", lines)
                if rest[2]:
                    lines.append(indent + "else")
                    self.write(rest[2], indent + "  ", lines)
            else:
                self.write_loop(rest, indent, lines)

    def write_loop(self, loop, indent, lines):
        label, condition, invariants, decreasing, done, body = loop
        lines.append(f"{indent}while {label}: {shown(condition)}")
        lines += [f"{indent}  invariant {name}: {shown(prop)}" for name, prop in invariants]
        lines.append(f"{indent}  decreasing {decreasing[0]}: {shown(decreasing[1])}")
        if done:
            lines.append(f"{indent}  done_with {done[0]}: {shown(done[1])}")
        lines.append(indent + "do")
        self.write(body, indent + "  ", lines)

    def inputs(self):
        """Random ones, or None where they are not allowed."""
        pick = self.random.choice
        made = {"n": pick([0, 1, 2, 3, 4, 6]), "a": pick([-5, -3, -2, -1, 0, 1, 2, 3, 7]),
                "xs": [pick([-2, -1, 0, 1, 2, 5]) for _ in range(pick([0, 1, 2, 3, 5]))]}
        return made if all(value(prop, made) for _, prop in self.requires) else None


# --- Runs ---

class Broken(Exception):
    """The goal whose clause does not hold."""


class Left(Exception):
    """A block was left: by break, continue or return, or since the run takes too long."""


class Run:
    def __init__(self, method, inputs):
        self.method, self.inputs, self.steps = method, inputs, 400

    def broken(self):
        """The name of the first goal that the run shows to be false."""
        try:
            self.block(self.method.body, [dict(self.inputs)])
        except Broken as goal:
            return str(goal)
        except Left:
            pass
        return None

    @staticmethod
    def flat(scopes):
        return {name: held for scope in scopes for name, held in scope.items()}

    @staticmethod
    def check(clauses, at, suffix=""):
        for label, prop in clauses:
            if not value(prop, at):
                raise Broken(label + suffix)

    @staticmethod
    def assign(scopes, name, held):
        next(scope for scope in reversed(scopes) if name in scope)[name] = held

    def block(self, body, scopes):
        scopes = scopes + [{}]
        for form, *rest in body:
            self.steps -= 1
            if self.steps < 0:
                raise Left("time")
            at = self.flat(scopes)
            if form == "let":
                scopes[-1][rest[0]] = value(rest[3], at)
            elif form == "set":
                self.assign(scopes, rest[0], value(rest[1], at))
            elif form == "store":
                array, index = list(at[rest[0]]), value(rest[1], at)
                array[index:index + 1] = [value(rest[2], at)] if index < len(array) else []
                self.assign(scopes, rest[0], array)
            elif form == "assert":
                self.check([tuple(rest)], at)
            elif form in ("break", "continue"):
                raise Left(form)
            elif form == "return":
                self.check(self.method.ensures, {**self.inputs, "res": value(rest[0], at)})
                raise Left("return")
            elif form == "if":
                self.block(rest[1] if value(rest[0], at) else rest[2], scopes)
            else:
                self.loop(rest, scopes)

    def loop(self, loop, scopes):
        label, condition, invariants, decreasing, done, body = loop
        self.check(invariants, self.flat(scopes), ".entry")
        done = done or (label + "_done", ("not", condition))
        while value(condition, self.flat(scopes)):
            before = value(decreasing[1], self.flat(scopes))
            try:
                self.block(body, scopes)
            except Left as left:
                if str(left) == "break":
                    return self.check(invariants + [done], self.flat(scopes), ".break")
                if str(left) != "continue":
                    raise
            at = self.flat(scopes)
            if value(decreasing[1], at) >= before:
                raise Broken(decreasing[0] + ".measure")
            self.check(invariants, at, ".step")
        self.check([done], self.flat(scopes), ".exit")


class Runs(unittest.TestCase):
    def test_no_goal_that_a_run_breaks_is_called_proved(self):
        talk = Talk()
        self.addCleanup(talk.kill)
        counts = {}
        broken_goals = 0
        for seed in range(METHODS):
            method = RandomMethod(seed)
            text = method.text()
            states, diagnostics = talk.settle(text)
            wrong = [d for d in diagnostics if d["severity"] == 1 and not d["code"].startswith("goal-")]
            self.assertEqual(wrong, [], f"method {seed}\n{text}")
            for state in states.values():
                counts[state] = counts.get(state, 0) + 1
            broken = {}
            for _ in range(RUNS):
                inputs = method.inputs()
                goal = Run(method, inputs).broken() if inputs else None
                if goal:
                    broken.setdefault(goal, inputs)
            broken_goals += len(broken)
            for goal, inputs in broken.items():
                here = [s for name, s in states.items() if name == goal or name.rpartition("_")[0] == goal]
                self.assertTrue(here, f"there is no goal {goal} in method {seed}\n{text}")
                self.assertTrue(any(state != "closed" for state in here),
                                f"{goal} of method {seed} is false for {inputs}\n{text}")
        print(f"{METHODS} methods, {broken_goals} goals shown false by runs; all goals: {counts}")
        self.assertGreater(broken_goals, METHODS // 2)
        self.assertGreater(counts.get("closed", 0), METHODS)
        self.assertNotIn("conflict", counts)


if __name__ == "__main__":
    unittest.main()
