"""What is wrong with the text of a tensor type, and how it is written here.

Looked at only after the reader has refused the text: element types by GE's, numpy's or C's names,
blanks and commas between dims, symbolic dims, layouts by their bare names.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_BEGINS = re.compile(r"\b(tensor)\s*([<\[(])", re.IGNORECASE)
_CLOSES = {"<": ">", "[": "]", "(": ")"}
_JOIN = re.compile(r"[\sxX,]*")
_DIM = re.compile(r"-?\d+|\?|\*")
_WORD = re.compile(r"!?[A-Za-z_][\w.]*(?:<[^<>]*>)?")
#: A dim with a name; "complex64" and "hex" are none, as no dim or type follows the x.
_SYMBOL = re.compile(r"([A-Za-z]\w*?)[xX](?=\d+x|[?!]|u?i\d|b?f\d|bool|float|u?int|double|[A-Z])")
_REVERSED = re.compile(r"([a-z]+\d*)((?:x(?:\d+|\?))+)$")
_OWN_TYPE = re.compile(r"!ge\.\w*")
_COMMON = "f32, f16, bf16, f64, i8, i32, i64, ui8, i1 (bool), …"


@dataclass(frozen=True)
class TypeProblem:
    """What is wrong: from where to where in the text, in words, and how it is written."""

    start: int
    end: int
    message: str
    expected: str | None = None
    hint: str | None = None


@dataclass
class _Read:
    """A body of a tensor type, read generously. `word` is what stands for the element type."""

    dims: list[str]
    plain: bool  # whether the dims are as they should be
    word: str | None
    start: int  # of the word
    end: int  # of the word
    left: str  # what stands behind it

    def written(self, element: str) -> str:
        """The type with another element type, without what stands behind it."""
        return f"tensor<{''.join(f'{d}x' for d in self.dims)}{element}>"


def problem_at(text: str, at: int) -> TypeProblem | None:
    """What is wrong with the tensor type around a place of the text; None where nothing is known.

    at: where the reader stopped.
    """
    begin = _enclosing(text, at)
    if begin is None:
        return _own_type(text, at)
    body = _body(text, begin.end(), _CLOSES[begin[2]])
    read = _generous(body, begin.end())
    element = None if read.word is None else element_text(read.word)
    if begin[1] != "tensor" or begin[2] != "<":
        hint = f"write {read.written(element)}" if element else None
        message = "a tensor type is written tensor<...>"
        return TypeProblem(begin.start(), begin.end(), message, hint=hint)
    if read.word is None:
        message = "a tensor type names its element type"
        hint = f"for instance {read.written('f32')}"
        return TypeProblem(begin.end(), begin.end() + max(1, len(body)), message, hint=hint)
    if element is None:
        return _unknown(read)
    if not read.plain:
        message = "dims of a tensor type are numbers or '?', each with an 'x' behind it"
        hint = f"write {read.written(element)}"
        return TypeProblem(begin.end(), read.start, message, hint=hint)
    if element != read.word:
        message = f"there is no element type {read.word!r} in MLIR"
        hint = f"did you mean {element!r}? {read.written(element)}"
        return TypeProblem(read.start, read.end, message, _COMMON, hint)
    return _behind(read, element)


def element_text(word: str) -> str | None:
    """MLIR's spelling of an element type by whatever name ("float16", "fp16", "u8"), or None."""
    from ge_dialect.dtypes import element_type_of

    plain = re.sub(r"^(?:torch|np|numpy|tf)\.|^DT_", "", word)
    tries = [plain, plain.lower()]
    short = re.fullmatch(r"(u|s|uint|int|si)(\d+)(?:_t)?", plain.lower())
    if short is not None:
        tries.append(("ui" if short[1].startswith("u") else "i") + short[2])
    others = {"int": "i32", "long": "i64", "boolean": "i1", "byte": "ui8", "str": "string"}
    tries.append(others.get(plain.lower(), plain))
    for name in tries:
        try:
            return str(element_type_of(name))
        except ValueError:
            continue
    return None


