"""Changes to a club at the same time, with real commits."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from games.clubs import services
from games.clubs.models import Club, Invitation, Membership, Role
from games.clubs.services import AlreadyMember, InvitationNotValid, LastOrganiser, SlugTaken
from tests.builders import NOW, make_club, make_member, make_user

pytestmark = pytest.mark.django_db(transaction=True)

REFUSALS = (AlreadyMember, InvitationNotValid, LastOrganiser, SlugTaken)


def at_once(*works: Callable[[], Any]) -> list[Any]:
    """Call all of `works` at the same moment, each on a connection of its own."""
    barrier = Barrier(len(works))

    def call(work: Callable[[], Any]) -> Any:
        connection.ensure_connection()
        barrier.wait(60)
        try:
            return work()
        except REFUSALS as refusal:
            return type(refusal)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(call, works))


@pytest.mark.parametrize("attempt", range(5))
def test_two_organisers_leaving_at_once_leave_one_behind(attempt):
    anna, bo = make_user("anna"), make_user("bo")
    club = make_club(organiser=anna)
    make_member(club, bo, role=Role.ORGANISER)

    results = at_once(
        lambda: services.leave_club(club=club, user=anna, now=NOW),
        lambda: services.change_role(club=club, user=bo, role=Role.MEMBER),
    )

    assert results.count(LastOrganiser) == 1
    assert Membership.objects.filter(club=club, role=Role.ORGANISER, left_at=None).count() == 1


def test_ten_organisers_leaving_at_once_leave_one_behind():
    organisers = [make_user() for _ in range(10)]
    club = make_club()
    for organiser in organisers:
        make_member(club, organiser, role=Role.ORGANISER)

    results = at_once(
        *(lambda user=user: services.leave_club(club=club, user=user, now=NOW) for user in organisers)
    )

    assert results.count(LastOrganiser) == 1
    assert Membership.objects.filter(club=club, left_at=None).count() == 1


def test_an_invitation_posted_by_ten_at_once_lets_one_in():
    alice = make_user("alice")
    club = make_club(organiser=alice)
    code = services.invite(club=club, by=alice, email="dora@example.org", role=Role.MEMBER, now=NOW).code

    results = at_once(
        *(
            lambda user=user: services.accept_invitation(code=code, user=user, now=NOW)
            for user in [make_user() for _ in range(10)]
        )
    )

    assert results.count(InvitationNotValid) == 9
    assert Membership.objects.filter(club=club, role=Role.MEMBER).count() == 1


def test_two_invitations_accepted_at_once_make_one_membership():
    alice, dora = make_user("alice"), make_user("dora")
    club = make_club(organiser=alice)
    for where in ("work", "home"):
        services.invite(club=club, by=alice, email=f"dora@{where}.example", role=Role.MEMBER, now=NOW)
    codes = [invitation.code for invitation in Invitation.objects.all()]

    results = at_once(
        *(lambda code=code: services.accept_invitation(code=code, user=dora, now=NOW) for code in codes)
    )

    assert results.count(AlreadyMember) == 1
    assert Membership.objects.filter(club=club, user=dora).count() == 1


def test_fifty_clubs_founded_at_once_under_one_slug_are_one():
    anna = make_user("anna")

    results = at_once(
        *(
            lambda: services.create_club(organiser=anna, slug="owls", name="Owls", is_open=False, now=NOW)
            for _ in range(50)
        )
    )

    assert results.count(SlugTaken) == 49
    assert Club.objects.get().memberships.get().role == Role.ORGANISER
