"""The options of a game, checked and completed with their defaults (the table of rules.md)."""

from tests.model.board import RANKS, SUITS, card_name

TEAMS_BY_SEATS = {2: [2], 3: [3], 4: [2], 6: [2, 3], 8: [2], 9: [3], 10: [2], 12: [2, 3]}
HAND_BY_SEATS = {2: 7, 3: 6, 4: 6, 6: 5, 8: 4, 9: 4, 10: 3, 12: 3}
LETTERS = "ABC"

CHOICES = {
    "edition": ["classic"],
    "overlap": ["pairwise", "total"],
    "protect": ["five", "run"],
    "draw_mode": ["auto", "manual"],
    "loss_of_card": ["next_play_and_draw", "next_play", "never"],
    "reshuffle": ["eager", "lazy", "never"],
    "jacks_can_be_dead": [False, True],
    "must_swap_before_pass": [True, False],
    "no_play": ["pass", "discard_draw"],
    "stalemate": ["none", "locked", "blocked"],
    "table_talk": ["penalty", "free", "off"],
    "claim": ["auto", "announce"],
    "end": ["race", "full_board"],
    "hands": ["closed", "open"],
    "withdraw": ["skip_seat", "team_forfeits"],
    "withdrawn_hand": ["discard", "out"],
}
# name: default, least, most; None as default means that None is a value too.
NUMBERS = {
    "hand_size": (None, 1, 52),
    "lines_to_win": (None, 1, 192),
    "line_length": (5, 2, 10),
    "max_shared": (1, 0, 4),
    "collinear_shared": (None, 0, 4),
    "dead_swaps_per_turn": (1, 0, 104),
    "idle_rounds": (None, 1, 1000),
    "hand_floor": (1, 0, 52),
}
WORDS_FOR_NONE = {"dead_swaps_per_turn": "unlimited", "idle_rounds": "none", "collinear_shared": "none"}


class Refused(Exception):
    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def check_teams(seats: int, teams: int | None) -> int:
    """R4."""
    if seats not in TEAMS_BY_SEATS:
        raise Refused("bad_player_count")
    if teams is None and len(TEAMS_BY_SEATS[seats]) == 1:
        return TEAMS_BY_SEATS[seats][0]
    if teams not in TEAMS_BY_SEATS[seats]:
        raise Refused("bad_team_count")
    return teams


def check_options(seats: int, teams: int, given: dict) -> dict:
    """All options with a value each; what depends on the table is filled in (R5, R7)."""
    options: dict = {}
    known = {*CHOICES, *NUMBERS, "teams", "wild", "anti", "chip_limit"}
    if not set(given) <= known:
        raise Refused("bad_option")
    for name, values in CHOICES.items():
        options[name] = given.get(name, values[0])
        if not any(options[name] is value or options[name] == value for value in values):
            raise Refused("bad_option")
        if isinstance(options[name], bool) != isinstance(values[0], bool):
            raise Refused("bad_option")
    for name, bounds in NUMBERS.items():
        options[name] = check_number(name, given.get(name, bounds[0]), bounds)
    if given.get("teams", teams) not in (teams, None):
        raise Refused("bad_option")
    options["wild"] = check_cards(given.get("wild", ["Jc", "Jd"]))
    options["anti"] = check_cards(given.get("anti", ["Js", "Jh"]))
    if set(options["wild"]) & set(options["anti"]):
        raise Refused("bad_option")
    options["chip_limit"] = check_chip_limit(given.get("chip_limit"), teams)
    if options["hand_size"] is None:
        options["hand_size"] = HAND_BY_SEATS[seats]
    if options["hand_size"] * seats > len(RANKS) * len(SUITS) * 2:
        raise Refused("bad_option")
    if options["lines_to_win"] is None:
        options["lines_to_win"] = 2 if teams == 2 else 1
    return options


def check_number(name: str, value: object, bounds: tuple) -> int | None:
    default, least, most = bounds
    if value is None or (name in WORDS_FOR_NONE and value == WORDS_FOR_NONE[name]):
        if default is None or name in WORDS_FOR_NONE:
            return None
        raise Refused("bad_option")
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise Refused("bad_option")
    return value


def check_cards(value: object) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(card, str) and len(card) == 2 for card in value):
        raise Refused("bad_option")
    return [card_name(card) for card in value]


def check_chip_limit(value: object, teams: int) -> dict[str, int] | None:
    """R3: a number for each team letter, or None."""
    letters = LETTERS[:teams]
    if value is None or value == "none":
        return None
    if value == "box":
        return {letter: {"A": 50, "B": 50, "C": 35}[letter] for letter in letters}
    if isinstance(value, list):
        value = dict(zip(letters, value, strict=True)) if len(value) == teams else None
    if not isinstance(value, dict) or set(value) != set(letters):
        raise Refused("bad_option")
    if not all(isinstance(n, int) and not isinstance(n, bool) and n >= 1 for n in value.values()):
        raise Refused("bad_option")
    return dict(value)


def deal(deck: list[str], seats: int, hand_size: int, start: int = 0) -> tuple[list[list[str]], list[str]]:
    """Hands and pile: one card at a time, the starting seat first (R6)."""
    deck = list(deck)
    hands: list[list[str]] = [[] for _seat in range(seats)]
    for _round in range(hand_size):
        for place in range(seats):
            hands[(start + place) % seats].append(deck.pop(0))
    return hands, deck
