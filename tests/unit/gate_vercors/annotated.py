"""Kernels as gate --vercors writes them, run at concrete sizes by the rules of their annotations: a reader of exactly the
language that is written, and threads that hold permissions. Every read needs some permission for the cell, every write
the whole one; a loop sees what its invariant says; a barrier collects from all threads of a block, and hands out no more
than it collected; nobody starts with more than there is. Knows nothing of how the text was made."""

import math
import re

TOKEN = re.compile(r"\s*(?:(?P<open>/\*@)|(?P<close>@\*/)|(?P<number>\d+\.\d+f?|\d+)|(?P<name>\\?[A-Za-z_]\w*)"
                   r"|(?P<symbol>==>|==|!=|<=|>=|&&|\|\||[-+*/%<>=!?:;,.(){}\[\]&\\]))")
TYPES = {"void", "_Bool", "char", "unsigned", "short", "int", "long", "float", "double"}
FLOATS = {"float", "double"}
FUNCTIONS = {"fabsf": abs, "sqrtf": math.sqrt, "sinf": math.sin, "cosf": math.cos, "tanf": math.tan, "expf": math.exp,
             "logf": math.log, "powf": math.pow, "floorf": math.floor, "ceilf": math.ceil, "tanhf": math.tanh}
WORDS = {"context", "requires", "ensures", "loop_invariant", "decreases"}
AXES = {f"{what}.{axis}" for what in ("threadIdx", "blockIdx", "blockDim", "gridDim") for axis in "xyz"}


class Malformed(Exception):
    """The text is not in the language that VerCors is known to read."""


class Violation(Exception):
    """The annotations do not allow what the kernel does, or promise too much."""


def tokens(text):
    text = re.sub(r"//[^\n]*", "", text)
    at, found = 0, []
    while text[at:].strip():
        match = TOKEN.match(text, at)
        if not match:
            raise Malformed(f"no token at {text[at:at + 40]!r}")
        found.append((match.lastgroup, match.group(match.lastgroup)))
        at = match.end()
    return found + [("end", "")]


