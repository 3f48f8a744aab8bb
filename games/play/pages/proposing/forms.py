"""The form that proposes a game: the table, and every house rule with its explanation."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games.accounts.models import one_row
from games.play.models import Game
from games.play.telling.house_rules import OPTIONS, Option
from games.play.telling.refusals import option_in_words
from games.rules.editions import edition_names, load_edition
from games.rules.ruleset import BadOption, make_ruleset

USUAL_BY_TABLE = ("hand_size", "lines_to_win", "line_length", "wild", "anti")
"""Options whose default depends on the table: left empty they take it."""

TABLES_OF_TWO_KINDS = (6, 12)
"""Tables that play in two teams or in three: it has to be said which (R4)."""

TYPED_WORDS = {
    # Translators: words that are typed into the form of a new game, and named in its explanations.
    "none": pgettext_lazy("typed for a house rule", "none"),
    "box": pgettext_lazy("typed for a house rule", "box"),
    "unlimited": pgettext_lazy("typed for a house rule", "unlimited"),
}
"""The words of options that have no list to choose from, as their reader types them."""

JACKS = ("wild", "anti")
"""Each says what the other leaves over, so neither is judged without the other."""


class ProposalForm(forms.Form):
    """A game to propose; the rules judge it, see `refuse`."""

    name = forms.CharField(label=_("Name of the game"), max_length=80, required=False, validators=[one_row])
    edition = forms.ChoiceField(label=_("Edition"))
    seats = forms.TypedChoiceField(label=_("Seats"), coerce=int)
    teams = forms.TypedChoiceField(
        label=_("Teams"),
        coerce=int,
        empty_value=None,
        required=False,
        choices=[("", pgettext_lazy("number of teams", "as usual")), ("2", "2"), ("3", "3")],
        help_text=_("Six and twelve seats play in two or three teams: choose one."),
    )
    bots = forms.IntegerField(
        label=_("Bots"),
        min_value=0,
        max_value=23,
        initial=0,
        help_text=_("How many of the other seats bots fill."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = edition_names()
        usual = make_ruleset(2).options()
        self.fields["edition"] = forms.ChoiceField(
            label=_("Edition"),
            choices=[(name, load_edition(name).title) for name in names],
            initial="classic",
            required=False,
        )
        tables = sorted({seats for name in names for seats in load_edition(name).tables})
        self.fields["seats"] = forms.TypedChoiceField(
            label=_("Seats"), coerce=int, choices=[(seats, str(seats)) for seats in tables], initial=2
        )
        for name, option in OPTIONS.items():
            self.fields[name] = _field(option, "" if name in USUAL_BY_TABLE else usual[name])
        self.usual = {name: str(self.fields[name].initial) for name in OPTIONS}

    def table_fields(self) -> Iterator[forms.BoundField]:
        """Yield the fields that every proposal is about."""
        for name in ("name", "edition", "seats", "teams", "lines_to_win", "bots"):
            if name != "edition" or len(edition_names()) > 1:
                yield self[name]

    def house_rule_fields(self) -> Iterator[forms.BoundField]:
        """Yield the fields of the house rules in the order of the rules."""
        for name in OPTIONS:
            if name != "lines_to_win":
                yield self[name]

    @property
    def has_house_rules(self) -> bool:
        """Whether a house rule differs from the usual game or is at fault: then they are shown."""
        return any(
            str(bound.value() or "").strip() != self.usual[bound.name] or bound.errors
            for bound in self.house_rule_fields()
        )

    def clean(self) -> dict[str, Any]:
        """Refuse more bots than there are other seats, and all that the rules refuse."""
        cleaned = self.cleaned_data
        seats, bots = cleaned.get("seats"), cleaned.get("bots")
        if seats is not None and bots is not None and bots >= seats:
            self.add_error(
                "bots", gettext("One of the seats is yours: at most %(most)d.") % {"most": seats - 1}
            )
        self._judge()
        return cleaned

    def _judge(self) -> None:
        """Show every option that the rules refuse; they name one at a time, so it is left out."""
        table = self.cleaned_data
        seats, teams, options = table.get("seats", 2), table.get("teams"), self.options()
        for _once in range(len(OPTIONS) + 1):
            try:
                make_ruleset(seats, teams, table.get("edition") or "classic", **options)
            except BadOption as error:
                self.refuse(error)
                if error.option not in options:
                    # The table itself: go on with one that takes whatever another might.
                    seats, teams = 2, 2
                    options.pop("chip_limit", None)
                for option in JACKS if error.option in JACKS else (error.option,):
                    options.pop(option, None)
            else:
                return

    def options(self) -> dict[str, Any]:
        """Return the options that were filled in, as `make_ruleset` takes them."""
        return {name: value for name in OPTIONS if (value := self._typed(name))}

    def _typed(self, name: str) -> str:
        """Return what an option is to be; words that are typed may be those of the reader's language."""
        value = str(self.cleaned_data.get(name, "")).strip()
        if OPTIONS[name].values:
            return value
        own_words = {str(word).casefold(): meant for meant, word in TYPED_WORDS.items()}
        return own_words.get(value.casefold(), value)

    def refuse(self, error: BadOption) -> None:
        """Show what the rules refuse, at its field."""
        field = error.option if error.option in self.fields else None
        self.add_error(field, option_in_words(error))


def initial_like(game: Game) -> dict[str, Any]:
    """Return what the form says for a game at the same table by the same rules."""
    table = {
        "name": game.name,
        "edition": game.edition,
        "seats": game.seats,
        "teams": str(game.teams) if game.seats in TABLES_OF_TWO_KINDS else "",
    }
    return table | {name: _as_text(value) for name, value in game.house_rules.items() if name in OPTIONS}


def _as_text(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _field(option: Option, usual: Any) -> forms.Field:
    label = f"{option.label} ({option.rule})"
    explained = f"{option.help} {option.empty}".strip()
    initial = str(usual).lower() if isinstance(usual, bool) else str(usual)
    if option.values:
        return forms.ChoiceField(
            label=label, help_text=explained, choices=list(option.values.items()), initial=initial
        )
    return forms.CharField(label=label, help_text=explained, max_length=200, required=False, initial=initial)
