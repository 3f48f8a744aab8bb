"""Shapes of the API of games: what requests hold, and how answers are described."""

from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.accounts.api_serializers import MemberSerializer, NameField, StrictSerializer
from games.play.api.time_serializers import ClockSerializer, NewClockSerializer
from games.play.api.versions import MAX_VERSION
from games.play.models import Source, Status
from games.play.services.organising import RULINGS
from games.play.wording import SEAT_ACTS
from games.rules.actions import EXPIRY_POLICIES
from games.rules.events import ENDS
from games.rules.ruleset import TEAM_NAMES

NONCE_HELP = "Lower-case hex, at most 32 bytes: with it the order of the cards is not the server's alone."
RESULTS = (*TEAM_NAMES, "draw")


class SeatField(serializers.RegexField):
    """A seat by its letter; whether the game has it is judged later."""

    def __init__(self, **options: Any) -> None:
        super().__init__(r"^[A-Xa-x]$", error_messages={"invalid": _("Give a seat's letter.")}, **options)


class SpacesField(serializers.ListField):
    def __init__(self, **options: Any) -> None:
        super().__init__(child=serializers.CharField(), **options)


class EndsField(serializers.ListField):
    """A line by its two ends."""

    def __init__(self, **options: Any) -> None:
        super().__init__(child=serializers.CharField(max_length=4), min_length=2, max_length=2, **options)


# What requests hold --------------------------------------------------------------------------------


class KeptSeatSerializer(StrictSerializer):
    seat = SeatField()
    member = serializers.UUIDField()


class NewGameSerializer(StrictSerializer):
    club = serializers.SlugField(max_length=50)
    seats = serializers.IntegerField(min_value=0, max_value=1000)
    teams = serializers.IntegerField(min_value=0, max_value=1000, allow_null=True, default=None)
    edition = serializers.CharField(max_length=40, default="classic")
    options = serializers.DictField(default=dict, help_text="House rules; see /editions/{name}.")
    name = NameField(default="", allow_blank=True)
    expiry = serializers.ChoiceField(EXPIRY_POLICIES, default="ask")
    clock = NewClockSerializer(allow_null=True, default=None, help_text="Null: no time ever runs out.")
    seat = SeatField(default="A", allow_null=True, help_text="The proposer's own; null for none.")
    nonce = serializers.CharField(max_length=64, default="", allow_blank=True, help_text=NONCE_HELP)
    invited = KeptSeatSerializer(many=True, default=list, max_length=24)  # type: ignore[call-arg]
    bots = serializers.ListField(child=SeatField(), default=list, max_length=24)


class JoinSerializer(StrictSerializer):
    seat = SeatField(allow_null=True, default=None, help_text="Else the first free seat.")
    nonce = serializers.CharField(max_length=64, default="", allow_blank=True, help_text=NONCE_HELP)


class InvitationToSeatSerializer(StrictSerializer):
    member = serializers.UUIDField(allow_null=True)


class BotSerializer(StrictSerializer):
    seat = SeatField()


class RequestSerializer(StrictSerializer):
    """What every request about a version of a game may hold."""

    expected_version = serializers.IntegerField(
        min_value=0, max_value=MAX_VERSION, allow_null=True, default=None, help_text="In place of If-Match."
    )


class TurnSerializer(RequestSerializer):
    act = serializers.ChoiceField(SEAT_ACTS)
    card = serializers.CharField(max_length=8, required=False)
    space = serializers.CharField(max_length=4, required=False)
    lines = serializers.ListField(
        child=EndsField(),
        required=False,
        max_length=200,
        help_text='Lines to claim or announce, each by its ends: [["c5", "g9"]].',
    )


class RulingSerializer(RequestSerializer):
    act = serializers.ChoiceField(RULINGS)
    team = serializers.ChoiceField(TEAM_NAMES, required=False, help_text="With table_talk.")
    seat = SeatField(required=False, help_text="With replace.")
    member = serializers.UUIDField(required=False, help_text="With replace: the substitute.")
    winner = serializers.ChoiceField(RESULTS, required=False, help_text="With rule.")
    reason = serializers.CharField(
        max_length=2000, required=False, help_text="With rule, annul, pause and resume."
    )


@extend_schema_field({"oneOf": [{"type": "string"}, {"type": "object", "additionalProperties": {}}]})
class RecordField(serializers.Field[Any, Any, Any, Any]):
    """A record as SQN text, as JSON text, or as the JSON object itself; judged by the rules."""

    def to_internal_value(self, data: Any) -> str | dict[str, Any]:
        if not isinstance(data, str | dict):
            raise serializers.ValidationError(gettext("Give a record as text or as a JSON object."))
        return data

    def to_representation(self, value: Any) -> Any:
        return value


class RecordSerializer(StrictSerializer):
    record = RecordField(help_text="SQN text, or its JSON twin as text or object.")


