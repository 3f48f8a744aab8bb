"""What makes a catalogue unfit: stale, incomplete, guessed, not compiled, or a text that would break."""

import re
from collections import Counter
from collections.abc import Iterator

from babel.messages import Message

from sequence_site import translations
from sequence_site.translations import Texts, compiled_path_of, key_of, path_of, singular_of, strings_of

NAMED = re.compile(r"%\((\w+)\)([sdif])")
PERCENT = re.compile(r"%%|%(?:\(\w+\))?[sdif]")
BRACES = re.compile(r"\{(\w*)\}")
TAG = re.compile(r"</?[a-z][^>]*>")
RULE = re.compile(r"\bR\d+\b")
MARKUP = re.compile(r"[<>&\"]")  # texts of templates stand in the page as they are, in attributes too
CLOSING = ".:?!…"


def complaints(language: str, sources: Texts) -> Iterator[str]:
    """Yield what is wrong with the catalogue of a language, each with the text it is about."""
    texts = translations.load(language)
    wanted, known = _by_key(sources), _by_key(texts)
    where = path_of(language).relative_to(translations.ROOT)
    for key in wanted.keys() - known.keys():
        yield f"{where}: a text of the sources is not there: {key[0]!r}"
    for key in known.keys() - wanted.keys():
        yield f"{where}: a text that no source has: {key[0]!r}"
    for key, message in known.items():
        if key in wanted and message.id != wanted[key].id:
            yield f"{where}: the plural changed: {key[0]!r}"
        yield from (f"{where}: {fault}: {key[0]!r}" for fault in faults_of(message))
    compiled = compiled_path_of(language)
    if not compiled.exists() or compiled.read_bytes() != translations.as_mo(texts):
        yield f"{compiled.relative_to(translations.ROOT)}: not compiled from what the catalogue says"


def _by_key(texts: Texts) -> dict[translations.Key, Message]:
    return {key_of(message): message for message in texts if message.id}


def faults_of(message: Message) -> Iterator[str]:
    """Yield what is wrong with one translated text."""
    strings = strings_of(message)
    if not all(strings):
        yield "not translated"
        return
    if message.fuzzy:
        yield "a guess (fuzzy)"
    originals = [message.id] if isinstance(message.id, str) else list(message.id)
    for index, string in enumerate(strings):
        models = originals if index == 0 else originals[-1:]
        yield from _differences(models, string)
        # The form for one may spell the number out: "%(count)s seat" or "one seat".
        may_lack = 1 if len(strings) > 1 and index == 0 else 0
        if not any(_are_alike(_named(model), _named(string), may_lack) for model in models):
            yield "placeholders like %(name)s unlike the English"


def _named(text: str) -> set[str]:
    return {"".join(found) for found in NAMED.findall(text)}


def _are_alike(model: set[str], own: set[str], may_lack: int) -> bool:
    return own <= model and len(model - own) <= may_lack


def _differences(models: list[str], string: str) -> Iterator[str]:
    likes = (
        ("placeholders like %s", lambda text: [p for p in PERCENT.findall(text) if "(" not in p]),
        ("placeholders like {name}", lambda text: Counter(BRACES.findall(text))),
        ("HTML", lambda text: Counter(TAG.findall(text))),
        ("signs that HTML minds", lambda text: Counter(MARKUP.findall(text))),
        ("numbers of rules", lambda text: set(RULE.findall(text))),
        ("space at the beginning", lambda text: text[: len(text) - len(text.lstrip())]),
        ("space at the end", lambda text: text[len(text.rstrip()) :]),
        ("punctuation at the end", lambda text: text[-1:] if text[-1:] in CLOSING else ""),
    )
    for what, of in likes:
        if all(of(model) != of(string) for model in models):
            yield f"{what} unlike the English"
    if any(PERCENT.search(model) for model in models) and "%" in PERCENT.sub("", string):
        yield "a bare %"


def summary(texts: Texts) -> str:
    """Return how far a catalogue is: "nl: 310 of 412 texts, 3 of them guesses"."""
    all_of_them = [message for message in texts if message.id]
    done = [message for message in all_of_them if all(strings_of(message))]
    guesses = sum(message.fuzzy for message in done)
    told = f"{texts.locale}: {len(done)} of {len(all_of_them)} texts"
    return f"{told}, {guesses} of them guesses" if guesses else told


def missing(texts: Texts) -> Iterator[str]:
    """Yield the English of what is not translated, or only guessed."""
    for message in sorted(message for message in texts if message.id):
        if message.fuzzy or not all(strings_of(message)):
            yield singular_of(message)
