"""Shapes of the API of accounts."""

import re
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from timezone_field.rest_framework import TimeZoneSerializerField

from games.accounts.models import SCOPES, Token, User, one_row


class StrictSerializer(serializers.Serializer[Any]):
    """Refuses fields it does not know: a misspelt one is a mistake, not a wish to be passed over."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict):
            unknown = sorted(set(data) - set(self.fields))
            if unknown:
                raise serializers.ValidationError(
                    {name: [gettext("There is no such field.")] for name in unknown}
                )
        return super().to_internal_value(data)


class NameField(serializers.CharField):
    """Text to show: of one row, since it also stands in the subject of mails."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=80, **options)
        self.validators.append(one_row)


@extend_schema_field({"type": "string", "format": "email", "maxLength": 254})
class AddressField(serializers.EmailField):
    """An address for mail, without the control characters that a quoted part might hold."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.validators.append(one_row)


WALL_TIME = r"^([01][0-9]|2[0-3]):[0-5][0-9]$"


@extend_schema_field({"type": "string", "pattern": WALL_TIME, "example": "18:00"})
class WallTimeField(serializers.TimeField):
    """What clocks show, in the member's zone; the `time` of JSON Schema would ask for an offset."""

    def __init__(self, **options: Any) -> None:
        super().__init__(format="%H:%M", **options)

    def to_internal_value(self, value: Any) -> Any:
        if not isinstance(value, str) or not re.fullmatch(WALL_TIME, value, re.ASCII):
            raise serializers.ValidationError(gettext("Give a time of day, such as 18:00."))
        return super().to_internal_value(value)


class MemberSerializer(serializers.ModelSerializer[User]):
    """A member as everybody may see them."""

    class Meta:
        model = User
        fields = ("uuid", "username", "name")
        read_only_fields = fields


class MeSerializer(serializers.ModelSerializer[User]):
    """A member as they see themselves."""

    digest_at = WallTimeField(read_only=True)
    zone = TimeZoneSerializerField(use_pytz=False, help_text="A name of the time zone database.")

    class Meta:
        model = User
        fields: tuple[str, ...] = (
            "uuid", "username", "name", "email", "language", "zone", "cadence", "digest_at",
            "wants_text_only", "leaves_out_hands", "takes_leave_automatically",
        )  # fmt: skip
        read_only_fields = fields


class PreferencesSerializer(StrictSerializer):
    name = NameField(required=False)
    language = serializers.ChoiceField(User._meta.get_field("language").choices or (), required=False)
    zone = serializers.CharField(max_length=63, required=False)
    cadence = serializers.ChoiceField(User._meta.get_field("cadence").choices or (), required=False)
    digest_at = WallTimeField(required=False, help_text="When the daily digest goes out, in `zone`.")
    wants_text_only = serializers.BooleanField(required=False, help_text="Mails without pictures and HTML.")
    leaves_out_hands = serializers.BooleanField(required=False, help_text="Mails do not show the hand.")
    takes_leave_automatically = serializers.BooleanField(
        required=False, help_text="A day of leave is taken before a turn expires, while any are left."
    )

    def validate_zone(self, value: str) -> ZoneInfo:
        try:
            return ZoneInfo(value)
        except (KeyError, ValueError, OSError) as error:
            raise serializers.ValidationError(gettext("There is no such time zone.")) from error


class CodesSerializer(StrictSerializer):
    email = AddressField(max_length=254)


class TokenSerializer(serializers.ModelSerializer[Token]):
    public_id = serializers.UUIDField(read_only=True)
    scopes = serializers.ListField(child=serializers.ChoiceField(SCOPES), source="scope_list", read_only=True)

    class Meta:
        model = Token
        fields = ("public_id", "name", "scopes", "created", "last_used_at", "expiry")
        read_only_fields = fields


class SignInSerializer(StrictSerializer):
    """A username or an address, with a password or a mailed code."""

    username = serializers.CharField(max_length=40, required=False)
    email = serializers.EmailField(max_length=254, required=False)
    password = serializers.CharField(max_length=128, trim_whitespace=False, required=False)
    code = serializers.RegexField(r"^[0-9]{6}\Z", required=False)
    name = NameField(default="API")
    scopes = serializers.ListField(
        child=serializers.ChoiceField(SCOPES), min_length=1, max_length=10, default=["read", "play"]
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("username" in attrs) == ("email" in attrs):
            raise serializers.ValidationError({"username": [gettext("Give either username or email.")]})
        if ("password" in attrs) == ("code" in attrs):
            raise serializers.ValidationError({"password": [gettext("Give either password or code.")]})
        return attrs


class IssuedTokenSerializer(TokenSerializer):
    token = serializers.CharField(read_only=True, help_text="Shown this once.")
    member = MemberSerializer(source="user", read_only=True)

    class Meta:
        model = Token
        fields = ("public_id", "token", "name", "scopes", "created", "last_used_at", "expiry", "member")
        read_only_fields = fields
