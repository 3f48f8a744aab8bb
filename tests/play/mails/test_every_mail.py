"""What holds for every kind of mail of games, in every language."""

import re

import pytest

from games.mail.kinds import KINDS, Content
from games.mail.models import Mail
from games.mail.outbox import Draft, enqueue
from games.play.mails.kinds import KINDS as OURS
from games.play.models import Game
from games.play.services.link_mails import mail_links
from games.play.services.proposing import propose_game
from games.play.services.substituting import offer_seat
from tests.builders import NOW, make_member
from tests.mails import rendered, section
from tests.play.builders import player_on_turn
from tests.play.mails.table import act, below_public_url, change, links_in, play, post_game, rule

pytestmark = pytest.mark.django_db

LANGUAGES = ("en", "nl", "sv", "da")
MOST_HTML = 100_000


def one_of_each(language: str) -> dict[str, Content]:
    """Return a mail of each kind, all rendered while they are wanted."""
    found: dict[str, Content] = {}
    game = post_game(4, name="Vier per post", lines_to_win=1, draw_mode="manual")
    organiser = game.club.memberships.get(role="organiser").user
    for member in (organiser, *(place.member for place in game.places.select_related("member"))):
        change(member, language=language)
    Game.objects.filter(pk=game.pk).update(
        expiry="ask", turn_hours=60, bank_hours=25, cap_hours=50, deadline=NOW.replace(year=2027)
    )

    def collect() -> None:
        for mail in Mail.objects.select_related("member").order_by("pk"):
            content = rendered(mail)
            if content is not None:
                found[mail.kind] = content
                if KINDS[mail.kind].section is not None:
                    assert section(mail) is not None

    collect()
    substitute = make_member(game.club).user
    change(substitute, language=language)
    rule(game, "replace", seat="ABCD"[(game.turn_seat or 0) - 3], substitute=substitute)
    rule(game, "pause", reason="Storm.")
    collect()
    rule(game, "resume", reason="It is over.")
    propose_game(proposer=organiser, club=game.club, seats=2, invited={1: substitute}, now=NOW)
    collect()
    play(game, 1)
    rule(game, "table_talk", team="blue")
    act(game, 0, act="offer_draw")
    asked = make_member(game.club).user
    change(asked, language=language)
    offer_seat(organiser=organiser, game_id=game.pk, seat=0, member=asked, now=NOW)
    member = player_on_turn(game)
    refs = {"game": game.pk, "seat": game.turn_seat, "number": 2, "version": game.version, "percent": 85}
    key = f"reminder:{game.uuid}:2:{game.turn_seat}:85"
    about = {"club": game.club_id, "about": member.pk}
    drafts = [
        Draft(key, "reminder", member_id=member.pk, refs=refs),
        Draft("bounced:1", "bounced", member_id=organiser.pk, refs=about),
    ]
    enqueue(drafts, now=NOW)
    mail_links(member=member, now=NOW)
    Game.objects.filter(pk=game.pk).update(deadline=NOW.replace(year=2027))
    collect()
    rule(game, "expire")
    collect()
    rule(game, "rule", winner="blue", reason="Agreed.")
    collect()
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_is_rendered_in_every_language(language):
    found = one_of_each(language)

    assert set(found) == set(OURS)
    for kind, content in found.items():
        assert f'<html lang="{language}"' in content.html, kind
        assert len(content.html.encode()) < MOST_HTML, kind
        assert all(below_public_url(link) for link in links_in(content)), kind
        assert content.subject.strip(), kind
        # Nothing of a template, and no number in the manner of a language: 1,5 or 560.0.
        for part in (content.text, content.html):
            assert not re.search(r"\{\{|\{%|%\(\w+\)s|\{who\}|\{card\}", part), kind
        assert re.search(r'width="560"', content.html) or not content.pictures, kind
        assert "None" not in content.text, kind


def test_each_kind_says_what_it_shares_with_its_thread():
    found = one_of_each("en")

    of_games = {kind: content for kind, content in found.items() if kind not in ("links", "bounced")}
    assert all(content.thread and content.list_id for content in of_games.values())
    to_no_seat = {kind for kind, content in of_games.items() if not content.unsubscribe}
    assert to_no_seat == {"offer", "late", "replaced"}
    begun = {kind: content for kind, content in of_games.items() if kind != "kept"}
    assert all("Check value of the game at event" in content.text for content in begun.values())
    assert (found["links"].thread, found["links"].unsubscribe) == ("", "")


def test_which_kinds_follow_the_cadence_of_the_reader():
    following = {name for name, kind in OURS.items() if kind.section is not None}

    assert following == {
        "turn",
        "draw",
        "pay",
        "talk",
        "answer",
        "started",
        "over",
        "expired",
        "paused",
        "kept",
        "seated",
    }
    assert all((kind.section is None) == (kind.cadence is None) for kind in OURS.values())
    assert all(KINDS[name] is kind for name, kind in OURS.items())
