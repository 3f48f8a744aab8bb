"""Who sees which club."""

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet

from games.accounts.models import User
from games.clubs.models import Club, Invitation, Membership, Role

Viewer = User | AnonymousUser


def membership_of(user: Viewer, club: Club) -> Membership | None:
    """Return the present membership of `user` in `club`."""
    if not isinstance(user, User):
        return None
    return Membership.objects.filter(club=club, user=user, left_at__isnull=True).first()


def is_organiser(user: Viewer, club: Club) -> bool:
    membership = membership_of(user, club)
    return membership is not None and membership.role == Role.ORGANISER


def can_see_club(user: Viewer, club: Club) -> bool:
    """Tell whether `club` exists for `user`: open ones do for everybody."""
    return club.is_open or membership_of(user, club) is not None


def clubs_of(user: User) -> QuerySet[Club]:
    """Return the clubs that `user` is in now."""
    return Club.objects.filter(
        pk__in=Membership.objects.filter(user=user, left_at__isnull=True).values("club_id")
    )


def visible_clubs(user: Viewer) -> QuerySet[Club]:
    """Return the open clubs and those that `user` is in."""
    if not isinstance(user, User):
        return Club.objects.filter(is_open=True)
    own = Membership.objects.filter(user=user, left_at__isnull=True).values("club_id")
    return Club.objects.filter(Q(is_open=True) | Q(pk__in=own))


def members(club: Club) -> QuerySet[Membership]:
    """Return the present memberships of `club` with their members."""
    return Membership.objects.filter(club=club, left_at__isnull=True).select_related("user").order_by("id")


def open_invitations(club: Club) -> QuerySet[Invitation]:
    """Return the invitations of `club` that nobody has accepted."""
    return Invitation.objects.filter(club=club, accepted_at__isnull=True).select_related("invited_by")
