"""The rules of Sequence once more, as plainly as possible: the model that the engine is held against.

Cards are 'Td', spaces 'a1'..'j10', teams 'A'..'C', seats numbers. The R numbers are those of docs/rules.md.
"""

from tests.model import claims
from tests.model.board import Board, Line, card_name
from tests.model.cards import Cards, Shuffle
from tests.model.options import LETTERS, Refused, check_options, check_teams
from tests.model.table import Table
from tests.model.turns import Turns

TURN_ACTS = ["place", "remove", "swap", "pass", "discard", "announce"]
SEAT_ACTS = ["draw", "pay", "leave", "resign", "offer_draw", "accept_draw", "decline_draw", "substitute"]
OTHER_ACTS = ["table_talk", "expire", "rule", "annul", "pause", "resume"]


class Model(Turns, Table):
    """A game from its setup on; `act` plays it, `legal` and `snapshot` show it.

    `pile` is top first. `reshuffle(n, cards)` answers the n-th new pile, top first. The last four arguments
    set up a position: chips and lines per team letter, discards per seat; chips of lines lie on the board.
    """

    def __init__(
        self,
        seats: int,
        teams: int | None,
        options: dict,
        hands: list[list[str]],
        pile: list[str],
        start: int = 0,
        reshuffle: Shuffle | None = None,
        *,
        layout: list[list[str]] | None = None,
        wild: list[str] | None = None,
        anti: list[str] | None = None,
        chips: dict[str, list[str]] | None = None,
        lines: dict[str, list[list[str]]] | None = None,
        discards: dict[int, list[str]] | None = None,
        swaps_used: int = 0,
    ) -> None:
        if teams is None:
            teams = options.get("teams")
        teams = check_teams(seats, teams)
        self.options = check_options(seats, teams, options)
        self.wild = self.options["wild"] if wild is None else [card_name(card) for card in wild]
        self.anti = self.options["anti"] if anti is None else [card_name(card) for card in anti]
        self.board = Board(layout, self.options["line_length"])
        self.teams = list(LETTERS[:teams])
        self.team_of = [LETTERS[seat % teams] for seat in range(seats)]  # R4
        self.active = [True] * seats
        self.cards = Cards(
            hands=hands,
            pile=pile,
            discards=discards or {},
            mode=self.options["reshuffle"],
            shuffle=reshuffle,
        )
        self.chips: dict[str, str] = {}
        self.lines: dict[str, list[Line]] = {team: [] for team in self.teams}
        self.locked: dict[str, set[str]] = {team: set() for team in self.teams}
        self.set_up(chips or {}, lines or {})
        self.turn = start
        self.swaps_used = swaps_used
        self.over = False
        self.winner: str | None = None
        self.reason: str | None = None
        self.no_play_passes = 0  # in a row, R15
        self.idle_turns = 0  # finished turns since the last placement or removal, R15
        self.clock_passes = [0] * seats  # in a row, R22
        self.plays = 0  # counts plays, to tell older draw rights from newer ones
        self.rights: list[list[int]] = [[] for _seat in range(seats)]  # the plays not yet drawn for, R16
        self.debts = [0] * seats  # R17
        self.offer: str | None = None  # the team that offers a draw, R23
        self.agreed: set[str] = set()
        self.paused = False
        self.events: list[dict] = []

    def set_up(self, chips: dict[str, list[str]], lines: dict[str, list[list[str]]]) -> None:
        for team, spaces in chips.items():
            for space in spaces:
                self.chips[space] = team
        for team, groups in lines.items():
            for spaces in groups:
                line = self.board.line_of(spaces)
                if line is None:
                    raise ValueError(spaces)
                self.lines[team].append(line)
                for space in set(line) - self.board.corners:
                    self.chips[space] = team
        for team in self.teams:
            for line in self.lines[team]:
                self.locked[team] |= claims.locked_by(self.board, self.options, line, team, self.chips)

    # Acting

    def act(self, action: dict) -> list[dict]:
        """What happened; or Refused, and then nothing has changed."""
        name = action["act"]
        self.events = []
        self.cards.events = self.events
        if self.over and (name != "annul" or self.reason == "annulled"):
            raise Refused("game_over")
        if name in TURN_ACTS + SEAT_ACTS:
            seat = action["seat"]
            if not 0 <= seat < len(self.active) or not self.active[seat]:
                raise Refused("not_active")
        if name in TURN_ACTS:
            if seat != self.turn:
                raise Refused("not_your_turn")
            if self.debts[seat]:
                raise Refused("penalty_due")
            self.act_on_turn(action)
        elif name in SEAT_ACTS:
            self.act_as_seat(action)
        elif name in OTHER_ACTS:
            self.act_from_outside(action)
        else:
            raise ValueError(name)
        return self.events

    def act_on_turn(self, action: dict) -> None:
        name, seat = action["act"], action["seat"]
        if name == "place":
            self.place(seat, action["card"], action["space"], action.get("lines"))
        elif name == "remove":
            self.remove(seat, action["card"], action["space"], action.get("lines"))
        elif name == "swap":
            self.swap(seat, action["card"])
        elif name == "pass":
            self.pass_turn(seat)
        elif name == "discard":
            self.discard(seat, action["card"])
        elif name == "announce":
            self.announce(seat, action.get("lines"))

    def act_as_seat(self, action: dict) -> None:
        name, seat = action["act"], action["seat"]
        if name == "draw":
            self.draw(seat)
        elif name == "pay":
            self.pay(seat, action["card"])
        elif name in ("leave", "resign"):
            self.leave(seat)
        elif name == "offer_draw":
            self.offer_draw(seat)
        elif name == "accept_draw":
            self.accept_draw(seat)
        elif name == "decline_draw":
            self.decline_draw()
        elif name == "substitute":
            self.clock_passes[seat] = 0  # somebody new; all else goes on as it is (R21)
            self.tell("substitute", seat=seat)

    def act_from_outside(self, action: dict) -> None:
        name = action["act"]
        if name == "table_talk":
            self.table_talk(action["team"])
        elif name == "expire":
            self.expire(action["policy"])
        elif name == "rule":
            self.finish(action["winner"], "ruling")
        elif name == "annul":
            self.finish(None, "annulled")
        elif name == "pause":
            self.pause(True)
        elif name == "resume":
            self.pause(False)

    # Looking

    def legal(self, seat: int) -> set[tuple]:
        """('place', card, space), ('remove', card, space), ('swap', card), ('pass',), ('discard', card)
        on the turn, ('draw',) and ('pay', card) at any time."""
        found: set[tuple] = set()
        if self.over or not self.active[seat]:
            return found
        hand = set(self.cards.hands[seat])
        if self.rights[seat] and self.cards.can_draw():
            found.add(("draw",))
        if self.debts[seat]:
            found |= {("pay", card) for card in hand}
        if seat != self.turn or self.debts[seat]:
            return found
        plays = self.legal_plays(seat)
        swaps = {("swap", card) for card in hand if self.swap_refusal(seat, card) is None}
        found |= plays | swaps
        if not plays and not (swaps and self.options["must_swap_before_pass"]):
            found.add(("pass",))
            if self.options["no_play"] == "discard_draw":
                found |= {("discard", card) for card in hand}
        return found

    def snapshot(self) -> dict:
        """The whole position as sorted plain data; turn, rights and offers are void once the game is over."""
        order = self.board.lines.index
        return {
            "chips": {team: sorted(self.spaces_of(team)) for team in self.teams},
            "locked": {team: sorted(self.locked[team]) for team in self.teams},
            "lines": {team: sorted(self.lines[team], key=order) for team in self.teams},
            "hands": [sorted(hand) for hand in self.cards.hands],
            "pile": list(self.cards.pile),
            "discards": [sorted(cards) for cards in self.cards.discards],
            "out": sorted(self.cards.out),
            "reshuffles": self.cards.reshuffles,
            "turn": None if self.over else self.turn,
            "swaps_used": 0 if self.over else self.swaps_used,
            "over": self.over,
            "winner": self.winner,
            "reason": self.reason,
            "rights": [0 if self.over else len(rights) for rights in self.rights],
            "debts": list(self.debts),
            "active": list(self.active),
            "no_play_passes": self.no_play_passes,
            "idle_turns": self.idle_turns,
            "clock_passes": list(self.clock_passes),
            "offer": None if self.over else self.offer,
            "agreed": [] if self.over else sorted(self.agreed),
            "paused": self.paused,
        }
