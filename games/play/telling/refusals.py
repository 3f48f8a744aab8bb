"""What the rules refuse, in the reader's language: what is the matter and what to do instead.

The engine's own words name the card and the space, in English; the API gives those to who reads English.
"""

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from games.rules.refusal import IllegalAction
from games.rules.ruleset import BadOption

Words = str | Promise

ACTIONS: dict[tuple[str, str], Words] = {
    ("game_over", "R7"): _("The game is over: nothing more can be played (R7)."),
    ("not_your_turn", "R6"): _("It is another seat's turn: wait until it is yours (R6)."),
    ("not_active", "R21"): _("This seat or its team is not in the game any more (R21)."),
    ("not_active", "R22"): _("No time is running: nobody is on turn, or the clock stands (R22)."),
    ("not_active", "R23"): _("The clock stands already, or runs already (R23)."),
    ("not_in_hand", "R8"): _("This card is not in your hand: choose one that is (R8)."),
    ("card_mismatch", "R8"): _(
        "This card does not do that: a card goes to its own two spaces, a two-eyed jack to any, and only a"
        " one-eyed jack removes a chip (R8)."
    ),
    ("occupied", "R8"): _("A chip stands there already: choose an empty space (R8)."),
    ("empty_space", "R8"): _("No chip stands there: choose a space with a chip of another team (R8)."),
    ("corner", "R8"): _("Corners take no chip, they count for every team: choose another space (R8)."),
    ("own_chip", "R8"): _("That chip is your own team's: choose one of another team (R8)."),
    ("locked", "R9"): _("That chip is locked in a completed line: choose another one (R9)."),
    ("chip_limit", "R3"): _("Your team has no chip left to place (R3)."),
    ("bad_claim", "R9"): _("These spaces are no line that the play completes: choose again (R9)."),
    ("bad_claim", "R11"): _("The lines cannot be counted so: choose one of the ways that are offered (R11)."),
    ("bad_claim", "R18"): _(
        "These lines cannot be announced together: choose full lines that are offered (R18)."
    ),
    ("not_dead", "R13"): _("This card is not dead: it can still be played somewhere (R13)."),
    ("swap_limit", "R13"): _("You cannot swap another dead card in this turn: play a card (R13)."),
    ("no_replacement", "R12"): _("The draw pile is empty: there is no card to draw (R12)."),
    ("no_replacement", "R13"): _("There is no card left to draw instead, so none can be swapped (R13)."),
    ("must_play", "R14"): _("There is a card that you can play, or a dead one to swap: do that first (R14)."),
    ("no_draw_right", "R16"): _("You have no card to draw: it is drawn already, or lost (R16)."),
    ("penalty_due", "R17"): _("Table talk was called on your team: first choose the card to give up (R17)."),
    ("no_penalty_due", "R17"): _("You owe no card for table talk (R17)."),
    ("offer_stands", "R23"): _("A draw is offered already: agree to it or decline it (R23)."),
    ("no_offer", "R23"): _("No draw is offered now, so there is nothing to answer (R23)."),
}
"""A sentence for each pair of code and rule with which the engine refuses an action."""

OPTIONS: dict[str, Words] = {
    "seats": _("So many seats cannot play this edition: choose another number (%(rule)s)."),
    "teams": _("So many seats cannot play in so many teams: choose another number (%(rule)s)."),
    "edition": _("This edition is not known here (%(rule)s)."),
    "wild": _("Each jack stands in one of the two lists; give their codes, such as Jc,Jd (%(rule)s)."),
    "anti": _("Each jack stands in one of the two lists; give their codes, such as Jc,Jd (%(rule)s)."),
    "chip_limit": _("“none”, “box”, or a number for each team, such as 50,50 (%(rule)s)."),
}
NUMBER = _("A whole number from %(least)s to %(most)s (%(rule)s).")
NUMBER_OR_WORD = _("A whole number from %(least)s to %(most)s, or “%(word)s” (%(rule)s).")
ANOTHER = _("Choose one of the answers that are offered (%(rule)s).")


def in_words(error: IllegalAction) -> str:
    """Return the sentence for what a rule refuses, with its number: "This card is not dead: ... (R13)."""
    known = ACTIONS.get((error.code, error.rule))
    return str(known) if known is not None else f"{_capital(error.detail)} ({error.rule})."


def option_in_words(error: BadOption) -> str:
    """Return what a field of a proposal takes, without its technical name."""
    if error.bounds is not None:
        least, most, word = error.bounds
        words = NUMBER_OR_WORD if word else NUMBER
        return str(words) % {"least": str(least), "most": str(most), "word": word, "rule": error.rule}
    return str(OPTIONS.get(error.option, ANOTHER)) % {"rule": error.rule}


def detail_of(error: IllegalAction) -> str:
    """Return the detail for the API: exact where English is read, translated elsewhere."""
    return f"{_capital(error.detail)}." if reads_english() else in_words(error)


def detail_of_option(error: BadOption) -> str:
    """Return the detail of a refused option for the API, where its technical name is what callers know."""
    if reads_english():
        return f"{_capital(error.detail)}."
    return gettext("%(option)s: %(detail)s") % {"option": error.option, "detail": option_in_words(error)}


def reads_english() -> bool:
    return (get_language() or "en").startswith("en")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