class Reader:
    """Text to nested tuples: (kind, ...)."""

    def __init__(self, text):
        includes = re.findall(r"^#include <(\w+\.h)>$", text, re.MULTILINE)
        if includes != ["cuda.h", "math.h"]:
            raise Malformed(f"includes {includes}")
        self.tokens = tokens(re.sub(r"^#include.*$", "", text, flags=re.MULTILINE))
        self.at = 0
        self.spec = 0  # inside an annotation

    def peek(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)][1]

    def kind(self):
        return self.tokens[self.at][0]

    def take(self, wanted=None):
        _, value = self.tokens[self.at]
        if wanted is not None and value != wanted:
            raise Malformed(f"{wanted!r} expected, {value!r} found")
        self.at += 1
        return value

    def accept(self, wanted):
        if self.peek() == wanted:
            self.at += 1
            return True
        return False

    def file(self):
        functions, contract = [], []
        while self.kind() != "end":
            if self.kind() == "open":
                contract = self.annotation({"context", "requires", "ensures"})
                continue
            kernel = self.accept("__global__")
            returned, pointer = self.type()
            if pointer:
                raise Malformed("a function that returns a pointer")
            name, parameters = self.take(), []
            self.take("(")
            while not self.accept(")"):
                parameters.append((*self.type(), self.take()))
                self.accept(",")
            functions.append({"name": name, "kernel": kernel, "parameters": parameters, "returns": returned,
                              "contract": contract, "body": self.block()})
            contract = []
        return functions

    def type(self):
        words = []
        while self.peek() in TYPES:
            words.append(self.take())
        if not words:
            raise Malformed(f"a type expected, {self.peek()!r} found")
        return " ".join(words), self.accept("*")

    def annotation(self, allowed):
        self.take("/*@")
        self.spec += 1
        clauses = []
        while not self.accept("@*/"):
            word = self.take()
            if word not in WORDS or word not in allowed:
                raise Malformed(f"the clause {word!r} may not stand here")
            start = self.at
            value = self.assertion()
            text = " ".join(each for _, each in self.tokens[start:self.at])
            self.take(";")
            clauses.append((word, value, text))
        self.spec -= 1
        return clauses

    def block(self):
        self.take("{")
        body = []
        while not self.accept("}"):
            body.append(self.statement())
        return body

    def statement(self):
        if self.kind() == "open":
            clauses = self.annotation(WORDS)
            if self.peek() in ("while", "for"):
                return self.loop(clauses)
            self.take("__syncthreads")
            for each in "();":
                self.take(each)
            if any(word in ("loop_invariant", "decreases") for word, _, _ in clauses):
                raise Malformed("an invariant at a barrier")
            return ("barrier", clauses)
        word = self.peek()
        if word in ("extern", "__shared__"):
            dynamic = self.accept("extern")
            self.take("__shared__")
            kind, _ = self.type()
            name = self.take()
            self.take("[")
            size = None if dynamic else int(self.take())
            self.take("]")
            self.take(";")
            return ("shared", kind, name, size)
        if word in TYPES:
            kind, pointer = self.type()
            if pointer:
                raise Malformed("a pointer variable")
            name = self.take()
            self.take(";")
            return ("declare", kind, name)
        if word in ("while", "for"):
            return self.loop([])
        if word == "if":
            self.take()
            self.take("(")
            condition = self.expression()
            self.take(")")
            then = self.block()
            return ("if", condition, then, self.block() if self.accept("else") else [])
        if word in ("break", "continue"):
            self.take()
            self.take(";")
            return (word,)
        if self.accept("return"):
            value = None if self.peek() == ";" else self.expression()
            self.take(";")
            return ("return", value)
        made = self.assignment()
        self.take(";")
        return made

    def assignment(self):
        target = self.expression()
        if not self.accept("="):
            return ("evaluate", target)
        if target[0] not in ("name", "cell"):
            raise Malformed(f"an assignment to {target[0]}")
        return ("assign", target, self.expression())

    def loop(self, clauses):
        if any(word not in ("loop_invariant", "decreases") for word, _, _ in clauses):
            raise Malformed("a contract at a loop")
        step = None
        if self.take() == "for":
            self.take("(")
            self.take(";")
            condition = self.expression()
            self.take(";")
            step = self.assignment()
        else:
            self.take("(")
            condition = self.expression()
        self.take(")")
        return ("loop", clauses, condition, step, self.block())

    # --- Expressions ---

    def assertion(self):
        left = self.expression()
        if self.accept("==>"):
            return ("implies", left, self.assertion())
        return left

    def expression(self):
        condition = self.infix(0)
        if not self.accept("?"):
            return condition
        then = self.expression()
        self.take(":")
        return ("choose", condition, then, self.expression())

    LEVELS = (("||",), ("&&",), ("==", "!="), ("<", "<=", ">", ">="), ("+", "-"), ("*", "/", "%"))

    def infix(self, level):
        if level == len(self.LEVELS):
            return self.unary()
        left = self.infix(level + 1)
        while self.peek() in self.LEVELS[level]:
            symbol = self.take()
            left = ("infix", symbol, left, self.infix(level + 1))
        return left

    def unary(self):
        for symbol in ("-", "!"):
            if self.accept(symbol):
                return ("unary", symbol, self.unary())
        if self.peek() == "(" and self.peek(1) in TYPES:
            self.take()
            kind, pointer = self.type()
            if pointer:
                raise Malformed("a cast to a pointer")
            self.take(")")
            return ("cast", kind, self.unary())
        return self.primary()

    def primary(self):
        kind, value = self.tokens[self.at]
        if kind == "number":
            self.take()
            return ("number", float(value.rstrip("f")) if "." in value else int(value))
        if self.accept("("):
            inner = self.quantified() if self.peek() in ("\\forall", ) else self.assertion() if self.spec else self.expression()
            self.take(")")
            return inner
        if kind != "name":
            raise Malformed(f"an expression expected, {value!r} found")
        self.take()
        if value.startswith("\\"):
            if value not in ("\\pointer_length", "\\shared_mem_size") or not self.spec:
                raise Malformed(f"the word {value!r}")
            self.take("(")
            name = self.take()
            self.take(")")
            return ("length", name)
        if value == "Perm":
            return self.perm()
        if value in ("true", "false"):
            return ("number", value == "true")
        if self.accept("."):
            name = f"{value}.{self.take()}"
            if name not in AXES:
                raise Malformed(f"the name {name!r}")
            return ("axis", name)
        if self.accept("["):
            index = self.expression()
            self.take("]")
            return ("cell", value, index)
        if self.accept("("):
            args = []
            while not self.accept(")"):
                args.append(self.expression())
                self.accept(",")
            return ("call", value, args)
        return ("name", value)

    def perm(self):
        if not self.spec:
            raise Malformed("Perm in code")
        self.take("(")
        self.take("&")
        cell = self.primary()
        self.take(",")
        self.take("write")
        parts = None
        if self.accept("\\"):
            parts = self.unary()
        self.take(")")
        if cell[0] != "cell":
            raise Malformed("Perm of no cell")
        return ("perm", cell[1], cell[2], parts)

    def quantified(self):
        self.take()
        if not self.spec:
            raise Malformed("a quantifier in code")
        self.take("*")
        names = []
        while True:
            self.take("int")
            names.append(self.take())
            if not self.accept(","):
                break
        self.take(";")
        condition = self.expression()
        self.take(";")
        return ("each", names, condition, self.assertion())