def _enclosing(text: str, at: int) -> re.Match[str] | None:
    """The last `tensor<` of a line that begins before a place and is not closed there."""
    found = None
    line = text.rfind("\n", 0, at) + 1
    for match in _BEGINS.finditer(text, line, min(len(text), at + 8)):
        depth = 0
        for c in text[match.end() : at]:
            depth += (c == "<") - (c == ">")
            if depth < 0:
                break
        if match.start() <= at and depth >= 0:
            found = match
    return found


def _body(text: str, start: int, close: str) -> str:
    """What stands between the brackets; without a closing one, what may be meant to."""
    end = text.find("\n", start)
    line = text[start : end if end >= 0 else len(text)]
    depth = 0
    for i, c in enumerate(line):
        if c == close and depth == 0:
            return line[:i]
        depth += (c == "<") - (c == ">")
    return re.split(r"[)={]", line)[0]


def _generous(body: str, offset: int) -> _Read:
    dims: list[str] = []
    pos = 0
    while True:
        dim, symbol = _DIM.match(body, pos), _SYMBOL.match(body, pos)
        if symbol is not None and element_text(symbol[1]):
            break  # "f16x4x3": the element type stands first
        if dim is not None:
            dims.append("?" if dim[0][0] == "-" else dim[0])
            join = _JOIN.match(body, dim.end())
            pos = join.end() if join is not None else dim.end()
        elif symbol is not None:
            dims.append("?")
            pos = symbol.end()
        else:
            break
    word = _WORD.match(body, pos)
    plain = body[:pos] == "".join(f"{d}x" for d in dims)
    if word is None:
        return _Read(dims, plain, None, offset + pos, offset + pos, body[pos:])
    turned = _REVERSED.match(word[0])
    if turned is not None and element_text(turned[1]):
        dims += turned[2][1:].split("x")
        return _Read(dims, False, turned[1], offset + word.end(), offset + word.end(), "")
    return _Read(dims, plain, word[0], offset + pos, offset + word.end(), body[word.end() :])


def _unknown(read: _Read) -> TypeProblem:
    assert read.word is not None
    hint = _near(read.word)
    message = f"there is no element type {read.word!r}"
    return TypeProblem(read.start, read.end, message, _COMMON, hint)


def _behind(read: _Read, element: str) -> TypeProblem | None:
    """What is wrong behind the element type."""
    from ge_dialect.dtypes import FORMATS

    whole = read.written(element)
    encoding = read.left.strip().removeprefix(",").strip().strip('"').upper()
    if encoding in FORMATS:
        hint = whole if encoding == "ND" else f"{whole[:-1]}, #ge.layout<{encoding}>>"
        message = "the layout of a tensor type is an attribute, and none where it is ND"
        return TypeProblem(read.end, read.end + len(read.left), message, hint=f"write {hint}")
    if not read.left.strip():
        return TypeProblem(read.end, read.end + 1, "a tensor type ends with '>'", hint=whole)
    return None


def _near(word: str) -> str | None:
    from ge_dialect.dtypes import ALIASES, BY_NAME
    from ge_dialect.spelling import nearest

    names = {n: str(d.type) for n, d in BY_NAME.items()}
    names |= {text: text for text in names.values()}
    names |= {text.removeprefix("!ge."): text for text in names.values()}
    names |= {alias: names[name] for alias, name in ALIASES.items()}
    near = nearest(word.removeprefix("!ge."), names)
    return f"did you mean {names[near]!r}?" if near else None


def _own_type(text: str, at: int) -> TypeProblem | None:
    """A type of the dialect that there is not (`!ge.strng`), behind which the reader stopped."""
    for match in _OWN_TYPE.finditer(text, text.rfind("\n", 0, at) + 1, at):
        if at - match.end() <= 1 and element_text(match[0]) is None:
            return TypeProblem(*match.span(), f"there is no type {match[0]}", hint=_near(match[0]))
    return None
