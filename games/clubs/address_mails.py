"""The mails about a member's address: to agree to a new one, and what tells that it has changed."""

from datetime import datetime

from django.conf import settings
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext

from games.accounts.models import User
from games.clubs.models import Club
from games.clubs.own_address import LINK_LIFE, token_of
from games.mail.frame import compose
from games.mail.kinds import Content, Kind
from games.mail.models import Mail


def render_address(mail: Mail, now: datetime) -> Content | None:
    """Return the mail in the member's language; None once the member or the club is gone."""
    people = User.objects.in_bulk([mail.refs["about"], mail.refs["by"]])
    if mail.refs["about"] == mail.refs["by"]:
        return _changed_by_the_member(people.get(mail.refs["about"]))
    club = Club.objects.filter(pk=mail.refs["club"]).first()
    member, organiser = people.get(mail.refs["about"]), people.get(mail.refs["by"])
    if member is None or organiser is None or club is None:
        return None
    with translation.override(member.language):
        context = {
            "member": member.get_full_name(),
            "organiser": organiser.get_full_name(),
            "club": club.name,
            "is_old": mail.refs["is_old"],
            "settings_url": "",
        }
        return compose(
            "address",
            context,
            subject=gettext("Your address in %(club)s has changed") % {"club": club.name},
            why=gettext("You get this mail because your address at %(club)s has changed.")
            % {"club": club.name},
        )


def _changed_by_the_member(member: User | None) -> Content | None:
    if member is None:
        return None
    with translation.override(member.language):
        site = {"site": settings.SITE_NAME}
        return compose(
            "address_own",
            {"member": member.get_full_name(), "settings_url": ""},
            subject=gettext("Your address at %(site)s has changed") % site,
            why=gettext("You get this mail because this was your address at %(site)s.") % site,
        )


def render_confirm(mail: Mail, now: datetime) -> Content | None:
    """Return the mail in the member's language; None once its link would be too old, or nothing changes."""
    member = User.objects.filter(pk=mail.refs["about"], is_active=True).first()
    if member is None or member.email == mail.address or now - mail.created_at > LINK_LIFE:
        return None
    with translation.override(member.language):
        path = reverse("confirm-address", args=[token_of(mail, member)])
        context = {"member": member.get_full_name(), "link": settings.PUBLIC_URL + path, "settings_url": ""}
        site = {"site": settings.SITE_NAME}
        return compose(
            "confirm",
            context,
            subject=gettext("Is this your new address at %(site)s?") % site,
            why=gettext("You get this mail because somebody entered your address at %(site)s.") % site,
        )


KINDS = {"address": Kind(render_address), "confirm": Kind(render_confirm)}
