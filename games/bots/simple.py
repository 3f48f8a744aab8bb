"""A plain player: complete a line, else block one, else extend one; it sees its own seat's view only."""

from collections.abc import Iterable

from games.play.services.turns import Chance
from games.rules.actions import (
    AnnounceLines,
    AnswerDraw,
    DiscardCard,
    PayCard,
    PlaceChip,
    RemoveChip,
    SeatAction,
    SwapCard,
)
from games.rules.board import Line, Space
from games.rules.view import View

COMPLETE = 100_000
BLOCK = 20_000
JACK_COST = 1_500
"""What an own line must be worth more than before a jack is spent on it."""


def choose(chance: Chance) -> SeatAction | None:
    """Return what the bot does now, or None when it has nothing to do."""
    view = chance.view
    seat = view.viewer
    if seat is None:
        return None
    team = view.ruleset.team_of[seat]
    if view.offer is not None and team not in view.offer[1]:
        return AnswerDraw(seat, agree=False)
    if chance.unclaimed:
        return AnnounceLines(seat, chance.unclaimed[:1])
    if not chance.legal:
        return None
    return max(chance.legal, key=lambda action: _worth(view, team, action))


def _worth(view: View, team: int, action: SeatAction) -> int:
    match action:
        case SwapCard():
            return COMPLETE + 1 if not _jack(view, action.card) else -1
        case PlaceChip():
            worth = _worth_of_placing(view, team, action.space)
            return worth - JACK_COST if action.card in view.ruleset.wild else worth
        case RemoveChip():
            return _worth_of_removing(view, team, action.space) - JACK_COST
        case PayCard() | DiscardCard():
            return -len(view.ruleset.edition.spaces_for(action.card)) - 10 * _jack(view, action.card)
    return 0


def _jack(view: View, card: str) -> bool:
    return card in view.ruleset.wild or card in view.ruleset.anti


def _lines(view: View, space: Space) -> Iterable[Line]:
    return view.ruleset.board.lines_through[space]


def _worth_of_placing(view: View, team: int, space: Space) -> int:
    corners = view.ruleset.board.corner_mask
    own = view.chips[team] | corners
    bit = 1 << space
    worth = 0
    for line in _lines(view, space):
        rest = line.mask & ~bit
        needed = rest.bit_count()
        against = [(chips | corners) & rest for other, chips in enumerate(view.chips) if other != team]
        if not any(bits & ~corners for bits in against):
            have = (rest & own).bit_count()
            worth += COMPLETE if have == needed else 8**have // 4
        elif not rest & view.chips[team]:
            have = max(bits.bit_count() for bits in against)
            worth += BLOCK if have == needed else 5**have // 4
    return worth


def _worth_of_removing(view: View, team: int, space: Space) -> int:
    owner = next(t for t, chips in enumerate(view.chips) if chips >> space & 1)
    corners = view.ruleset.board.corner_mask
    theirs = view.chips[owner] | corners
    others = 0
    for other, chips in enumerate(view.chips):
        if other != owner:
            others |= chips
    worth = 0
    for line in _lines(view, space):
        if not line.mask & others:
            missing = (line.mask & ~theirs).bit_count()
            worth += BLOCK // 2 if missing == 1 else 300 // (missing * missing + 1)
        if not line.mask & ~(1 << space) & ~(view.chips[team] | corners):
            worth += BLOCK
    return worth
