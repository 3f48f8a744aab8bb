"""A game's ruleset: its edition, its seats and every option, validated (R1-R22, options table)."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from games.rules.board import Board, board_for
from games.rules.cards import Card
from games.rules.editions import Edition, EditionError, load_edition

RULES_VERSION = 1
"""Stamped on every game; a change of the rules raises it, stored outcomes stay (ADR 3)."""

TEAM_NAMES = ("blue", "green", "red")

UNLIMITED = "unlimited"
NONE = "none"

CHOICES: dict[str, tuple[str, tuple[str, ...]]] = {
    "overlap": ("R10", ("pairwise", "total")),
    "protect": ("R11", ("five", "run")),
    "draw_mode": ("R12", ("auto", "manual")),
    "loss_of_card": ("R16", ("next_play_and_draw", "next_play", "never")),
    "reshuffle": ("R12", ("eager", "lazy", "never")),
    "no_play": ("R14", ("pass", "discard_draw")),
    "stalemate": ("R15", ("none", "locked", "blocked")),
    "table_talk": ("R17", ("penalty", "free", "off")),
    "claim": ("R18", ("auto", "announce")),
    "end": ("R19", ("race", "full_board")),
    "hands": ("R20", ("closed", "open")),
    "withdraw": ("R21", ("skip_seat", "team_forfeits")),
    "withdrawn_hand": ("R21", ("discard", "out")),
}
"""Options that take one of a few words: the rule and the words, the first being the default."""

SWITCHES = {"jacks_can_be_dead": ("R13", False), "must_swap_before_pass": ("R14", True)}
"""Options that are on or off: the rule and the default."""


class BadOption(ValueError):
    """A ruleset that cannot be played; `code` and `rule` as in docs/rules.md, `option` names the field.

    `bounds` are the least and the most of a number and the word that may stand for it, if any.
    """

    def __init__(
        self,
        code: str,
        rule: str,
        option: str,
        detail: str,
        bounds: tuple[int, int, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.code, self.rule, self.option, self.detail, self.bounds = code, rule, option, detail, bounds


@dataclass(frozen=True, eq=False)
class Ruleset:
    """Everything that is agreed before a deal; made by `make_ruleset`, which validates."""

    edition: Edition
    seats: int
    teams: int
    hand_size: int
    lines_to_win: int
    line_length: int
    wild: frozenset[Card]
    anti: frozenset[Card]
    chip_limit: tuple[int, ...] | None
    max_shared: int
    overlap: str
    collinear_shared: int | None
    protect: str
    draw_mode: str
    loss_of_card: str
    reshuffle: str
    dead_swaps_per_turn: int | None
    jacks_can_be_dead: bool
    must_swap_before_pass: bool
    no_play: str
    idle_rounds: int | None
    stalemate: str
    table_talk: str
    hand_floor: int
    claim: str
    end: str
    hands: str
    withdraw: str
    withdrawn_hand: str
    changed: dict[str, Any] = field(default_factory=dict)
    """The options that differ from their defaults, as plain data: the house rules of this game."""

    @cached_property
    def board(self) -> Board:
        """The geometry on which lines of this ruleset lie."""
        return board_for(self.edition.width, self.edition.height, self.edition.corners, self.line_length)

    @cached_property
    def team_of(self) -> tuple[int, ...]:
        """The team of each seat: seat i plays for team i mod teams (R4)."""
        return tuple(seat % self.teams for seat in range(self.seats))

    @cached_property
    def team_names(self) -> tuple[str, ...]:
        """The colours in play."""
        return TEAM_NAMES[: self.teams]

    @cached_property
    def collinear_limit(self) -> int:
        """How many spaces two lines of one straight line may share (R10)."""
        return self.max_shared if self.collinear_shared is None else self.collinear_shared

    @cached_property
    def is_default(self) -> bool:
        """Whether this is the classic game without any house rule."""
        return not self.changed and self.edition.name == "classic"

    def options(self) -> dict[str, Any]:
        """Return every option as plain data, which `make_ruleset` reads back."""
        return _plain_options(self)


def make_ruleset(
    seats: int, teams: int | None = None, edition: str | Edition = "classic", **options: Any
) -> Ruleset:
    """Return the validated ruleset for a table of `seats`; raises BadOption.

    Options are those of the table in docs/rules.md; values may be text, as in a record's tag.
    """
    material = _edition(edition)
    table = material.tables.get(seats) if isinstance(seats, int) and not isinstance(seats, bool) else None
    if table is None:
        allowed = ", ".join(str(n) for n in sorted(material.tables))
        raise BadOption(
            "bad_player_count", "R4", "seats", f"{seats} seats cannot play; allowed are {allowed}"
        )
    if teams is None:
        if len(table.teams) > 1:
            raise BadOption(
                "bad_team_count", "R4", "teams", f"{seats} seats play in 2 or 3 teams: choose one"
            )
        teams = table.teams[0]
    if not isinstance(teams, int) or teams not in table.teams:
        allowed = " or ".join(str(n) for n in table.teams)
        raise BadOption(
            "bad_team_count", "R4", "teams", f"{seats} seats play in {allowed} teams, not in {teams}"
        )
    reader = _Options(options, material, seats, teams)
    values: dict[str, Any] = {
        "hand_size": reader.number(
            "hand_size", "R5", table.hand_size, 1, (len(material.codes) * material.packs - 1) // seats
        ),
        "lines_to_win": reader.number(
            "lines_to_win", "R7", material.lines_to_win[teams], 1, 20, none_is_default=True
        ),
        "line_length": reader.number(
            "line_length", "R9", material.line_length, 2, max(material.width, material.height)
        ),
        "wild": reader.cards("wild", material.wild),
        "anti": reader.cards("anti", material.anti),
        "chip_limit": reader.chip_limit(),
        "max_shared": reader.number("max_shared", "R10", 1, 0, 4),
        "collinear_shared": reader.number_or_none("collinear_shared", "R10", None, 0, 4),
        "dead_swaps_per_turn": reader.number_or_none(
            "dead_swaps_per_turn", "R13", material.dead_swaps_per_turn, 0, 104, UNLIMITED
        ),
        "idle_rounds": reader.number_or_none("idle_rounds", "R15", None, 1, 100),
        "hand_floor": reader.number("hand_floor", "R17", 1, 0, 20),
    }
    for name, (rule, words) in CHOICES.items():
        values[name] = reader.choice(name, rule, words)
    for name, (rule, default) in SWITCHES.items():
        values[name] = reader.switch(name, rule, default)
    reader.refuse_unknown()
    _check_jacks(material, values["wild"], values["anti"])
    ruleset = Ruleset(edition=material, seats=seats, teams=teams, **values)
    if options:
        before = make_ruleset(seats, teams, material).options()
        changed = {name: value for name, value in ruleset.options().items() if value != before[name]}
        ruleset.changed.update(changed)
    return ruleset


def _edition(edition: str | Edition) -> Edition:
    if isinstance(edition, Edition):
        return edition
    try:
        return load_edition(edition)
    except EditionError as error:
        raise BadOption("bad_option", "R1", "edition", str(error)) from None


def _check_jacks(edition: Edition, wild: frozenset[Card], anti: frozenset[Card]) -> None:
    unprinted = {code for code in edition.codes if not edition.spaces_for(code)}
    if wild & anti or (wild | anti) != unprinted:
        raise BadOption(
            "bad_option",
            "R2",
            "wild",
            f"wild and anti must part the unprinted cards ({' '.join(sorted(unprinted))}) between them",
        )


def _plain_options(ruleset: Ruleset) -> dict[str, Any]:
    """Return the options as JSON values: no null, `none` and `unlimited` as words, cards as lists."""
    plain: dict[str, Any] = {}
    for name in OPTION_NAMES:
        value = getattr(ruleset, name)
        if isinstance(value, frozenset):
            value = [code for code in ruleset.edition.codes if code in value]
        elif isinstance(value, tuple):
            value = list(value)
        elif value is None:
            value = UNLIMITED if name == "dead_swaps_per_turn" else NONE
        plain[name] = value
    return plain


OPTION_NAMES = (
    "hand_size", "lines_to_win", "line_length", "wild", "anti", "chip_limit", "max_shared", "overlap",
    "collinear_shared", "protect", "draw_mode", "loss_of_card", "reshuffle", "dead_swaps_per_turn",
    "jacks_can_be_dead", "must_swap_before_pass", "no_play", "idle_rounds", "stalemate", "table_talk",
    "hand_floor", "claim", "end", "hands", "withdraw", "withdrawn_hand",
)  # fmt: skip


class _Options:
    """Reads one option after another and remembers which were known."""

    def __init__(self, given: dict[str, Any], edition: Edition, seats: int, teams: int) -> None:
        self.given = given
        self.edition = edition
        self.seats = seats
        self.teams = teams

    def refuse_unknown(self) -> None:
        for name in self.given:
            if name not in OPTION_NAMES:
                raise BadOption(
                    "bad_option",
                    "R20",
                    str(name),
                    f"no option is called {name!r}; there is {', '.join(OPTION_NAMES)}",
                )

    def number(
        self, name: str, rule: str, default: int, least: int, most: int, *, none_is_default: bool = False
    ) -> int:
        value = self.given.get(name, default)
        if value is None and none_is_default:
            return default
        return self._whole(name, rule, value, least, most)

    def number_or_none(
        self, name: str, rule: str, default: int | None, least: int, most: int, word: str = NONE
    ) -> int | None:
        value = self.given.get(name, default)
        if value is None or value == word:
            return None
        return self._whole(name, rule, value, least, most, word)

    def _whole(self, name: str, rule: str, value: Any, least: int, most: int, word: str = "") -> int:
        if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 6:
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            other = f", or {word}" if word else ""
            raise BadOption(
                "bad_option",
                rule,
                name,
                f"{name} must be a whole number from {least} to {most}{other}, not {value!r}",
                (least, most, word),
            )
        return value

    def choice(self, name: str, rule: str, words: tuple[str, ...]) -> str:
        value = self.given.get(name, words[0])
        if not isinstance(value, str) or value not in words:
            raise BadOption(
                "bad_option", rule, name, f"{name} must be one of {', '.join(words)}, not {value!r}"
            )
        return value

    def switch(self, name: str, rule: str, default: bool) -> bool:
        value = self.given.get(name, default)
        if isinstance(value, str) and value in ("true", "false"):
            value = value == "true"
        if not isinstance(value, bool):
            raise BadOption("bad_option", rule, name, f"{name} must be true or false, not {value!r}")
        return value

    def cards(self, name: str, default: frozenset[Card]) -> frozenset[Card]:
        value = self.given.get(name, list(default))
        if isinstance(value, str):
            value = value.split(",")
        if not isinstance(value, list | tuple) or not all(isinstance(text, str) for text in value):
            raise BadOption("bad_option", "R2", name, f"{name} must be a list of cards, not {value!r}")
        try:
            return frozenset(self.edition.parse_card(text) for text in value)
        except ValueError as error:
            raise BadOption("bad_option", "R2", name, f"{name}: {error}") from None

    def chip_limit(self) -> tuple[int, ...] | None:
        value = self.given.get("chip_limit")
        if value is None or value == NONE:
            return None
        if value == "box":
            return self.edition.chips_in_box[: self.teams]
        if isinstance(value, str):
            value = value.replace("/", ",").split(",")
        if not isinstance(value, list | tuple) or len(value) != self.teams:
            raise BadOption(
                "bad_option", "R3", "chip_limit", "chip_limit must be none, box, or one number for each team"
            )
        return tuple(self._whole("chip_limit", "R3", number, 1, 999) for number in value)
