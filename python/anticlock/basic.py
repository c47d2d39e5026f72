"""BASIC programs: between listings and the files that SAVE writes, and what is wrong with them."""

from dataclasses import dataclass

from anticlock import _anticlock

__all__ = ["Mistake", "check", "list", "tokenize"]


@dataclass(frozen=True, slots=True)
class Mistake:
    """A line that is not BASIC."""

    line: int
    """Line of the file, from 1."""
    column: int
    """Character of that line, from 0, at which nothing fits."""
    expected: str
    """What would have been right there."""
    text: str
    """The line, or 160 characters of it around the column."""

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column + 1}: expected {self.expected}"


def _bytes(program: str | bytes) -> bytes:
    return program.encode() if isinstance(program, str) else bytes(program)


def tokenize(listing: str | bytes) -> bytes:
    """The SAVE file of a listing.

    Raises ValueError with the first line that is not BASIC.

    >>> list(tokenize('10 print "HELLO"')).strip()
    '10 PRINT "HELLO"'
    """
    return _anticlock.tokenize(_bytes(listing))


def list(program: bytes) -> str:
    """The listing of a SAVE file; graphics characters are those of Unicode that look like them.

    Raises ValueError if the bytes are not a SAVE file.
    """
    return _anticlock.detokenize(bytes(program))


def check(program: str | bytes) -> "tuple[Mistake, ...]":
    """What is wrong with a listing; a SAVE file that is whole has no mistakes.

    Raises ValueError for a damaged SAVE file.

    >>> [str(mistake) for mistake in check("10 PRNT 5")][0][:6]
    'line 1'
    """
    return tuple(Mistake(*mistake) for mistake in _anticlock.check(_bytes(program)))
