"""Mails about who sits where: a seat is kept for the reader, given to them, or another has theirs."""

from datetime import datetime

from django.utils.translation import gettext

from games.accounts.models import User
from games.clubs.queries import membership_of
from games.mail.kinds import Content, Section
from games.mail.models import Mail
from games.mail.unsubscribing import unsubscribe_url
from games.play.mails.letter import (
    Letter,
    game_address,
    in_frame,
    letter_about,
    letter_of,
    turn_words,
)
from games.play.mails.pieces import agreement_of, hand_context, score_of, seat_words
from games.play.models import Status
from games.play.presenting import team_name
from games.play.queries import Seen, seen_game
from games.play.telling.spoken import team_and_shape
from games.play.telling.words import game_title, player_name


def render_kept(mail: Mail, now: datetime) -> Content | None:
    """Ask the reader to take the seat that is kept for them in a game that has not begun."""
    member, seen = mail.member, _kept(mail)
    if member is None or seen is None:
        return None
    game, own = seen.game, int(mail.refs["seat"])
    title = game_title(game)
    return in_frame(
        "kept",
        {
            "title": title,
            "told": _kept_words(mail, seen),
            "seats": [seat_words(seen, seat) for seat in range(game.seats) if seat != own],
            "game_url": game_address(game),
            "is_proposal": True,
            **agreement_of(game),
        },
        member=member,
        # A cadence of this game alone is for those who sit in it.
        unsubscribe_url=unsubscribe_url(member),
        list_id=game.club.slug,
        subject=gettext("Will you play? %(game)s") % {"game": title},
        why=gettext("You get this mail because a seat in %(game)s is kept for you.") % {"game": title},
        thread=f"{game.uuid}.{seen.places[own].letter}",
    )


def kept_section(mail: Mail, now: datetime) -> Section | None:
    seen = _kept(mail)
    if seen is None:
        return None
    lines = tuple(_kept_words(mail, seen))
    return Section(game_title(seen.game), lines, game_address(seen.game), gettext("Look and take the seat"))


def render_seated(mail: Mail, now: datetime) -> Content | None:
    """Tell who was given a seat in the middle of a game, and whose turn it is (R21)."""
    letter = _seated(mail, now)
    if letter is None:
        return None
    return letter.compose(
        "seated",
        gettext("You have a seat: %(game)s") % {"game": letter.title},
        told=_seated_words(letter),
        score=score_of(letter),
        **hand_context(letter, game_address(letter.game)),
        **agreement_of(letter.game),
    )


def seated_section(mail: Mail, now: datetime) -> Section | None:
    letter = _seated(mail, now)
    if letter is None:
        return None
    return letter.section(_seated_words(letter), game_address(letter.game), gettext("See the game"))


def render_replaced(mail: Mail, now: datetime) -> Content | None:
    """Tell who has had a seat that another member has it now; not once they hold one again."""
    letter = letter_about(mail, now)
    if letter is None or letter.seen.seat is not None:
        return None
    words = {"game": letter.title, "seat": letter.place.letter}
    return letter.compose(
        "replaced",
        gettext("Another member has your seat: %(game)s") % words,
        why=gettext("You get this mail because you played in %(game)s, seat %(seat)s.") % words,
        shows_board=False,
        told=_replaced_words(letter),
    )


def _kept(mail: Mail) -> Seen | None:
    """Return the game if the seat is still kept for the reader, who may take it."""
    member = mail.member
    seen = None if member is None else seen_game(mail.refs["game"], member)
    if member is None or seen is None or seen.game.status != Status.PROPOSED or seen.seat is not None:
        return None
    place = seen.places[mail.refs["seat"]]
    is_kept = place.invited_id == member.pk and not place.is_taken
    return seen if is_kept and membership_of(member, seen.game.club) is not None else None


def _kept_words(mail: Mail, seen: Seen) -> list[str]:
    place, game = seen.places[mail.refs["seat"]], seen.game
    words = {
        "who": _name_of(mail.refs["by"]),
        "letter": place.letter,
        "team": team_and_shape(place.number % game.teams, team_name(game, place.number)),
    }
    told = [gettext("Seat %(letter)s is kept for you (%(team)s).") % words]
    if words["who"]:
        told.insert(0, gettext("%(who)s asks you to play.") % words)
    return told


def _seated(mail: Mail, now: datetime) -> Letter | None:
    letter = letter_of(mail, now)
    return letter if letter is not None and letter.game.status == Status.ACTIVE else None


def _seated_words(letter: Letter) -> list[str]:
    """Return who gave the seat, and whose turn it is by now."""
    game = letter.game
    words = {"who": _name_of(letter.mail.refs["by"]), "letter": letter.place.letter}
    told = [
        gettext("%(who)s has given you seat %(letter)s: you play it from now on.") % words
        if words["who"]
        else gettext("You play seat %(letter)s from now on.") % words
    ]
    if letter.is_on_turn:
        return [*told, f"{turn_words(game, letter.member)}."]
    if game.turn_seat == letter.place.number:
        told.append(gettext("A bot plays this one turn for you."))
    elif game.turn_seat is not None:
        on_turn = player_name(letter.seen.places[game.turn_seat])
        told.append(gettext("It is the turn of %(on_turn)s.") % {"on_turn": on_turn})
    return [*told, gettext("A mail comes when it is your turn.")]


def _replaced_words(letter: Letter) -> list[str]:
    by = letter.mail.refs["by"]
    words = {"who": _name_of(by), "letter": letter.place.letter, "player": player_name(letter.place)}
    is_given = words["who"] and by != letter.place.member_id
    told = [
        gettext("%(who)s has given your seat %(letter)s to %(player)s.") % words
        if is_given
        else gettext("%(player)s has your seat %(letter)s now.") % words,
        gettext(
            "You have nothing more to do in this game: the links in your earlier mails do not play any more."
        ),
    ]
    if is_given:
        told.append(gettext("If you did not expect this, ask an organiser of your club."))
    return told


def _name_of(member: int) -> str:
    """Return the name of who gave reason to a mail; empty if they are gone."""
    user = User.objects.filter(pk=member).first()
    return "" if user is None else user.get_full_name()
