"""A view as plain data: what the API answers and pages show. Names only: seats `A`, colours, spaces `c7`."""

from typing import Any

from games.play.calendars import CLOCK_FIELDS
from games.play.models import Game, Seat
from games.play.wording import action_data
from games.rules.actions import PlaceChip, SeatAction
from games.rules.claims import full_lines, largest_sets
from games.rules.encoding import SEAT_LETTERS
from games.rules.ruleset import TEAM_NAMES, Ruleset
from games.rules.state import State
from games.rules.view import View


def game_summary(game: Game, places: list[Seat]) -> dict[str, Any]:
    """Return what a list of games shows of one."""
    return {
        "id": game.pk,
        "uuid": str(game.uuid),
        "club": game.club.slug,
        "name": game.name,
        "status": game.status,
        "source": game.source,
        "edition": game.edition,
        "seat_count": game.seats,
        "team_count": game.teams,
        "house_rules": game.house_rules,
        "expiry": game.expiry,
        "clock": None if game.turn_hours is None else {name: getattr(game, name) for name in CLOCK_FIELDS},
        "deadline": game.deadline,
        "rules_version": game.rules_version,
        "version": game.version,
        "head_hash": bytes(game.head_hash).hex(),
        "seal": game.seal or None,
        "turn_seat": None if game.turn_seat is None else SEAT_LETTERS[game.turn_seat],
        "turns": game.turns,
        "turn_since": game.turn_since,
        "winner": game.winner_name,
        "end": game.end or None,
        "created_at": game.created_at,
        "started_at": game.started_at,
        "finished_at": game.finished_at,
        "seats": [seat_summary(game, place) for place in places],
    }


def seat_summary(game: Game, place: Seat) -> dict[str, Any]:
    """Return who sits where."""
    return {
        "seat": place.letter,
        "team": team_name(game, place.number),
        "player": player(place),
        "is_bot": place.is_bot,
        "is_taken": place.is_taken,
        "is_active": place.is_active,
        "bank_seconds": None if game.turn_hours is None else place.bank_seconds,
        "kept_for": None if place.invited is None else str(place.invited.uuid),
    }


def player(place: Seat) -> dict[str, str] | None:
    """Return the member in a seat, or the name in an imported record; None for a bot or a free seat."""
    if place.member is not None:
        member = place.member
        return {"uuid": str(member.uuid), "username": member.username, "name": member.get_full_name()}
    return {"name": place.recorded_name} if place.recorded_name else None


def team_name(game: Game, seat: int) -> str:
    """Return the colour of a seat's team."""
    return TEAM_NAMES[seat % game.teams]


def position(view: View) -> dict[str, Any]:
    """Return the board, the cards that the viewer knows, and whose turn it is."""
    rules, board = view.ruleset, view.ruleset.board
    names = rules.team_names

    def spaces(mask: int) -> list[str]:
        return [board.names[space] for space in board.spaces_in(mask)]

    return {
        "viewer": None if view.viewer is None else SEAT_LETTERS[view.viewer],
        "turn": {
            "number": view.turns + 1 if view.turn is not None else view.turns,
            "seat": None if view.turn is None else SEAT_LETTERS[view.turn],
            "swaps_used": view.swaps_used,
        },
        "chips": {name: spaces(view.chips[team]) for team, name in enumerate(names)},
        "locked": {name: spaces(view.locked[team]) for team, name in enumerate(names)},
        "lines": [
            {"team": names[team], "spaces": [board.names[s] for s in board.line_by_mask[mask].spaces]}
            for team, mask in view.lines
        ],
        "last": None if view.last is None else board.names[view.last],
        "hands": {
            SEAT_LETTERS[seat]: {"size": view.hand_sizes[seat], "cards": None if hand is None else list(hand)}
            for seat, hand in enumerate(view.hands)
        },
        "discards": {SEAT_LETTERS[seat]: list(cards) for seat, cards in enumerate(view.discards)},
        "draw_pile": view.pile_size,
        "reshuffles": view.reshuffles,
        "draws_due": _by_seat(view.rights),
        "cards_owed": _by_seat(view.debts),
        "out": [SEAT_LETTERS[seat] for seat, active in enumerate(view.active) if not active],
        "offer": None
        if view.offer is None
        else {"team": names[view.offer[0]], "agreed": [names[team] for team in sorted(view.offer[1])]},
        "is_paused": view.paused,
        "result": None
        if view.outcome is None
        else {"winner": winner_name(rules, view), "end": view.outcome.end},
    }


def _by_seat(counts: tuple[int, ...]) -> dict[str, int]:
    return {SEAT_LETTERS[seat]: count for seat, count in enumerate(counts) if count}


def winner_name(rules: Ruleset, view: View) -> str | None:
    """Return the winner as a colour, `draw`, or None for an annulled game."""
    if view.outcome is None or view.outcome.end == "annulled":
        return None
    return "draw" if view.outcome.winner is None else rules.team_names[view.outcome.winner]


def legal_list(state: State, actions: tuple[SeatAction, ...]) -> list[dict[str, Any]]:
    """Return legal actions as requests; a placement that completes lines lists its possible `claims`."""
    return [_with_claims(state, action) for action in actions]


def _with_claims(state: State, action: SeatAction) -> dict[str, Any]:
    data = action_data(state, action)
    if isinstance(action, PlaceChip) and state.ruleset.claim == "auto":
        team = state.team_of[action.seat]
        full = full_lines(state, team, state.chips[team] | 1 << action.space, action.space)
        if full:
            data["claims"] = [
                [list(state.board.ends(line.mask)) for line in lines]
                for lines in largest_sets(state, team, full)
            ]
    return data
