"""Which C++ function a Python name of an extension calls. The sources are read as tokens only, so whatever could make a
name mean something else (macros, overloads, namespaces, conditional code) leaves the extension unread."""

import re

IDENTIFIER = re.compile(r"[A-Za-z_]\w*\Z")
PIECES = re.compile(
    r"""(?P<raw>(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s]{0,16})\((?:.|\n)*?\)(?P=delimiter)")
      | (?P<comment>//[^\n]*|/\*(?:.|\n)*?\*/)
      | (?P<string>"(?:[^"\\\n]|\\.)*")
      | (?P<character>'(?:[^'\\\n]|\\.)+')
      | (?P<number>\.?\d(?:[eEpP][+-]|'?[\w.])*)
      | (?P<name>[A-Za-z_]\w*)
      | (?P<space>\s+)
      | (?P<mark>::|.)""",
    re.VERBOSE,
)
OTHER_SPELLINGS = re.compile(r"%:|<%|%>|<:|:>|\?\?[=/'()!<>-]|##")
OWN_HEADER = re.compile(
    r'''\#\s*include\s*"(?!(?:torch|ATen|c10|pybind11)/
        |(?:cuda|cuda_runtime|cuda_runtime_api|cuda_fp16|math_constants|device_launch_parameters)\.h")''',
    re.VERBOSE,
)
TENSORS = {"torch::Tensor", "at::Tensor", "Tensor"}
INTEGERS = {
    "int": 32, "int32_t": 32, "std::int32_t": 32, "long": 64, "longlong": 64, "int64_t": 64, "std::int64_t": 64,
}  # fmt: skip
REALS = {"float", "double"}
OPTIONAL = re.compile(r"(?:std|c10|at|torch)::optional<(?P<inner>.*)>\Z")
LISTS = {"std::vector<int64_t>", "std::vector<long>", "at::IntArrayRef", "torch::IntArrayRef", "c10::IntArrayRef",
         "IntArrayRef", "at::ArrayRef<int64_t>", "c10::ArrayRef<int64_t>"}  # fmt: skip


class Unknown(Exception):
    """Why the meaning of a name is not certain."""


class Text:
    """Tokens of one translation unit, without comments and directives."""

    def __init__(self, source):
        source = source.replace("\\\r\n", "").replace("\\\n", "")
        self.tokens, self.macros, self.conditional = [], set(), []
        without_comments = "".join(
            (" " if each.lastgroup == "comment" else each.group()) for each in PIECES.finditer(source)
        )
        strings_out = re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', without_comments)
        if OTHER_SPELLINGS.search(strings_out):
            raise Unknown("the source uses token pasting or alternative spellings")
        if OWN_HEADER.search(without_comments):
            raise Unknown("the source includes a file of its own")
        depth = 0
        for line in split_directives(without_comments):
            if line.startswith("#"):
                depth = self.directive(line, depth)
            else:
                for each in PIECES.finditer(line):
                    if each.lastgroup != "space":
                        self.tokens.append(each.group())
                        self.conditional.append(depth > 0)

    def directive(self, line, depth):
        word, _, rest = line[1:].strip().partition(" ")
        if word == "define":
            self.macros.add(re.match(r"\w*", rest.strip()).group())
        if word.startswith("if"):
            return depth + 1
        return depth - 1 if word.startswith("endif") else depth

    def close(self, start):
        """Index of the bracket that closes the one at `start`."""
        depth = 0
        for i in range(start, len(self.tokens)):
            if self.tokens[i] in ("(", "{", "["):
                depth += 1
            elif self.tokens[i] in (")", "}", "]"):
                depth -= 1
                if depth == 0:
                    return i
        raise Unknown("the source has unbalanced brackets")

    def occurrences(self, name):
        """(index, depth) of every occurrence outside parentheses; the depth counts braces."""
        braces = parentheses = 0
        for i, token in enumerate(self.tokens):
            if token in ("{", "}"):
                braces += 1 if token == "{" else -1
            elif token in ("(", ")"):
                parentheses += 1 if token == "(" else -1
            elif token == name and (braces > 0 or parentheses == 0):
                yield i, braces


def split_directives(text):
    """The text in pieces; a directive is a piece of its own. Raw strings may hold lines that look like one."""
    raw = [each.span() for each in PIECES.finditer(text) if each.lastgroup in ("raw", "delimiter")]
    start = 0
    for each in re.finditer(r"^[ \t]*(#[^\n]*)", text, re.MULTILINE):
        if any(first < each.start(1) < last for first, last in raw):
            continue
        yield text[start : each.start()]
        yield each.group(1)
        start = each.end()
    yield text[start:]


