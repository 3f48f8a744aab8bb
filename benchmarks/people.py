"""Clubs, members and games in the database of the benchmarks."""

from itertools import count

from django.utils import timezone

from games.accounts.models import User
from games.bots.services import play_bots_in
from games.clubs.models import Club, Membership
from games.play.models import Game
from games.play.services.proposing import propose_game, seat_bot, take_seat

_numbers = count(1)


def club_with(members: int) -> Club:
    number = next(_numbers)
    now = timezone.now()
    club = Club.objects.create(slug=f"bench-{number}", name="Bench", created_at=now)
    for place in range(members):
        user = User.objects.create(username=f"bench{number}-{place}", email="bench@example.org")
        Membership.objects.create(
            club=club, user=user, role="organiser" if place == 0 else "member", joined_at=now
        )
    return club


def members_of(club: Club) -> list[User]:
    return [m.user for m in club.memberships.select_related("user").order_by("pk")]


def games_for(club: Club, count_of_games: int) -> list[Game]:
    """Return running games of the club's first two members."""
    first, second = members_of(club)[:2]
    now = timezone.now()
    games = []
    for _ in range(count_of_games):
        game = propose_game(proposer=first, club=club, seats=2, now=now)
        games.append(take_seat(member=second, game_id=game.pk, now=now))
    return games


def finished_game(turns: int = 80) -> Game:
    """Return a finished bot game of about `turns` turns, its row read again."""
    club = club_with(1)
    organiser = members_of(club)[0]
    now = timezone.now()
    best: Game | None = None
    for _ in range(6):
        game = propose_game(proposer=organiser, club=club, seats=4, teams=2, own_seat=None, now=now)
        for seat in range(4):
            game = seat_bot(host=organiser, game_id=game.pk, seat=seat, now=now)
        play_bots_in(game.pk, now=now)
        game.refresh_from_db()
        if best is None or abs(game.turns - turns) < abs(best.turns - turns):
            best = game
    assert best is not None
    return best