class NewRecordSerializer(RecordSerializer):
    club = serializers.SlugField(max_length=50)
    name = NameField(default="", allow_blank=True)


# How answers are described -------------------------------------------------------------------------


class PlayerSerializer(serializers.Serializer[Any]):
    """A member, or only a name from an imported record."""

    uuid = serializers.UUIDField(required=False)
    username = serializers.CharField(required=False)
    name = serializers.CharField()


class SeatSerializer(serializers.Serializer[Any]):
    seat = serializers.CharField()
    team = serializers.ChoiceField(TEAM_NAMES)
    player = PlayerSerializer(allow_null=True)
    is_bot = serializers.BooleanField()
    is_taken = serializers.BooleanField()
    is_active = serializers.BooleanField()
    bank_seconds = serializers.IntegerField(allow_null=True, help_text="As the turn began.")
    kept_for = serializers.UUIDField(allow_null=True, help_text="The member whom this free seat waits for.")


class GameSummarySerializer(serializers.Serializer[Any]):
    """A game in a list."""

    id = serializers.IntegerField()
    uuid = serializers.UUIDField()
    club = serializers.CharField()
    name = serializers.CharField(allow_blank=True)
    status = serializers.ChoiceField(Status.choices)
    source = serializers.ChoiceField(Source.choices)  # type: ignore[assignment]
    edition = serializers.CharField()
    seat_count = serializers.IntegerField()
    team_count = serializers.IntegerField()
    house_rules = serializers.DictField(help_text="The options that differ from their defaults.")
    expiry = serializers.ChoiceField(EXPIRY_POLICIES)
    clock = ClockSerializer(allow_null=True)
    deadline = serializers.DateTimeField(allow_null=True, help_text="Null while no time runs.")
    rules_version = serializers.IntegerField()
    version = serializers.IntegerField(help_text="The number of the last event.")
    head_hash = serializers.CharField()
    seal = serializers.CharField(allow_null=True)
    turn_seat = serializers.CharField(allow_null=True)
    turns = serializers.IntegerField()
    turn_since = serializers.DateTimeField(allow_null=True)
    winner = serializers.ChoiceField(RESULTS, allow_null=True)
    end = serializers.ChoiceField(ENDS, allow_null=True)
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    seats = SeatSerializer(many=True)


class TurnOfPositionSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    seat = serializers.CharField(allow_null=True)
    swaps_used = serializers.IntegerField()


class LineSerializer(serializers.Serializer[Any]):
    team = serializers.ChoiceField(TEAM_NAMES)
    spaces = SpacesField()


class HandSerializer(serializers.Serializer[Any]):
    size = serializers.IntegerField()
    cards = SpacesField(allow_null=True, help_text="Null for a hand that the caller may not see.")


class OfferSerializer(serializers.Serializer[Any]):
    team = serializers.ChoiceField(TEAM_NAMES)
    agreed = serializers.ListField(child=serializers.ChoiceField(TEAM_NAMES))


class ResultSerializer(serializers.Serializer[Any]):
    winner = serializers.ChoiceField(RESULTS, allow_null=True)
    end = serializers.ChoiceField(ENDS)


class RecordedResultSerializer(serializers.Serializer[Any]):
    winner = serializers.ChoiceField(RESULTS, allow_null=True)
    end = serializers.CharField()


class PositionSerializer(serializers.Serializer[Any]):
    """The board, the cards that the caller knows, and whose turn it is."""

    viewer = serializers.CharField(allow_null=True)
    turn = TurnOfPositionSerializer()
    chips = serializers.DictField(child=SpacesField())
    locked = serializers.DictField(child=SpacesField())
    lines = LineSerializer(many=True)
    last = serializers.CharField(allow_null=True)
    hands = serializers.DictField(child=HandSerializer())
    discards = serializers.DictField(child=SpacesField())
    draw_pile = serializers.IntegerField()
    reshuffles = serializers.IntegerField()
    draws_due = serializers.DictField(child=serializers.IntegerField())
    cards_owed = serializers.DictField(child=serializers.IntegerField())
    out = SpacesField(help_text="Seats that have left the game.")
    offer = OfferSerializer(allow_null=True)
    is_paused = serializers.BooleanField()
    result = ResultSerializer(allow_null=True)


class YouSerializer(serializers.Serializer[Any]):
    seat = serializers.CharField(allow_null=True)
    may_act = serializers.BooleanField()


class GameSerializer(GameSummarySerializer):
    """A game as the caller sees it; `position` is that of version `at`, null before the start."""

    at = serializers.IntegerField()
    position = PositionSerializer(allow_null=True)
    you = YouSerializer()


class ActionSerializer(serializers.Serializer[Any]):
    """An action that may be sent as a turn as it stands; `claims` are sets of lines to choose from."""

    act = serializers.ChoiceField(SEAT_ACTS)
    card = serializers.CharField(required=False)
    space = serializers.CharField(required=False)
    lines = serializers.ListField(child=EndsField(), required=False)
    claims = serializers.ListField(child=serializers.ListField(child=EndsField()), required=False)


