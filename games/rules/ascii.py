"""A game as plain text for a terminal: the board, hands, piles, lines and whose turn it is."""

from games.rules.board import Board
from games.rules.cards import HIDDEN, Card
from games.rules.encoding import SEAT_LETTERS
from games.rules.record import FULL, Record, seat_of_view
from games.rules.ruleset import Ruleset
from games.rules.state import State, owner_of

SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
RANKS = frozenset("A23456789TJQK")
CORNER = "**"
WIDTH = 63
"""Columns of the widest line, in an edition of the classic board's size."""


def drawing_of(record: Record, state: State, view: str) -> str:
    """Return the lines of text that show `state` of the record's game as `view` may see it."""
    rules = record.ruleset
    lines = [f"Turn {state.turns}: {_standing(record, state)}", "", *board_lines(state), ""]
    lines += [
        f"{line} [X] locked, (X) loose" if team == 0 else line for team, line in enumerate(_teams(rules))
    ]
    for team, masks in enumerate(state.lines):
        named = ", ".join("-".join(state.board.ends(mask)) for mask in masks) or "none"
        lines.append(f"Lines of {rules.team_names[team]}: {named}")
    lines += _hand_lines(record, state, view)
    lines.append(f"Draw pile {len(state.pile)}, discards {state.discarded()}")
    lines += [
        f"Seat {letter} has left"
        for letter, active in zip(SEAT_LETTERS, state.active, strict=False)
        if not active
    ]
    return "\n".join(line.rstrip() for line in lines)


def board_lines(state: State) -> list[str]:
    """Return the board: a card on each space, and behind it the chip, `[A]` locked or `(A)` loose."""
    board, printed = state.board, state.ruleset.edition.printed
    faces = [CORNER if card is None else card_text(card) for card in printed]
    wide = max(map(len, faces)) + 3
    lines = [" " * 3 + "".join(f" {chr(97 + column):<{wide - 1}}" for column in range(board.width))]
    for row in range(board.height):
        spaces = range(row * board.width, (row + 1) * board.width)
        cells = "".join(f"{faces[space] + _chip(state, board, space):<{wide}}" for space in spaces)
        lines.append(f"{row + 1:>2} {cells}".rstrip())
    return lines


def _chip(state: State, board: Board, space: int) -> str:
    team = owner_of(state, space)
    if team is None:
        return ""
    letter = SEAT_LETTERS[team]
    return f"[{letter}]" if state.locked[team] >> space & 1 else f"({letter})"


def card_text(card: Card) -> str:
    """Return a card as people write it, `10♦` for `Td`; an edition's own code stays as it is."""
    if len(card) == 2 and card[0] in RANKS and card[1] in SUITS:
        return card[0].replace("T", "10") + SUITS[card[1]]
    return card


def visible_hands(rules: Ruleset, state: State, view: str) -> list[list[Card]]:
    """Return the hands as `view` may see them, every other card HIDDEN (R20)."""
    if view == FULL or rules.hands == "open":
        return [list(hand) for hand in state.hands]
    viewer = seat_of_view(view)
    return [list(hand) if seat == viewer else [HIDDEN] * len(hand) for seat, hand in enumerate(state.hands)]


def _standing(record: Record, state: State) -> str:
    rules = record.ruleset
    if state.outcome is not None:
        if state.outcome.winner is not None:
            return f"{rules.team_names[state.outcome.winner]} has won ({state.outcome.end})"
        return "the game is annulled" if not state.outcome.is_draw else f"a draw ({state.outcome.end})"
    if state.turn is None:
        return "nobody is on turn"
    return f"seat {_seat(record, state.turn)} is on turn" + (", the clock stands" if state.paused else "")


def _seat(record: Record, seat: int) -> str:
    letter, name, colour = record.seats[seat]
    return f"{letter} {name} ({colour})" if name else f"{letter} ({colour})"


def _teams(rules: Ruleset) -> list[str]:
    return [f"{SEAT_LETTERS[team]} {name}" for team, name in enumerate(rules.team_names)]


def _hand_lines(record: Record, state: State, view: str) -> list[str]:
    lines = []
    for seat, hand in enumerate(visible_hands(record.ruleset, state, view)):
        cards = " ".join(map(card_text, hand)) or "no cards"
        lines.append(f"Hand of {_seat(record, seat)}: {cards}")
    return lines
