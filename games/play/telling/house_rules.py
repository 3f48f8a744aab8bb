"""The options of a ruleset in words: what each is, what its values mean, and which rule it belongs to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games.play.telling.spoken import card_name
from games.rules.ruleset import Ruleset, make_ruleset

Words = str | Promise


@dataclass(frozen=True, slots=True)
class Option:
    """An option as pages show it; `values` are the words of its choices, none for a number or a list.

    `empty` says what a field that is left empty means.
    """

    rule: str
    label: Words
    help: Words
    values: dict[str, Words] = field(default_factory=dict)
    empty: Words = ""


YES_NO: dict[str, Words] = {"true": _("yes"), "false": _("no")}

OPTIONS: dict[str, Option] = {
    "lines_to_win": Option(
        "R7",
        _("Lines to win"),
        _("How many lines a team needs."),
        empty=_("Left empty: two with two teams, one with three."),
    ),
    "hand_size": Option(
        "R5",
        _("Cards in a hand"),
        _("How many cards each seat holds."),
        empty=_("Left empty: by the number of seats, seven for two, three for twelve."),
    ),
    "line_length": Option(
        "R9", _("Length of a line"), _("Spaces in a row that make a line."), empty=_("Left empty: five.")
    ),
    "wild": Option(
        "R2",
        _("Jacks that place anywhere"),
        _("Two-eyed jacks go to any empty space."),
        empty=_("Their codes, such as Jc,Jd. Left empty: clubs and diamonds."),
    ),
    "anti": Option(
        "R2",
        _("Jacks that remove a chip"),
        _("One-eyed jacks take a chip of another team that is not locked."),
        empty=_("The codes of all other jacks. Left empty: spades and hearts."),
    ),
    "chip_limit": Option(
        "R3",
        _("Supply of chips"),
        _("“none” for no limit, “box” for 50, 50 and 35, or a number for each team, such as 50,50."),
    ),
    "max_shared": Option(
        "R10",
        _("Spaces that lines may share"),
        _("How many spaces a new line may share with an earlier one: 0 to 4."),
    ),
    "overlap": Option(
        "R10",
        _("Sharing is counted"),
        _("Against each earlier line by itself, or against all of them together."),
        {"pairwise": _("with each earlier line"), "total": _("with all earlier lines together")},
    ),
    "collinear_shared": Option(
        "R10",
        _("Spaces shared in one straight line"),
        _("For two lines in the same straight line: 0 to 4, or “none” for the same as elsewhere."),
    ),
    "protect": Option(
        "R11",
        _("Locked in a completed line"),
        _("Only the chips of the line, or the whole unbroken row that it stands in."),
        {"five": _("the chips of the line"), "run": _("the whole row")},
    ),
    "draw_mode": Option(
        "R12",
        _("Drawing after a play"),
        _("By itself, or by hand as at a table, where a card can be forgotten."),
        {"auto": _("by itself"), "manual": _("by hand")},
    ),
    "loss_of_card": Option(
        "R16",
        _("A card not drawn is lost"),
        _("When drawing is by hand: how long the card can still be drawn."),
        {
            "next_play_and_draw": _("once a later seat has played and drawn"),
            "next_play": _("once the next seat has played"),
            "never": _("never"),
        },
    ),
    "reshuffle": Option(
        "R12",
        _("Discards are shuffled"),
        _("When the discards become the new draw pile."),
        {
            "eager": _("as soon as the pile is empty"),
            "lazy": _("when a card is due and none is left"),
            "never": _("never"),
        },
    ),
    "dead_swaps_per_turn": Option(
        "R13", _("Dead cards swapped in a turn"), _("How many a seat may swap: a number, or “unlimited”.")
    ),
    "jacks_can_be_dead": Option(
        "R13",
        _("Jacks can be dead"),
        _("Whether a jack that cannot be played may be swapped like a dead card."),
        YES_NO,
    ),
    "must_swap_before_pass": Option(
        "R14",
        _("Swap before passing"),
        _("Whether a seat without a play must first use its swap, if it has one."),
        YES_NO,
    ),
    "no_play": Option(
        "R14",
        _("Without a legal play"),
        _("A seat passes, or may discard one card and draw another."),
        {"pass": _("pass"), "discard_draw": _("pass, or discard and draw")},
    ),
    "idle_rounds": Option(
        "R15",
        _("Draw after idle rounds"),
        _("Rounds without a chip placed or removed that end the game: a number, or “none”."),
    ),
    "stalemate": Option(
        "R15",
        _("Stalemate"),
        _("Ends the game when no team can complete another line."),
        {
            "none": _("does not end the game"),
            "locked": _("locked chips stand in every line"),
            "blocked": _("chips of others stand in every line"),
        },
    ),
    "table_talk": Option(
        "R17",
        _("Table talk"),
        _("What a team pays for talking about its cards: a card of each member, or nothing."),
        {"penalty": _("costs each member a card"), "free": _("is free"), "off": _("is not called")},
    ),
    "hand_floor": Option(
        "R17", _("Cards spared by table talk"), _("A hand of no more than so many cards pays nothing.")
    ),
    "claim": Option(
        "R18",
        _("A full line counts"),
        _("By itself, or only once its team announces it; until then its chips can be removed."),
        {"auto": _("by itself"), "announce": _("once it is announced")},
    ),
    "end": Option(
        "R19",
        _("The game ends"),
        _("When a team has its lines, or when nobody can play on: then most lines win."),
        {"race": _("with the last line needed"), "full_board": _("with a full board")},
    ),
    "hands": Option(
        "R20",
        _("Hands"),
        _("Whether everybody sees all cards."),
        {"closed": _("closed"), "open": _("open to everybody")},
    ),
    "withdraw": Option(
        "R21",
        _("When a player leaves"),
        _("The seat is skipped and the team plays on, or the whole team is out."),
        {"skip_seat": _("the seat is skipped"), "team_forfeits": _("the team is out")},
    ),
    "withdrawn_hand": Option(
        "R21",
        _("The hand of who leaves"),
        _("Goes to the discards, or out of the game."),
        {"discard": _("to the discards"), "out": pgettext_lazy("where a hand goes", "out of the game")},
    ),
}

EXPIRY: dict[str, Words] = {
    "ask": _("an organiser decides"),
    "pass": _("the turn is passed"),
    "forfeit_seat": _("the seat is out"),
    "forfeit_team": _("the team is out"),
    "bot": _("a bot plays this one turn"),
}
"""What happens when a turn's time runs out (R22)."""