def resolve(cuda, cpp, functions):
    """{Python name: (C++ function, types of its parameters)}. `functions` is load_inline's, None when the source
    binds its own. Raises Unknown."""
    cuda, cpp = Text(cuda), Text(cpp)
    blocks = [(text, at) for text in (cuda, cpp) for at, _ in text.occurrences("PYBIND11_MODULE")]
    if functions is not None:
        if blocks:
            raise Unknown("functions= is given and the source has a PYBIND11_MODULE")
        names, binding = {each: each for each in functions}, cpp
    else:
        if len(blocks) != 1:
            raise Unknown(f"the source has {len(blocks)} PYBIND11_MODULE blocks")
        binding, at = blocks[0]
        names = definitions(binding, at)
    return {name: (function, parameters(function, cuda, cpp, binding)) for name, function in names.items()}


def definitions(text, at):
    """Reads PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("name", &function, "what it does"); ... }."""
    tokens = text.tokens
    head = tokens[at + 1 : at + 7]
    if len(head) < 6 or head[:3] != ["(", "TORCH_EXTENSION_NAME", ","] or head[4:] != [")", "{"]:
        raise Unknown("PYBIND11_MODULE is written in another way")
    end = text.close(at + 6)
    reserved = {"PYBIND11_MODULE", "TORCH_EXTENSION_NAME", "def", head[3]}
    if any(text.conditional[at : end + 1]) or text.macros & reserved or depth_of(text, at) != 0:
        raise Unknown("PYBIND11_MODULE is in conditional code, a namespace or a macro")
    names, i = {}, at + 7
    while i < end:
        stop = tokens.index(";", i, end) if ";" in tokens[i:end] else end
        name, function = definition(tokens[i:stop], head[3])
        if name in names:
            raise Unknown(f"{name} is defined twice in PYBIND11_MODULE")
        names[name] = function
        i = stop + 1
    return names


def depth_of(text, at):
    return next(depth for i, depth in text.occurrences("PYBIND11_MODULE") if i == at)


def definition(tokens, module):
    shown = " ".join(tokens)
    if tokens[:4] != [module, ".", "def", "("] or tokens[-1] != ")":
        raise Unknown(f"PYBIND11_MODULE has '{shown}'")
    name, *rest = tokens[4:-1]
    plain = name.startswith('"') and IDENTIFIER.match(name[1:-1])
    if not plain or len(rest) < 3 or rest[:2] != [",", "&"] or not IDENTIFIER.match(rest[2]):
        raise Unknown(f"PYBIND11_MODULE has '{shown}'")
    text = rest[3:]
    if text and (text[0] != "," or len(text) < 2 or not all(each.startswith('"') for each in text[1:])):
        raise Unknown(f"PYBIND11_MODULE has '{shown}'")
    return name[1:-1], rest[2]


def parameters(function, cuda, cpp, binding):
    """Types of the parameters of a function that is certainly the one of that name: it is defined once, at the top
    level of the CUDA source, and the text that binds it names nothing else so."""
    if not IDENTIFIER.match(function):
        raise Unknown(f"{function} is no plain name")
    if function in cuda.macros | cpp.macros:
        raise Unknown(f"{function} is a macro")
    found, visible = [], False
    for text in (cuda, cpp):
        for at, depth in text.occurrences(function):
            after = text.close(at + 1) + 1 if text.tokens[at + 1 : at + 2] == ["("] else None
            follows = text.tokens[after] if after is not None and after < len(text.tokens) else ""
            if follows == "{":
                found.append((text, at, depth))
            elif depth == 0 and (follows != ";" or text.tokens[at - 1] in ("::", "=", ")")):
                raise Unknown(f"{function} is not only a function")
            visible = visible or (depth == 0 and text is binding)
    if len(found) != 1 or found[0][2] != 0 or found[0][1] == 0 or found[0][0].tokens[found[0][1] - 1] == "::":
        raise Unknown(f"{function} is defined {len(found)} times, or not at the top level")
    if found[0][0] is not cuda:
        raise Unknown(f"{function} is not defined in the CUDA source")
    if not visible and binding.tokens:  # without any declarations nothing else can be meant
        raise Unknown(f"{function} is not declared where it is bound")
    return types(cuda, found[0][1] + 1)


def types(text, start):
    """One of "tensor", "tensor?", "ints", "bool", "float", "double", 32, 64 (bits of an integer) for each parameter,
    else None."""
    inside = text.tokens[start + 1 : text.close(start)]
    parts, depth = [[]], 0
    for token in inside:
        depth += (token in ("(", "[", "{", "<")) - (token in (")", "]", "}", ">"))
        if token == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return [None if text.macros.intersection(each) else kind(each) for each in parts if each]


def kind(tokens):
    if "=" in tokens:
        tokens = tokens[: tokens.index("=")]
    name = "".join(each for each in tokens[:-1] if each not in ("const", "&"))
    if name in TENSORS:
        return "tensor"
    if name in REALS or name == "bool":
        return name
    if name in LISTS:
        return "ints"
    optional = OPTIONAL.match(name)
    if optional and optional["inner"] in TENSORS:
        return "tensor?"
    return INTEGERS.get(name)
