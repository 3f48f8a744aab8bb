"""Shapes of the API of clubs."""

from typing import Any

from rest_framework import serializers

from games.accounts.api_serializers import AddressField, NameField, StrictSerializer
from games.clubs.models import Club, Invitation, Membership, Role


class ClubSerializer(serializers.ModelSerializer[Club]):
    role = serializers.ChoiceField(
        Role.choices, read_only=True, allow_null=True, help_text="The caller's own role; null outside."
    )

    class Meta:
        model = Club
        fields = ("slug", "name", "is_open", "created_at", "role")
        read_only_fields = fields


class NewClubSerializer(StrictSerializer):
    slug = serializers.RegexField(r"^[a-z0-9][a-z0-9-]*\Z", max_length=50)
    name = NameField()
    is_open = serializers.BooleanField(default=False)


class ClubChangesSerializer(StrictSerializer):
    name = NameField(required=False)
    is_open = serializers.BooleanField(required=False)


class MembershipSerializer(serializers.ModelSerializer[Membership]):
    """A member of a club; the address is there for organisers only."""

    uuid = serializers.UUIDField(source="user.uuid", read_only=True)
    username = serializers.CharField(source="user.username", read_only=True)
    name = serializers.CharField(source="user.name", read_only=True)

    class Meta:
        model = Membership
        fields: tuple[str, ...] = ("uuid", "username", "name", "role", "joined_at")
        read_only_fields: tuple[str, ...] = fields


class MembershipForOrganisersSerializer(MembershipSerializer):
    email = serializers.EmailField(source="user.email", read_only=True)

    class Meta(MembershipSerializer.Meta):
        fields = (*MembershipSerializer.Meta.fields, "email")
        read_only_fields = fields


class ClubMemberSerializer(MembershipForOrganisersSerializer):
    """Describes either of the two above."""

    email = serializers.EmailField(required=False, help_text="For organisers of the club only.")


class RoleSerializer(StrictSerializer):
    role = serializers.ChoiceField(Role.choices)


class InvitationSerializer(serializers.ModelSerializer[Invitation]):
    invited_by = serializers.CharField(
        source="invited_by.username", default=None, read_only=True, allow_null=True
    )

    class Meta:
        model = Invitation
        fields = ("email", "role", "invited_by", "created_at", "expires_at")
        read_only_fields = fields


class NewInvitationSerializer(StrictSerializer):
    email = AddressField(max_length=254)
    role = serializers.ChoiceField(Role.choices, default=Role.MEMBER.value)


class AcceptSerializer(StrictSerializer):
    code = serializers.CharField(max_length=100)


class AcceptedSerializer(serializers.Serializer[Any]):
    club = serializers.SlugField(source="club.slug")
    role = serializers.ChoiceField(Role.choices)
    joined_at = serializers.DateTimeField()
