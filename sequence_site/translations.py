"""The catalogues of translated texts: filled from the sources, kept, compiled; without the system's gettext.

Django turns a template into calls of gettext (`templatize`, as its own `makemessages` does), Babel reads
those and Python's, and writes catalogues and their compiled form.
"""

import difflib
import io
import warnings
from collections.abc import Iterator
from pathlib import Path

from babel.messages import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.translation.template import templatize

ROOT: Path = settings.BASE_DIR
SOURCES = ("games", "analytics", "sequence_site")
# The engine knows no language, and migrations say nothing to anybody.
SILENT = ("games/rules/", "/migrations/")
TEMPLATES = ("*.html", "*.txt")

KEYWORDS = DEFAULT_KEYWORDS | {
    f"{name}{how}": DEFAULT_KEYWORDS[name]
    for name in ("gettext", "ngettext", "pgettext", "npgettext")
    for how in ("_lazy", "_noop")
}
TO_TRANSLATORS = ("Translators:",)
ALIKE = 0.7  # from here on an old text is offered as a guess for a new one, marked as fuzzy
HEAD = "# How to translate: CONTRIBUTING.md, 'Translate'; the words of the game: docs/glossary.md."

Key = tuple[str, str]


class Texts(Catalog):
    """A catalogue whose head says only what programs read: no dates, no names to merge."""

    def __init__(self, locale: str | None = None) -> None:
        super().__init__(locale, header_comment=HEAD, charset="utf-8", fuzzy=False)

    @property  # type: ignore[misc]
    def mime_headers(self) -> list[tuple[str, str]]:
        return [
            ("Language", str(self.locale)),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit"),
            ("Plural-Forms", self.plural_forms),
        ]


def languages() -> list[str]:
    """Return the languages that are translated into: all but the one that the sources speak."""
    return [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]


def path_of(language: str) -> Path:
    return ROOT / "locale" / language / "LC_MESSAGES" / "django.po"


def compiled_path_of(language: str) -> Path:
    return path_of(language).with_suffix(".mo")


def key_of(message: Message) -> Key:
    """Return what tells one text from another: the English, and the context it stands in."""
    return singular_of(message), message.context or ""


def singular_of(message: Message) -> str:
    return str(message.id if isinstance(message.id, str) else message.id[0])


def strings_of(message: Message) -> list[str]:
    """Return the translations: one, or one for each plural form."""
    if not message.string:
        return [""]
    return [message.string] if isinstance(message.string, str) else list(message.string)


# From the sources ------------------------------------------------------------------------------------


def extracted() -> Texts:
    """Return every text of the sources, without translations."""
    found = Texts()
    for path in sorted(_sources()):
        name = path.relative_to(ROOT).as_posix()
        for text in texts_of(path.read_text(encoding="utf-8"), name):
            text.locations = [(name, 1)]
            found[text.id] = text
    return found


def texts_of(source: str, name: str) -> Iterator[Message]:
    """Yield the texts of one file: of Python, or of a template where the name is another's."""
    code = source if name.endswith(".py") else _code_of_template(source, name)
    reader = io.BytesIO(code.encode())
    for _line, ids, comments, context in extract("python", reader, KEYWORDS, TO_TRANSLATORS):
        yield Message(ids, auto_comments=comments, context=context)


def _sources() -> Iterator[Path]:
    for room in SOURCES:
        for path in (ROOT / room).rglob("*.py"):
            if not any(silent in path.relative_to(ROOT).as_posix() for silent in SILENT):
                yield path
    for pattern in TEMPLATES:
        yield from (ROOT / "templates").rglob(pattern)


def _code_of_template(text: str, name: str) -> str:
    """Return a template as calls of gettext; rows start at the margin, since Python minds how they start."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a comment to translators that would be lost
        calls = templatize(text, origin=name)
    return "\n".join(row.strip() for row in calls.split("\n"))


# Catalogues ------------------------------------------------------------------------------------------


def load(language: str) -> Texts:
    """Return the catalogue of a language as its file has it, or an empty one."""
    texts = Texts(language)
    path = path_of(language)
    if path.exists():
        with path.open("rb") as file:
            stored = read_po(file, locale=language, abort_invalid=True)
        for message in stored:
            if message.id:
                texts[message.id] = message
        texts.obsolete.update(stored.obsolete)
    return texts


def as_po(texts: Texts) -> bytes:
    """Return the catalogue as its file: sorted, unwrapped, with the names of files but no line numbers."""
    out = io.BytesIO()
    write_po(out, texts, width=0, sort_output=True, include_lineno=False, include_previous=True)
    return out.getvalue()


def as_mo(texts: Texts) -> bytes:
    """Return the compiled catalogue; what is missing or only guessed stays English."""
    out = io.BytesIO()
    write_mo(out, texts)
    return out.getvalue()


def updated(stored: Texts, sources: Texts) -> Texts:
    """Return the texts of the sources with their translations; texts that are gone become obsolete.

    A text that comes back finds its translation again; a new one is given that of a gone one like it, as a
    guess.
    """
    old: dict[Key, Message] = {
        key_of(message): message for message in (*stored.obsolete.values(), *stored) if message.id
    }
    wanted = {key_of(message) for message in sources if message.id}
    gone = {english: old[english, context] for english, context in old if (english, context) not in wanted}
    fresh = Texts(str(stored.locale))
    for message in sources:
        if not message.id:
            continue
        known = old.get(key_of(message))
        guess = None if known else _alike(message, gone)
        fresh[message.id] = _merged(message, known or guess, is_guess=known is None, forms=fresh.num_plurals)
    for message in gone.values():
        if all(strings_of(message)):
            key: Key | str = key_of(message) if message.context else singular_of(message)
            fresh.obsolete[key] = message
    return fresh


def _alike(message: Message, gone: dict[str, Message]) -> Message | None:
    nearest = difflib.get_close_matches(singular_of(message), gone, 1, ALIKE)
    found = gone[nearest[0]] if nearest else None
    return found if found is not None and all(strings_of(found)) else None


def _merged(message: Message, old: Message | None, *, is_guess: bool, forms: int) -> Message:
    """Return `message` of the sources with what the catalogue knows of it."""
    merged = message.clone()
    has_forms = not isinstance(message.id, str)
    merged.string = ("",) * forms if has_forms else ""
    if old is None:
        return merged
    known = strings_of(old)
    merged.string = tuple((known * forms)[:forms]) if has_forms else known[0]
    merged.user_comments = old.user_comments
    if is_guess:
        merged.previous_id = [old.id] if isinstance(old.id, str) else list(old.id)
    elif old.previous_id and old.fuzzy:
        merged.previous_id = old.previous_id
    if all(known) and (old.fuzzy or is_guess or has_forms == isinstance(old.id, str)):
        merged.flags.add("fuzzy")
    return merged


def write(texts: Texts) -> bool:
    """Write the catalogue and its compiled form where they differ; return whether one did."""
    language = str(texts.locale)
    path_of(language).parent.mkdir(parents=True, exist_ok=True)
    changed = False
    for path, content in ((path_of(language), as_po(texts)), (compiled_path_of(language), as_mo(texts))):
        if not path.exists() or path.read_bytes() != content:
            beside = path.with_suffix(f"{path.suffix}.new")
            beside.write_bytes(content)
            beside.replace(path)  # a site that runs reads the old one or the new one whole
            changed = True
    return changed
