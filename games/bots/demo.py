"""The demo's clubs, members and games; what is there already stays as it is."""

from collections.abc import Iterator
from datetime import datetime

from games.accounts.models import User
from games.bots.services import play_bots_in
from games.clubs.models import Club, Invitation, Membership
from games.clubs.services import create_club, invite
from games.play.clocks import Clock
from games.play.links import link_for
from games.play.models import Game, TurnLink
from games.play.queries import seats_of, waiting_for
from games.play.services.proposing import propose_game, seat_bot, take_seat

PASSWORD = "five-in-a-row"  # noqa: S105 - of a demo that only this machine can reach
PEOPLE = (
    ("anna", "Anna Berg", "en", "Europe/London"),
    ("bo", "Bo Lindgren", "sv", "Europe/Stockholm"),
    ("carla", "Carla de Vries", "nl", "Europe/Amsterdam"),
    ("dorte", "Dorte Holm", "da", "Europe/Copenhagen"),
    ("emil", "Emil Strand", "sv", "Europe/Stockholm"),
    ("femke", "Femke Bakker", "nl", "Europe/Amsterdam"),
)
CLUBS = (
    ("tuesday-club", "The Tuesday Club", True, "anna bo carla dorte emil femke"),
    ("havenclub", "Havenclub Harlingen", False, "carla femke anna"),
    ("norra-klubben", "Norra klubben", False, "bo emil dorte"),
)
THREE_DAYS = Clock(turn_hours=72)
NEWCOMER = "newcomer@example.org"
FINISHED_AT_ONCE = ((2, 2), (3, 3), (4, 2), (6, 3))
LEFT_TO_THE_WORKER = ((2, 2),) * 30 + ((3, 3),) * 10 + ((4, 2),) * 10 + ((6, 2),) * 5 + ((6, 3),) * 5


def seed(*, now: datetime) -> Iterator[str]:
    """Make the demo's data once and yield how to sign in."""
    # The invitation is made last: a start that was killed half way goes on at the next.
    if not Invitation.objects.filter(email=NEWCOMER).exists():
        people = {username: _member(username, *rest) for username, *rest in PEOPLE}
        clubs = [_club(slug, name, is_open, [people[who] for who in who_all.split()], now)
                 for slug, name, is_open, who_all in CLUBS]  # fmt: skip
        _games(people, clubs, now)
        invite(club=clubs[0], by=people["anna"], email=NEWCOMER, role="member", now=now)
    yield f"sign in as anna (or {', '.join(who for who, *_ in PEOPLE[1:])}), password {PASSWORD}"
    yield from _turn_links(User.objects.get(username="anna"), now)


def _turn_links(member: User, now: datetime) -> Iterator[str]:
    """Yield a link with which `member` takes a turn without signing in, as the mail of the turn has it."""
    for game in waiting_for(member).order_by("pk"):
        seat = next(place.number for place in seats_of(game) if place.member_id == member.pk)
        if game.turn_seat == seat:
            link = link_for(game, seat, member, TurnLink.Purpose.TURN, game.turns + 1, now=now)
            yield f"{member.get_full_name()}'s turn in {game}, without signing in: {link}"
            return


def _member(username: str, name: str, language: str, zone: str) -> User:
    user, _ = User.objects.get_or_create(
        username=username,
        defaults={"name": name, "language": language, "zone": zone, "email": f"{username}@example.org"},
    )
    user.set_password(PASSWORD)
    user.save(update_fields=["password"])
    return user


def _club(slug: str, name: str, is_open: bool, members: list[User], now: datetime) -> Club:
    known = Club.objects.filter(slug=slug).first()
    if known is not None:
        return known
    club = create_club(organiser=members[0], slug=slug, name=name, is_open=is_open, now=now)
    for member in members[1:]:
        Membership.objects.create(club=club, user=member, joined_at=now)
    return club


def _games(people: dict[str, User], clubs: list[Club], now: datetime) -> None:
    tuesday, haven, norra = clubs
    for seats, teams in FINISHED_AT_ONCE:
        play_bots_in(_bots(tuesday, seats, teams, now).pk, now=now)
    for seats, teams in LEFT_TO_THE_WORKER:
        _bots(tuesday, seats, teams, now)
    _table(tuesday, "Anna and Bo", [people["anna"], people["bo"]], now)
    _table(tuesday, "Four by post", [people[who] for who in ("anna", "bo", "carla", "dorte")], now)
    _table(haven, "Drie aan tafel", [people["carla"], people["femke"], people["anna"]], now)
    _table(norra, "Nordiskt möte", [people["bo"], people["emil"]], now)
    for name in ("Against the house", "Against the house again"):
        game = propose_game(proposer=people["anna"], club=tuesday, seats=2, name=name, now=now)
        seat_bot(host=people["anna"], game_id=game.pk, seat=1, now=now)
        # If the bot begins: there is a turn of Anna's to show in any case.
        play_bots_in(game.pk, now=now)
    propose_game(
        proposer=people["bo"], club=tuesday, seats=2, name="Who joins Bo?", clock=THREE_DAYS, now=now
    )
    propose_game(
        proposer=people["carla"],
        club=tuesday,
        seats=6,
        teams=3,
        name="Three teams, a longer game",
        options={"lines_to_win": 2, "idle_rounds": 2},
        clock=Clock(turn_hours=24, bank_hours=72, increment_hours=6, cap_hours=96, rests_at_weekends=True),
        expiry="pass",
        now=now,
    )


def _table(club: Club, name: str, players: list[User], now: datetime) -> Game:
    game = propose_game(
        proposer=players[0], club=club, seats=len(players), name=name, clock=THREE_DAYS, now=now
    )
    for player in players[1:]:
        game = take_seat(member=player, game_id=game.pk, now=now)
    return game


def _bots(club: Club, seats: int, teams: int, now: datetime) -> Game:
    organiser = club.memberships.select_related("user").get(role="organiser").user
    options = {"idle_rounds": 2} if teams == 3 else {}
    game = propose_game(
        proposer=organiser,
        club=club,
        seats=seats,
        teams=teams,
        name="Bots at practice",
        options=options,
        own_seat=None,
        now=now,
    )
    for seat in range(seats):
        game = seat_bot(host=organiser, game_id=game.pk, seat=seat, now=now)
    return game
