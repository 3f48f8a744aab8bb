"""Views for pictures and texts of the board."""

from dataclasses import replace

from games.rules.deal import SecretDeal
from games.rules.ruleset import Ruleset, make_ruleset
from games.rules.state import deal_cards
from games.rules.view import View, view_for


def view_of(rules: Ruleset, **changes) -> View:
    return replace(view_for(deal_cards(rules, SecretDeal(bytes(32), ()), 0), 0), **changes)


def mask(rules: Ruleset, names: str) -> int:
    return sum(1 << rules.board.space_by_name[name] for name in names.split())


def busy_view() -> View:
    """Three teams with four completed lines, one of them through a corner; the last play was on h5."""
    rules = make_ruleset(3)
    blue, red = mask(rules, "b2 c3 d4 e5 f6"), mask(rules, "a10 b9 c8 d7 e6")
    green = mask(rules, "j2 j3 j4 j5 j6"), mask(rules, "d8 e8 f8 g8 h8")
    locked = (blue, green[0] | green[1], red & ~mask(rules, "a10"))
    loose = ("c2 h3 i9 d2", "d3 c4 b5 h4", "g5 g6 h5 b7")
    return view_of(
        rules,
        chips=tuple(closed | mask(rules, more) for closed, more in zip(locked, loose, strict=True)),
        locked=locked,
        lines=((0, blue), (1, green[0]), (1, green[1]), (2, red)),
        last=rules.board.space_by_name["h5"],
    )
