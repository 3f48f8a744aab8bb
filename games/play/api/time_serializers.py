"""Shapes of the API of clocks, leave and holidays."""

from typing import Any

from django.utils.translation import gettext
from rest_framework import serializers

from games.accounts.api_serializers import NameField, StrictSerializer
from games.clubs.models import Holiday
from games.play.clocks import MOST_BANK_HOURS, MOST_INCREMENT_HOURS, MOST_TURN_HOURS, Clock
from games.play.models import Leave


class ClockSerializer(serializers.Serializer[Any]):
    """What was agreed about time (R22), in hours."""

    turn_hours = serializers.IntegerField()
    bank_hours = serializers.IntegerField()
    increment_hours = serializers.IntegerField()
    cap_hours = serializers.IntegerField()
    rests_at_weekends = serializers.BooleanField()


class NewClockSerializer(StrictSerializer):
    """A clock to be agreed on; valid data is a Clock."""

    turn_hours = serializers.IntegerField(
        min_value=1, max_value=MOST_TURN_HOURS, help_text="How long a turn may take."
    )
    bank_hours = serializers.IntegerField(
        min_value=0,
        max_value=MOST_BANK_HOURS,
        default=0,
        help_text="What each seat has beside it, for the whole game.",
    )
    increment_hours = serializers.IntegerField(
        min_value=0,
        max_value=MOST_INCREMENT_HOURS,
        default=0,
        help_text="What each turn that the seat takes itself adds to its bank.",
    )
    cap_hours = serializers.IntegerField(
        min_value=0,
        max_value=MOST_BANK_HOURS,
        allow_null=True,
        default=None,
        help_text="What a bank holds at most; as much as at first by default.",
    )
    rests_at_weekends = serializers.BooleanField(default=False)

    def validate(self, attrs: dict[str, Any]) -> Any:
        if attrs["cap_hours"] is None:
            attrs["cap_hours"] = attrs["bank_hours"]
        if attrs["cap_hours"] < attrs["bank_hours"]:
            raise serializers.ValidationError(
                {"cap_hours": [gettext("Give no less than the bank holds at first.")]}
            )
        return Clock(**attrs)


class NewLeaveSerializer(StrictSerializer):
    starts_on = serializers.DateField()
    ends_on = serializers.DateField()


class LeaveSerializer(serializers.ModelSerializer[Leave]):
    class Meta:
        model = Leave
        fields = ("id", "starts_on", "ends_on", "is_automatic")
        read_only_fields = fields


class DaysLeftSerializer(serializers.Serializer[Any]):
    year = serializers.IntegerField()
    days = serializers.IntegerField()


class LeavesSerializer(serializers.Serializer[Any]):
    results = LeaveSerializer(many=True)
    days_left = DaysLeftSerializer(many=True)


class NewHolidaySerializer(NewLeaveSerializer):
    name = NameField()


class HolidaySerializer(serializers.ModelSerializer[Holiday]):
    class Meta:
        model = Holiday
        fields = ("id", "name", "starts_on", "ends_on")
        read_only_fields = fields