@dataclass(frozen=True, slots=True)
class HouseRule:
    """An option of one game in words; `usual` is the default in its place."""

    rule: str
    label: str
    help: str
    value: str
    usual: str
    is_changed: bool


def explain(rules: Ruleset) -> list[HouseRule]:
    """Return every option of a game, those that differ from the default first."""
    usual = make_ruleset(rules.seats, rules.teams, rules.edition).options()
    chosen = rules.options()
    told = [
        HouseRule(
            rule=option.rule,
            label=str(option.label),
            help=str(option.help),
            value=value_words(option, chosen[name]),
            usual=value_words(option, usual[name]),
            is_changed=name in rules.changed,
        )
        for name, option in OPTIONS.items()
    ]
    return sorted(told, key=lambda house_rule: not house_rule.is_changed)


def changed_rules(changed: Mapping[str, Any]) -> list[str]:
    """Return the house rules of a game as it stores them, each as "label: value"."""
    return [
        gettext("%(rule)s: %(value)s") % {"rule": option.label, "value": value_words(option, changed[name])}
        for name, option in OPTIONS.items()
        if name in changed
    ]


def value_words(option: Option, value: Any) -> str:
    """Return a value of an option in words."""
    if isinstance(value, bool):
        value = str(value).lower()
    if isinstance(value, list):
        return ", ".join(card_name(item) if isinstance(item, str) else str(item) for item in value)
    if value == "none" and not option.values:
        return gettext("none")
    return str(option.values.get(str(value), value))