class LegalSerializer(serializers.Serializer[Any]):
    version = serializers.IntegerField()
    seat = serializers.CharField(allow_null=True)
    actions = ActionSerializer(many=True)
    unclaimed = serializers.ListField(
        child=EndsField(), help_text="Full lines that may be announced, where lines are announced (R18)."
    )


class TakenSerializer(serializers.Serializer[Any]):
    """The game right after what was asked; a repeat answers the same, whatever has happened since."""

    game = serializers.IntegerField()
    version = serializers.IntegerField()
    position = PositionSerializer()


class ReasonSerializer(serializers.Serializer[Any]):
    """The words of a ruling; `hash`, which its event holds, is the SHA-256 of `nonce|text`."""

    hash = serializers.CharField()
    nonce = serializers.CharField()
    text = serializers.CharField()
    given_by = MemberSerializer(allow_null=True)
    given_at = serializers.DateTimeField()


class ReasonsSerializer(serializers.Serializer[Any]):
    results = ReasonSerializer(many=True)


class TenureSerializer(serializers.Serializer[Any]):
    seat = serializers.CharField(source="seat.letter")
    member = MemberSerializer(allow_null=True)
    from_version = serializers.IntegerField()
    until_version = serializers.IntegerField(allow_null=True)
    since = serializers.DateTimeField()
    until = serializers.DateTimeField(allow_null=True)


class TenuresSerializer(serializers.Serializer[Any]):
    results = TenureSerializer(many=True)


class EventSerializer(serializers.Serializer[Any]):
    """One fact of a game (docs/events.md); `actor` is a member's uuid or a bot's, null for the clock."""

    number = serializers.IntegerField()
    type = serializers.CharField()
    schema_version = serializers.IntegerField(help_text="How the body is written.")
    seat = serializers.CharField(allow_null=True)
    actor = serializers.UUIDField(allow_null=True)
    body = serializers.DictField()
    recorded_at = serializers.DateTimeField()
    prev_hash = serializers.CharField()
    hash = serializers.CharField()


class EventsSerializer(serializers.Serializer[Any]):
    version = serializers.IntegerField(help_text="The number of the last event there is.")
    results = EventSerializer(many=True)


class TableSerializer(serializers.Serializer[Any]):
    seats = serializers.IntegerField()
    teams = serializers.ListField(child=serializers.IntegerField())
    hand_size = serializers.IntegerField()


class OptionSerializer(serializers.Serializer[Any]):
    """A house rule: `values` are its words, `least` and `most` bound its numbers."""

    name = serializers.CharField()
    rule = serializers.CharField()
    default = serializers.JSONField(help_text="Null where it follows from the seats or the edition.")
    values = serializers.ListField(child=serializers.JSONField())
    least = serializers.IntegerField(allow_null=True)
    most = serializers.IntegerField(allow_null=True)


class EditionNameSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    title = serializers.CharField()


class EditionsSerializer(serializers.Serializer[Any]):
    results = EditionNameSerializer(many=True)


class EditionSerializer(EditionNameSerializer):
    """A board, its cards and what may be agreed before a game."""

    board = serializers.ListField(
        child=SpacesField(), help_text="The card printed on each space, row by row; `**` is a corner."
    )
    cards = SpacesField(help_text="Every card once, in canonical order.")
    packs = serializers.IntegerField()
    two_eyed_jacks = SpacesField()
    one_eyed_jacks = SpacesField()
    tables = TableSerializer(many=True)
    options = OptionSerializer(many=True)


class CheckedRecordSerializer(serializers.Serializer[Any]):
    """A record that holds; `seal_holds` and `deal_holds` are null where the record does not have them."""

    edition = serializers.CharField()
    seat_count = serializers.IntegerField()
    team_count = serializers.IntegerField()
    house_rules = serializers.DictField()
    view = serializers.CharField()
    turns = serializers.IntegerField()
    result = RecordedResultSerializer(allow_null=True)
    seal_holds = serializers.BooleanField(allow_null=True)
    deal_holds = serializers.BooleanField(allow_null=True)


class DealSerializer(serializers.Serializer[Any]):
    """Where the order of the cards came from, and whether it is as promised (docs/record-format.md)."""

    seal = serializers.CharField(allow_null=True)
    secret = serializers.CharField(allow_null=True)
    nonces = SpacesField()
    cuts = serializers.ListField(child=SpacesField())
    start = serializers.CharField()
    deck = SpacesField(allow_null=True, help_text="The top card first; null where a record does not say it.")
    reshuffles = serializers.ListField(child=SpacesField())
    seal_holds = serializers.BooleanField(allow_null=True, help_text="The secret is the sealed one.")
    deal_holds = serializers.BooleanField(
        allow_null=True, help_text="The cut, the first seat and every drawn card follow from the secret."
    )
