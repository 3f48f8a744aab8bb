"""Games made up by chance: any table, any options, plays with a temper and much that is not allowed."""

import random  # noqa: TID251 - chosen plays of tests, never the order of cards
from dataclasses import dataclass, field, replace
from typing import Any

from games.rules.claims import full_lines
from games.rules.legal import legal_actions
from tests.model.options import TEAMS_BY_SEATS
from tests.rules.duel import LETTERS, Duel, Setup, secret_of
from tests.rules.invented import INVENTED

TABLES = [(seats, teams) for seats, counts in TEAMS_BY_SEATS.items() for teams in counts]

JACKS = [
    {},
    {"wild": ["Js", "Jh"], "anti": ["Jc", "Jd"]},
    {"wild": ["Jc"], "anti": ["Jd", "Js", "Jh"]},
    {"wild": ["Jc", "Jd", "Js", "Jh"], "anti": []},
]

VALUES: dict[str, list[Any]] = {
    "lines_to_win": [1, 2, 3, 4, 6, 20],
    "line_length": [4, 4, 3, 6],
    "max_shared": [0, 1, 2, 3, 4],
    "overlap": ["pairwise", "total"],
    "collinear_shared": [0, 1, 2, 3, 4],
    "protect": ["five", "run"],
    "draw_mode": ["auto", "manual", "manual"],
    "loss_of_card": ["next_play_and_draw", "next_play", "never"],
    "reshuffle": ["eager", "lazy", "never"],
    "dead_swaps_per_turn": [0, 1, 2, 3, "unlimited"],
    "jacks_can_be_dead": [False, True],
    "must_swap_before_pass": [True, False],
    "no_play": ["pass", "discard_draw"],
    "idle_rounds": ["none", 1, 2, 3],
    "stalemate": ["none", "locked", "blocked", "blocked"],
    "table_talk": ["penalty", "free", "off"],
    "hand_floor": [0, 1, 2],
    "claim": ["auto", "announce"],
    "end": ["race", "full_board"],
    "hands": ["closed", "open"],
    "withdraw": ["skip_seat", "team_forfeits"],
    "withdrawn_hand": ["discard", "out"],
}


@dataclass
class Theme:
    """What a game is about: a table, options and temper that are more likely than chance makes them."""

    options: dict[str, list[Any]] = field(default_factory=dict)
    temper: dict[str, float] = field(default_factory=dict)
    tables: list[tuple[int, int]] = field(default_factory=list)
    big_hands: bool = False
    edition: dict[str, Any] | None = None


THREE_TEAMS = [table for table in TABLES if table[1] == 3]

THEMES = [
    Theme(),
    Theme(
        big_hands=True, temper={"outside": 0.03}, tables=[(6, 2), (6, 3), (8, 2), (9, 3), (12, 2), (12, 3)]
    ),
    Theme(
        {
            "lines_to_win": [20],
            "line_length": [3, 4, 5],
            "overlap": ["total", "total", "pairwise"],
            "max_shared": [1, 2, 3],
            "collinear_shared": [0, 1, 2, "none"],
            "claim": ["auto", "auto", "announce"],
        },
        {"build": 0.9, "remove": 0.0, "outside": 0.0, "end": 0.0},
    ),
    Theme(),
    Theme(
        {"protect": ["run"], "line_length": [3, 4], "lines_to_win": [6, 20]},
        {"build": 0.9, "remove": 0.5, "outside": 0.0, "end": 0.0},
    ),
    Theme(
        {
            "end": ["full_board", "full_board", "race"],
            "stalemate": ["blocked", "none"],
            "line_length": [3, 4],
            "lines_to_win": [20],
            "withdraw": ["skip_seat", "team_forfeits"],
            "claim": ["auto"],
        },
        {"end": 0.015, "agree": 0.0, "build": 0.9, "outside": 0.0},
        [(3, 3), (6, 3), (3, 3), (9, 3)],
    ),
    Theme(),
    Theme({"table_talk": ["penalty"], "hand_floor": [0, 1, 2]}, {"outside": 0.2, "slow": 0.7, "end": 0.0}),
    Theme({"withdraw": ["skip_seat", "team_forfeits"]}, {"end": 0.05, "agree": 0.05}, THREE_TEAMS),
    Theme({"stalemate": ["locked", "blocked"], "lines_to_win": [20]}, {"end": 0.0, "outside": 0.0}),
    Theme(edition=INVENTED, tables=[(2, 2), (3, 3), (4, 2), (6, 2), (6, 3)]),
    Theme(
        {
            "draw_mode": ["manual"],
            "loss_of_card": ["never"],
            "reshuffle": ["eager", "lazy", "never"],
            "lines_to_win": [20],
            "dead_swaps_per_turn": [1, "unlimited"],
        },
        {"slow": 0.7, "end": 0.0, "build": -0.5},
        [(6, 2), (6, 3)],
        big_hands=True,
    ),
]