def conjuncts(e):
    return conjuncts(e[2]) + conjuncts(e[3]) if e[0] == "infix" and e[1] == "&&" else [e]


def names_in(e):
    if e[0] in ("name", "axis", "length"):
        return {e[1]}
    found = set()
    for part in e[1:]:
        if isinstance(part, tuple):
            found |= names_in(part)
        elif isinstance(part, list):
            for each in part:
                found |= names_in(each) if isinstance(each, tuple) else set()
    return found


def is_permission(e):
    return e[0] == "perm" or (e[0] == "each" and is_permission(e[3])) or (e[0] == "implies" and is_permission(e[2]))


def divide(a, b):
    if isinstance(a, float) or isinstance(b, float):
        return a / b
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def remainder(a, b):
    return a - b * divide(a, b)


class Writer:
    """Python text of a kernel; a thread is a generator that stops at barriers."""

    def __init__(self, functions):
        self.functions = {each["name"]: each for each in functions}
        self.lines, self.clauses, self.counter = [], [], 0
        self.shared = {}

    def add(self, depth, text):
        self.lines.append("  " * depth + text)

    def module(self, kernel):
        for function in self.functions.values():
            if function is not kernel:
                self.function(function, [f"v_{name}" for _, _, name in function["parameters"]], False)
        arrays = [name for _, pointer, name in kernel["parameters"] if pointer]
        scalars = [name for _, pointer, name in kernel["parameters"] if not pointer]
        self.arrays = set(arrays) | {s[2] for s in kernel["body"] if s[0] == "shared"}
        self.function(kernel, ["T"] + [f"v_{name}" for name in scalars], True)
        return "\n".join(self.lines)

    def function(self, function, parameters, kernel):
        self.in_kernel = kernel
        self.locals = {name for _, pointer, name in function["parameters"] if not pointer}
        if not kernel and any(pointer for _, pointer, _ in function["parameters"]):
            raise Malformed("a pointer passed to a function")
        self.add(0, f"def f_{function['name']}({', '.join(parameters)}):")
        if kernel:
            contract = function["contract"]
            # Clauses may speak of shared arrays, which the body declares.
            start = [each for each in contract if each[0] in ("context", "requires")]
            end = [each for each in contract if each[0] in ("context", "ensures")]
            self.add(1, f"T.start({self.clause_list(start)})")
            self.add(1, "yield 'start'")
            self.add(1, f"T.at_end = lambda: {self.clause_list(end)}")
        self.body(function["body"], 1, None)
        self.add(1, "return")
        if kernel:
            self.add(1, "yield")

    def body(self, statements, depth, _):
        if not statements:
            self.add(depth, "pass")
        for statement in statements:
            self.statement(statement, depth)

    def statement(self, s, depth):
        kind = s[0]
        if kind == "shared":
            self.shared[s[2]] = s[3]
        elif kind == "declare":
            self.locals.add(s[2])
            self.add(depth, f"v_{s[2]} = None")
        elif kind == "assign":
            value = self.value(s[2])
            if s[1][0] == "cell":
                self.add(depth, f"T.write({s[1][1]!r}, {self.value(s[1][2])}, {value})")
            else:
                self.known(s[1][1])
                self.add(depth, f"v_{s[1][1]} = {value}")
        elif kind == "evaluate":
            self.add(depth, self.value(s[1]))
        elif kind == "if":
            self.add(depth, f"if {self.value(s[1])}:")
            self.body(s[2], depth + 1, None)
            self.add(depth, "else:")
            self.body(s[3], depth + 1, None)
        elif kind == "return":
            self.add(depth, "return" if s[1] is None else f"return {self.value(s[1])}")
        elif kind in ("break", "continue"):
            self.add(depth, kind)
        elif kind == "barrier":
            self.counter += 1
            before = [each for each in s[1] if each[0] in ("context", "requires")]
            after = [each for each in s[1] if each[0] in ("context", "ensures")]
            self.add(depth, f"T.give({self.clause_list(before)}, {self.clause_list(after)})")
            self.add(depth, f"yield {self.counter}")
        elif kind == "loop":
            self.loop(s, depth)

    def loop(self, s, depth):
        _, clauses, condition, step, body = s
        self.counter += 1
        number = self.counter
        invariant = self.clause_list([each for each in clauses if each[0] == "loop_invariant"])
        measures = [self.value(each[1]) for each in clauses if each[0] == "decreases"]
        self.add(depth, f"T.enter({invariant})")
        self.add(depth, f"first{number}, left{number} = True, None")
        self.add(depth, "while True:")
        self.add(depth + 1, f"if not first{number}:")
        if step is not None:
            self.statement(step, depth + 2)
        self.add(depth + 2, f"T.again({invariant})")
        self.add(depth + 1, f"first{number} = False")
        self.add(depth + 1, f"if not {self.value(condition)}: break")
        for measure in measures:
            self.add(depth + 1, f"left{number} = T.less({measure}, left{number})")
        self.body(body, depth + 1, None)
        self.add(depth, "T.leave()")

    def clause_list(self, clauses):
        return "[" + ", ".join(self.clause(e, text) for _, e, text in clauses) + "]"

    def clause(self, e, text):
        """(text, whether it is a permission, key, value)"""
        if not is_permission(e):
            return f"({text!r}, False, None, {self.value(e)})"
        names = sorted(names_in(e) & self.locals)
        axes = sorted(names_in(e) & AXES)
        key = ", ".join([f"v_{name}" for name in names] + [f"T.axis[{axis!r}]" for axis in axes])
        return f"({text!r}, True, ({key}{',' if key else ''}), lambda: {self.cells(e)})"

    def cells(self, e):
        """A list of (array, cell, parts)."""
        if e[0] == "perm":
            if e[1] not in self.arrays:
                raise Malformed(f"Perm of {e[1]!r}, which is no array")
            parts = 1 if e[3] is None else self.value(e[3])
            return f"[({e[1]!r}, {self.value(e[2])}, {parts})]"
        if e[0] == "implies":
            return f"({self.cells(e[2])} if {self.value(e[1])} else [])"
        _, names, condition, body = e
        fresh = [name for name in names if name not in self.locals]
        self.locals |= set(names)
        loops = ""
        for i, name in enumerate(names):
            low, high = self.range(name, condition, set(names[i + 1:]))
            loops += f" for v_{name} in range({low}, {high})"
        made = f"[each{loops} if {self.value(condition)} for each in {self.cells(body)}]"
        self.locals -= set(fresh)
        return made

    def range(self, name, condition, later):
        lows, highs = [], []
        for part in conjuncts(condition):
            if part[0] != "infix" or part[1] not in ("<", "<="):
                continue
            left, right = part[2], part[3]
            more = 1 if part[1] == "<" else 0
            if right == ("name", name) and not names_in(left) & (later | {name}):
                lows.append(f"{self.value(left)} + {more}")
            elif left == ("name", name) and not names_in(right) & (later | {name}):
                highs.append(f"{self.value(right)} + {1 - more}")
        if not lows or not highs:
            raise Malformed(f"{name} ranges without an end")
        return lows[0] if len(lows) == 1 else f"max({', '.join(lows)})", (
            highs[0] if len(highs) == 1 else f"min({', '.join(highs)})")

    def known(self, name):
        if name not in self.locals:
            raise Malformed(f"the name {name!r} is not declared")

    def value(self, e):
        kind = e[0]
        if kind == "number":
            return repr(e[1])
        if kind == "name":
            if e[1] == "NULL":
                return "None"
            if self.in_kernel and e[1] in self.arrays:
                return repr(e[1])
            self.known(e[1])
            return f"v_{e[1]}"
        if kind == "axis":
            return f"T.axis[{e[1]!r}]"
        if kind == "length":
            return f"T.length({e[1]!r})"
        if kind == "cell":
            return f"T.read({e[1]!r}, {self.value(e[2])})"
        if kind == "call":
            if e[1] in self.functions:
                return f"f_{e[1]}({', '.join(self.value(each) for each in e[2])})"
            if e[1] not in FUNCTIONS:
                raise Malformed(f"the function {e[1]!r}")
            return f"FUNCTIONS[{e[1]!r}]({', '.join(self.value(each) for each in e[2])})"
        if kind == "cast":
            return f"{'float' if e[1] in FLOATS else 'int'}({self.value(e[2])})"
        if kind == "unary":
            return f"(not {self.value(e[2])})" if e[1] == "!" else f"(-{self.value(e[2])})"
        if kind == "choose":
            return f"({self.value(e[2])} if {self.value(e[1])} else {self.value(e[3])})"
        if kind == "infix":
            a, b = self.value(e[2]), self.value(e[3])
            if e[1] in ("/", "%"):
                return f"{'divide' if e[1] == '/' else 'remainder'}({a}, {b})"
            return f"({a} {dict([('&&', 'and'), ('||', 'or')]).get(e[1], e[1])} {b})"
        raise Malformed(f"{kind} as a value")
