"""A club that Olga organises, with a running game of three; `organiser` is her browser."""

import pytest

from tests.builders import make_club, make_user
from tests.play.builders import make_game
from tests.play.reading import signed_in


@pytest.fixture
def olga():
    return make_user("olga")


@pytest.fixture
def club(olga):
    return make_club("tuesday", name="Tuesday", organiser=olga, is_open=True)


@pytest.fixture
def game(club):
    return make_game(3, club=club)


@pytest.fixture
def organiser(olga):
    return signed_in(olga)
