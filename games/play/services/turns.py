"""Taking a turn, by a member or a bot."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext

from games.accounts.models import User
from games.play.models import Status
from games.play.services.locking import BOT, Locked, load_rest, lock_game
from games.play.services.requests import Request, Taken, carry_out, perform
from games.play.wording import action_from
from games.rules.actions import SeatAction
from games.rules.legal import legal_actions, unclaimed_lines
from games.rules.refusal import refuse
from games.rules.state import State
from games.rules.view import View, view_for


class NotSeated(ValueError):
    """The caller sees the game but holds no seat in it."""


@dataclass(frozen=True, slots=True)
class Chance:
    """What a bot knows when it may act: its seat's view, what is legal, and lines it could announce."""

    view: View
    legal: tuple[SeatAction, ...]
    unclaimed: tuple[int, ...]


def take_turn(
    *,
    game_id: int,
    member: User,
    data: Mapping[str, Any],
    expected_version: int | None,
    key: str = "",
    now: datetime,
) -> Taken:
    """Carry out what `data` asks for the seat of `member` and return the game afterwards.

    Raises NotSeated, MalformedAction, IllegalAction and what `requests.perform` raises.
    """

    def work(locked: Locked) -> None:
        seat = locked.seat_of(member)
        if seat is None:
            if any(place.member_id == member.pk for place in locked.places):
                refuse("not_active", "R21", "your seat is not in the game any more")
            raise NotSeated(gettext("you hold no seat in this game"))
        action = action_from(locked.state, seat.number, data)
        carry_out(locked, action, actor=member.uuid, now=now)

    return perform(Request(game_id, member, data, expected_version, key, now), work)


def take_bot_turn(*, game_id: int, choose: Callable[[Chance], SeatAction | None], now: datetime) -> bool:
    """Let `choose` act once for a bot's seat, or for a seat whose turn a bot plays (R22).

    Return whether any had something to do.
    """
    with transaction.atomic(durable=True):
        game, source = lock_game(game_id)
        if game.status != Status.ACTIVE:
            return False
        locked = load_rest(game, source)
        state = locked.state
        for seat in locked.places:
            if not seat.is_active or not (seat.is_bot or (state.stand_in and state.turn == seat.number)):
                continue
            action = choose(_chance(state, seat.number))
            if action is not None:
                carry_out(locked, action, actor=BOT, now=now)
                return True
    return False


def _chance(state: State, seat: int) -> Chance:
    announces = state.ruleset.claim == "announce" and state.turn == seat and not state.debts[seat]
    return Chance(
        view_for(state, seat), legal_actions(state, seat), unclaimed_lines(state, seat) if announces else ()
    )