def random_setup(dice: random.Random, name: str, number: int) -> Setup:
    """Game `number` in a round of all themes and tables; an option has its default in most of them."""
    theme = THEMES[number % len(THEMES)]
    tables = theme.tables or TABLES
    seats, teams = tables[number // len(THEMES) % len(tables)]
    options = {name: dice.choice(values) for name, values in VALUES.items() if dice.random() < 0.35}
    cards = 104
    if theme.edition is not None:
        cards = len(theme.edition["codes"].split()) * theme.edition["packs"]
        options |= {key: theme.edition[key] for key in ("wild", "anti", "line_length")}
        options["lines_to_win"] = dice.randint(1, 5)
        options.setdefault("dead_swaps_per_turn", 2)
        options["hand_size"] = theme.edition["tables"][str(seats)]["hand_size"]
    elif dice.random() < 0.3:
        options |= dice.choice(JACKS)
    if theme.big_hands:
        options["hand_size"] = (cards - 1) // seats - dice.randrange(2)
    elif dice.random() < 0.3:
        options["hand_size"] = dice.randint(1, min(9, (cards - 1) // seats))
    if dice.random() < 0.3:
        options["chip_limit"] = dice.choice(["none", [dice.randint(1, 12) for _ in range(teams)]])
    options |= {name: dice.choice(values) for name, values in theme.options.items()}
    nonces = tuple(f"{dice.getrandbits(64):016x}" for _ in range(dice.choice([0, seats])))
    return Setup(seats, teams, options, secret_of(name), nonces, dice.randrange(seats), theme.edition)


@dataclass(frozen=True)
class Temper:
    """How a game is played: the chances of each kind of action."""

    build: float
    """Of the placement that brings a line on furthest; below 0 of avoiding it."""
    remove: float
    illegal: float
    outside: float
    end: float
    """Of leaving, ruling and annulling, which cut games short."""
    agree: float
    """Of agreeing to a draw that is offered."""
    slow: float
    """Of leaving a card undrawn or a debt unpaid for the moment."""
    expire: float


def random_temper(dice: random.Random, number: int) -> Temper:
    busy = dice.random() < 0.4
    temper = Temper(
        build=dice.choice([-0.9, -0.5, 0.0, 0.5, 0.9]),
        remove=dice.choice([0.0, 0.1, 0.5]),
        illegal=dice.choice([0.05, 0.3]),
        outside=0.08 if busy else 0.005,
        end=0.012 if busy else 0.0003,
        agree=dice.choice([0.0, 0.0, 0.05]),
        slow=dice.choice([0.1, 0.4]),
        expire=dice.choice([0.0, 0.01, 0.2]) if busy else 0.0,
    )
    return replace(temper, **THEMES[number % len(THEMES)].temper)


class Player:
    """Chooses the actions of one game."""

    def __init__(self, duel: Duel, dice: random.Random, temper: Temper) -> None:
        self.duel = duel
        self.dice = dice
        self.temper = temper

    def action(self) -> dict[str, Any]:
        state, dice = self.duel.state, self.dice
        chance = dice.random()
        for limit, choose in [
            (self.temper.illegal, self.anything),
            (self.temper.outside, self.outside),
            (self.temper.agree if state.offer else 0.0, self.agreement),
            (self.temper.end, self.ending),
            (self.temper.expire, self.expiry),
        ]:
            if chance < limit:
                return choose()
            chance -= limit
        assert state.turn is not None
        if (waiting := self.waiting()) and dice.random() > self.temper.slow:
            return dice.choice(waiting)
        if state.debts[state.turn]:
            return {"act": "pay", "seat": state.turn, "card": dice.choice(state.hands[state.turn])}
        return self.turn_action(state.turn)

    def waiting(self) -> list[dict[str, Any]]:
        """Draws and payments that are open to any seat."""
        state = self.duel.state
        found: list[dict[str, Any]] = []
        for seat, hand in enumerate(state.hands):
            if state.rights[seat] and (self.duel.model.cards.can_draw() or self.dice.random() < 0.1):
                found.append({"act": "draw", "seat": seat})
            if state.debts[seat]:
                found.append({"act": "pay", "seat": seat, "card": self.dice.choice(hand)})
        return found

    def turn_action(self, seat: int) -> dict[str, Any]:
        """Something that the seat on turn may do."""
        dice, state = self.dice, self.duel.state
        legal = sorted(self.duel.plain(choice) for choice in legal_actions(state, seat))
        legal = [choice for choice in legal if choice != ("draw",)]
        if not legal:
            return {"act": "draw", "seat": seat}
        if self.duel.rules.claim == "announce" and dice.random() < 0.3:
            team = state.team_of[seat]
            full = full_lines(state, team, state.chips[team])
            if full:
                return {"act": "announce", "seat": seat, "lines": self.spelled(dice.sample(full, 1))}
        places = [choice for choice in legal if choice[0] == "place"]
        others = [choice for choice in legal if choice[0] == "remove"]
        swaps = [choice for choice in legal if choice[0] == "swap"]
        if swaps and dice.random() < 0.6:
            legal = swaps
        elif others and dice.random() < self.temper.remove:
            legal = others
        elif places and dice.random() < abs(self.temper.build):
            pick = max if self.temper.build > 0 else min
            legal = [pick(places, key=lambda choice: (self.progress(seat, choice[2]), dice.random()))]
        name, *rest = dice.choice(legal)
        action = {"act": name, "seat": seat, **dict(zip(("card", "space"), rest, strict=False))}
        if name in ("place", "remove") and dice.random() < 0.5:
            self.name_lines(action)
        return action

    def progress(self, seat: int, space: str) -> int:
        """How far a chip on `space` brings the best line that nobody has spoilt."""
        state = self.duel.state
        team = state.team_of[seat]
        against = sum(chips for other, chips in enumerate(state.chips) if other != team)
        have = state.chips[team] | state.board.corner_mask
        number = state.board.space_by_name[space]
        return max(
            ((n.mask & have).bit_count() for n in state.board.lines_through[number] if not n.mask & against),
            default=-1,
        )

    def name_lines(self, action: dict[str, Any]) -> None:
        """Name lines with a play: all that it could claim, some of them, or none."""
        duel, dice = self.duel, self.dice
        model, seat = duel.model, action["seat"]
        if duel.rules.claim == "announce":
            team = duel.state.team_of[seat]
            chips = duel.state.chips[team]
            if action["act"] == "place":
                chips |= 1 << duel.state.board.space_by_name[action["space"]]
            full = full_lines(duel.state, team, chips)
            action["lines"] = self.spelled(dice.sample(full, min(len(full), dice.randint(0, 2))))
        elif action["act"] == "place":
            sets = model.choices(seat, action["space"])
            if sets != [[]] and dice.random() < 0.8:
                action["lines"] = [list(line) for line in dice.choice(sets)]

    def spelled(self, lines: list[Any]) -> list[list[str]]:
        names = self.duel.state.board.names
        return [[names[space] for space in line.spaces] for line in lines]

    def expiry(self) -> dict[str, Any]:
        policy = self.dice.choice(["pass"] * 12 + ["ask", "bot", "forfeit_seat", "forfeit_team"])
        return {"act": "expire", "policy": policy}

    def outside(self) -> dict[str, Any]:
        """Around the cards, without ending the game as a rule."""
        dice = self.dice
        seat = dice.randrange(self.duel.setup.seats)
        team = LETTERS[dice.randrange(self.duel.setup.teams)]
        return dice.choice(
            [
                {"act": "table_talk", "team": team},
                {"act": "table_talk", "team": team},
                {"act": "expire", "policy": "pass"},
                {"act": "offer_draw", "seat": seat},
                {"act": dice.choice(["accept_draw", "accept_draw", "decline_draw"]), "seat": seat},
                {"act": "substitute", "seat": seat},
                {"act": dice.choice(["pause", "resume"])},
            ]
        )

    def agreement(self) -> dict[str, Any]:
        """Agree, for a team that has not agreed yet, to the draw that is offered."""
        agreed = self.duel.state.offer[1] if self.duel.state.offer else frozenset()
        seats = [seat for seat, team in enumerate(self.duel.rules.team_of) if team not in agreed]
        return {"act": "accept_draw", "seat": self.dice.choice(seats)}

    def ending(self) -> dict[str, Any]:
        """What tends to end the game."""
        dice = self.dice
        seat = dice.randrange(self.duel.setup.seats)
        team = LETTERS[dice.randrange(self.duel.setup.teams)]
        leave = {"act": dice.choice(["leave", "resign"]), "seat": seat}
        rule = {"act": "rule", "winner": dice.choice([team, "draw"])}
        return dice.choice([leave] * 8 + [rule] * 2 + [{"act": "annul"}])

    def some_space(self, card: str) -> str:
        """A space where a play of `card` may well fail for its own reason."""
        state, dice = self.duel.state, self.dice
        kinds = [
            state.board.playable_mask,
            state.board.corner_mask,
            state.occupied,
            *state.chips,
            *state.locked,
        ]
        spaces = self.duel.rules.edition.spaces_for(card)
        if not spaces or dice.random() < 0.5:
            spaces = state.board.spaces_in(dice.choice([kind for kind in kinds if kind]))
        return state.board.names[dice.choice(spaces)]

    def anything(self) -> dict[str, Any]:
        """An action that pays no heed to the rules."""
        duel, dice = self.duel, self.dice
        state = duel.state
        seat = dice.randrange(duel.setup.seats)
        if state.turn is not None and dice.random() < 0.8:
            seat = state.turn
        card = dice.choice(duel.rules.edition.codes)
        if state.hands[seat] and dice.random() < 0.8:
            card = dice.choice(state.hands[seat])
        jacks = [held for held in state.hands[seat] if held in duel.rules.anti]
        if jacks and dice.random() < 0.5:
            card = jacks[0]
        space = self.some_space(card)
        action: dict[str, Any] = {
            "act": dice.choice(
                ["place", "place", "remove", "remove", "swap", "swap", "pass", "discard", "draw"]
            )
        }
        if dice.random() < 0.25:
            action["act"] = dice.choice(["announce", "pay", "offer_draw", "decline_draw", "resume", "pause"])
        if card in jacks and dice.random() < 0.7:
            action["act"] = "remove"
        action["seat"] = seat
        if action["act"] in ("place", "remove", "swap", "discard", "pay"):
            action["card"] = card
        if action["act"] in ("place", "remove"):
            action["space"] = space
        if action["act"] == "announce" or (action["act"] in ("place", "remove") and dice.random() < 0.3):
            lines = dice.sample(state.board.lines, dice.randint(0, 2))
            action["lines"] = self.spelled(lines)
            if action["lines"] and dice.random() < 0.2:
                action["lines"][0][0] = dice.choice(state.board.names)
        return action
