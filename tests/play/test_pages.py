"""The pages of games, read and used as a browser without JavaScript does."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from games.accounts.models import User
from games.clubs.models import Role
from games.play.log import Event
from games.play.models import Game, Status
from games.play.pages.history import last_plays
from games.play.pages.spoken import card_name
from games.play.queries import seen_game
from games.play.services.organising import rule_game
from games.play.services.proposing import propose_game
from games.play.services.turns import take_turn
from games.play.templatetags.rule_links import rule_links
from tests.builders import NOW, make_club, make_member, make_user
from tests.play.builders import legal, make_game, play_one, play_to_the_end, player_on_turn

pytestmark = pytest.mark.django_db


@dataclass
class Form:
    action: str
    fields: dict[str, str] = field(default_factory=dict)
    choices: list[tuple[str, str]] = field(default_factory=list)
    options: dict[str, list[str]] = field(default_factory=dict)


class Page(HTMLParser):
    """The forms of a page: hidden and chosen fields, radio buttons and submit buttons, options of lists."""

    def __init__(self, response):
        super().__init__()
        self.forms: list[Form] = []
        self.select = ""
        self.is_inside = False
        self.feed(response.content.decode())

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag == "form":
            self.forms.append(Form(given.get("action", "")))
            self.is_inside = True
        if not self.is_inside:
            return
        form = self.forms[-1]
        if tag == "input" and given.get("type") == "hidden":
            form.fields[given["name"]] = given["value"]
        elif (tag == "input" and given.get("type") == "radio") or (tag == "button" and "name" in given):
            form.choices.append((given["name"], given["value"]))
        elif tag == "select":
            self.select = given["name"]
            form.options[self.select] = []
        elif tag == "option" and given.get("value"):
            form.options[self.select].append(given["value"])

    def handle_endtag(self, tag):
        if tag == "form":
            self.is_inside = False

    def form_with(self, name, value=None):
        """Return the first form with such a radio button or button."""
        for form in self.forms:
            if any(name == n and value in (None, v) for n, v in form.choices):
                return form
        raise AssertionError(f"no form has {name} {value or ''}")

    def values(self):
        return [value for form in self.forms for name, value in form.choices if name == "choice"]


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def url(game):
    return f"/games/{game.pk}"


def play(client, game, choice, **more):
    """Send the form that offers `choice`."""
    form = Page(client.get(url(game))).form_with("choice", choice)
    return client.post(form.action, form.fields | {"choice": choice} | more)


def play_something(client, game, pick):
    """Choose something of the form of the turn: all that can be chosen there comes up sooner or later."""
    form = next(
        f
        for f in Page(client.get(url(game))).forms
        if any("place " in v for _, v in f.choices)
        or any(v.split()[0] in ("remove", "swap", "pass") for n, v in f.choices if n == "choice")
    )
    values = [value for name, value in form.choices if name == "choice"]
    choice = values[pick % len(values)]
    data = form.fields | {"choice": choice}
    if choice.startswith(("place", "remove")) and len(choice.split()) == 2:
        pulled = f"at-{choice.split()[1]}"
        data[pulled] = form.options[pulled][pick % len(form.options[pulled])]
    return client.post(form.action, data)


@pytest.mark.parametrize(
    ("seats", "options"),
    [(2, {}), (3, {"claim": "announce", "no_play": "discard_draw", "dead_swaps_per_turn": "unlimited"})],
    ids=["usual", "announced"],
)
def test_a_whole_game_is_played_through_the_forms(seats, options):
    game = make_game(seats, **options)
    clients = {seat.number: signed_in(seat.member) for seat in game.places.all()}

    for pick in range(500):
        game.refresh_from_db()
        if game.turn_seat is None:
            break
        answer = play_something(clients[game.turn_seat], game, pick * 5)
        assert answer.status_code == 302, answer.content.decode()

    assert game.status == Status.FINISHED
    text = clients[0].get(url(game)).content.decode()
    assert "have won" in text or "has won" in text or "A draw" in text
    secret = bytes(game.deal_source.secret).hex()
    assert secret in text
    assert game.seal in text
    seen = seen_game(game.pk, game.places.first().member)
    assert text.count("Hand:") == sum(bool(size) for size in seen.view.hand_sizes)


def test_the_secret_stays_hidden_while_the_game_runs():
    game = make_game(2)

    text = signed_in(player_on_turn(game)).get(url(game)).content.decode()

    assert bytes(game.deal_source.secret).hex() not in text
    assert game.seal in text


def test_a_turn_answers_with_a_redirect_and_a_message():
    game = make_game(2)
    member = player_on_turn(game)
    client = signed_in(member)
    choice = next(v for v in Page(client.get(url(game))).values() if len(v.split()) == 3)

    answer = play(client, game, choice)

    assert answer.status_code == 302
    assert answer["Location"] == url(game)
    assert "You played" in client.get(url(game)).content.decode()


def test_a_form_of_an_earlier_turn_is_refused_and_the_present_state_shown():
    game = make_game(2)
    client = signed_in(player_on_turn(game))
    old = Page(client.get(url(game))).form_with("choice")
    play_one(game)
    events = Event.objects.count()

    answer = client.post(old.action, old.fields | {"choice": old.choices[0][1]})

    assert answer.status_code == 412
    assert "The game has moved on" in answer.content.decode()
    assert "It is the turn of" in answer.content.decode()
    assert Event.objects.count() == events


def test_the_same_form_sent_twice_plays_once():
    game = make_game(2)
    client = signed_in(player_on_turn(game))
    form = Page(client.get(url(game))).form_with("choice")
    choice = next(v for _, v in form.choices if len(v.split()) == 3)

    first = client.post(form.action, form.fields | {"choice": choice})
    events = Event.objects.count()
    second = client.post(form.action, form.fields | {"choice": choice})

    assert (first.status_code, second.status_code) == (302, 302)
    assert Event.objects.count() == events


def test_another_choice_from_a_used_form_is_refused():
    game = make_game(2)
    client = signed_in(player_on_turn(game))
    form = Page(client.get(url(game))).form_with("choice")
    first, second = [v for _, v in form.choices if len(v.split()) == 3][:2]
    client.post(form.action, form.fields | {"choice": first})

    answer = client.post(form.action, form.fields | {"choice": second})

    assert answer.status_code == 412


def test_an_illegal_play_is_refused_with_the_number_of_the_rule():
    game = make_game(2)
    client = signed_in(player_on_turn(game))
    form = Page(client.get(url(game))).form_with("choice")

    answer = client.post(form.action, form.fields | {"choice": "pass"})

    assert answer.status_code == 422
    assert "R14</a>)" in answer.content.decode()


@pytest.mark.parametrize(
    "choice",
    [
        "",
        "dance",
        "place",
        "place Qd",
        "place ?? c5",
        "place Qd z99",
        "place Qd c5 a-b-c,",
        "swap",
        "announce",
    ],
)
def test_a_malformed_choice_is_refused_and_nothing_stored(choice):
    game = make_game(2)
    client = signed_in(player_on_turn(game))
    form = Page(client.get(url(game))).form_with("choice")
    events = Event.objects.count()

    answer = client.post(form.action, form.fields | {"choice": choice})

    assert answer.status_code == 400
    assert 'role="alert"' in answer.content.decode()
    assert Event.objects.count() == events


def test_playing_out_of_turn_is_refused():
    game = make_game(2)
    on_turn = player_on_turn(game)
    data = legal(game, on_turn)[0]
    other = game.places.exclude(member=on_turn).get().member

    answer = signed_in(other).post(
        f"{url(game)}/act",
        {
            "choice": f"place {data['card']} {data.get('space', 'a2')}",
            "version": str(game.version),
            "key": "k",
        },
    )

    assert answer.status_code == 409
    assert "R6</a>)" in answer.content.decode()


def test_looking_at_a_game_changes_nothing():
    game = make_game(2)
    client = signed_in(player_on_turn(game))
    events = Event.objects.count()
    card = legal(game, player_on_turn(game))[0]["card"]

    for query in ("", "?card=Qd", f"?card={card}", "?card=%3Cb%3E&space=c5", "?card=Jc&space=zz"):
        assert client.get(f"{url(game)}{query}").status_code == 200
    assert client.get(f"{url(game)}/resign").status_code == 200
    assert client.get(f"{url(game)}/act").status_code == 405
    assert client.get(f"{url(game)}/table").status_code == 405

    assert Event.objects.count() == events


def test_a_card_and_space_in_the_address_are_chosen_beforehand():
    game = make_game(2)
    member = player_on_turn(game)
    data = next(d for d in legal(game, member) if d["act"] == "place" and d["card"][0] != "J")

    text = signed_in(member).get(f"{url(game)}?card={data['card']}&space={data['space']}").content.decode()

    assert re.search(rf'value="place {data["card"]} {data["space"]}" required checked', text)
    assert text.count("chosen") >= 2


def test_members_of_other_clubs_and_strangers_find_no_game_in_a_closed_club():
    game = make_game(2)
    foreigner = make_member(make_club()).user

    for client in (signed_in(foreigner), Client()):
        answer = client.get(url(game))
        assert answer.status_code == 404
        assert "Nothing is here" in answer.content.decode()

    form = {"choice": "pass", "version": str(game.version), "key": "k"}
    assert signed_in(foreigner).post(f"{url(game)}/act", form).status_code == 404
    assert signed_in(foreigner).post(f"{url(game)}/table", {"deed": "join"}).status_code == 404
    assert signed_in(foreigner).get(f"{url(game)}/resign").status_code == 404


def test_a_stranger_who_posts_is_asked_to_sign_in():
    game = make_game(2)

    answer = Client().post(f"{url(game)}/act", {"choice": "pass"})

    assert answer.status_code == 302
    assert answer["Location"] == f"/sign-in?next=/games/{game.pk}"


def test_a_spectator_sees_the_board_and_no_hand():
    club = make_club(is_open=True)
    game = make_game(2, club=club)
    play_one(game)

    text = Client().get(url(game)).content.decode()

    assert 'class="board"' in text
    assert "Your hand" not in text
    assert "Hand:" not in text
    assert "card-picture" not in text
    assert 'name="choice"' not in text


def test_a_player_sees_the_own_hand_only():
    game = make_game(2)
    text = signed_in(game.places.first().member).get(url(game)).content.decode()

    assert "Your hand" in text
    assert text.count("card-picture") == 7
    assert "Hand:" not in text


def test_open_hands_are_shown_and_the_house_rule_is_marked():
    game = make_game(2, hands="open")

    text = signed_in(game.places.first().member).get(url(game)).content.decode()

    assert text.count("Hand:") == 1
    assert "open to everybody" in text
    assert "house rules" in text


def test_the_game_page_needs_few_queries(django_assert_max_num_queries):
    club = make_club(is_open=True)
    running, over = make_game(4, club=club), play_to_the_end(make_game(2, club=club))
    host = make_member(club).user
    waiting = propose_game(proposer=host, club=club, seats=4, now=NOW)

    for game in (running, over, waiting):
        for client in (signed_in(game.places.first().member), signed_in(make_member(club).user), Client()):
            with django_assert_max_num_queries(8):
                assert client.get(url(game)).status_code == 200


def test_numbers_of_the_board_are_written_the_same_in_every_language():
    game = make_game(2)
    play_one(game)
    client = signed_in(game.places.first().member)

    def board(language):
        text = client.get(url(game), headers={"Accept-Language": language}).content.decode()
        return re.findall(r'(?:x|y|width|height|transform|viewBox)="[^"]*"', text)

    assert board("nl") == board("sv") == board("da") == board("en")


def test_resigning_asks_first():
    game = make_game(2)
    member = player_on_turn(game)
    client = signed_in(member)
    form = Page(client.get(f"{url(game)}/resign")).form_with("choice", "resign")

    answer = client.post(form.action, form.fields | {"choice": "resign"})

    assert answer.status_code == 302
    game.refresh_from_db()
    assert game.end == "last_team"
    assert "because no other team is left" in client.get(url(game)).content.decode()


def test_a_draw_is_offered_and_agreed_to():
    game = make_game(2)
    first, second = (signed_in(seat.member) for seat in game.places.all())

    assert play(first, game, "offer_draw").status_code == 302
    assert "accept_draw" not in Page(first.get(url(game))).values()
    assert play(second, game, "accept_draw").status_code == 302

    game.refresh_from_db()
    assert (game.status, game.end) == (Status.FINISHED, "agreed")
    assert "A draw, by agreement" in first.get(url(game)).content.decode()


def test_a_draw_is_declined():
    game = make_game(2)
    first, second = (signed_in(seat.member) for seat in game.places.all())
    play(first, game, "offer_draw")

    play(second, game, "decline_draw")

    game.refresh_from_db()
    assert game.status == Status.ACTIVE
    assert "offer_draw" in Page(second.get(url(game))).values()


def test_who_offered_a_draw_learns_that_it_was_declined():
    game = make_game(2)
    first, second = (signed_in(seat.member) for seat in game.places.all())
    answer = f"{game.places.get(number=1).member.get_full_name()} has declined your team's offer"
    play(first, game, "offer_draw")
    assert answer not in first.get(url(game)).text

    play(second, game, "decline_draw")

    assert answer in first.get(url(game)).text
    assert "has declined your" not in second.get(url(game)).text
    while game.turns < 2:
        play_one(game)
        game.refresh_from_db()
    assert "has declined your" not in first.get(url(game)).text


def test_an_offered_draw_waits_for_the_other_team_on_the_start_page():
    game = make_game(2)
    on_turn = player_on_turn(game)
    other = game.places.exclude(member=on_turn).get().member
    play(signed_in(on_turn), game, "offer_draw")

    waits = section(signed_in(other).get("/"), "waiting")

    assert url(game) in waits
    assert "a draw is offered" in waits
    play(signed_in(other), game, "decline_draw")
    assert url(game) not in section(signed_in(other).get("/"), "waiting")


def test_who_offered_a_draw_does_not_wait_for_the_own_team():
    game = make_game(2)
    on_turn = player_on_turn(game)
    other = game.places.exclude(member=on_turn).get().member
    play(signed_in(other), game, "offer_draw")

    assert url(game) not in section(signed_in(other).get("/"), "waiting")
    assert url(game) in section(signed_in(on_turn).get("/"), "waiting")


def test_the_last_plays_are_told_in_words():
    game = make_game(2)
    member = player_on_turn(game)
    data = next(d for d in legal(game, member) if d["act"] == "place")
    take_turn(game_id=game.pk, member=member, data=data, expected_version=game.version, now=NOW)
    other = game.places.exclude(member=member).get().member

    mine, theirs = (section(signed_in(viewer).get(url(game)), "plays-title") for viewer in (member, other))

    assert "You played the" in mine
    assert f"{member.get_full_name()} played the" in theirs
    assert f"{card_name(data['card'])}</span></span> on {data['space']}</li>" in theirs
    assert theirs.index("played the") < theirs.index("The cards were dealt")


def test_no_more_than_eight_plays_are_told():
    game = make_game(2)
    for _ in range(12):
        play_one(game)

    text = section(signed_in(player_on_turn(game)).get(url(game)), "plays-title")

    assert text.count("<li>") == 8
    assert "dealt" not in text


def test_what_is_told_gives_no_card_away_that_was_drawn():
    game = make_game(2)
    for _ in range(6):
        play_one(game)
    seen = seen_game(game.pk, player_on_turn(game))

    told = " ".join(last_plays(seen))

    public = {card_name(event.card) for event in seen.loaded.events if hasattr(event, "card")}
    named = set(re.findall(r"hidden\">([a-z]+ of [a-z]+)<", told))
    assert named <= public
    assert len(named) > 1


def test_a_finished_game_names_who_won_and_leads_on():
    game = play_to_the_end(make_game(2, lines_to_win=1))
    winner = game.places.get(number=game.winner).member
    loser = game.places.exclude(number=game.winner).get().member
    team = ("blue", "green")[game.winner]

    won, lost = signed_in(winner).get(url(game)).text, signed_in(loser).get(url(game)).text

    assert f"You ({team}) have won by completed lines." in won
    assert f"{winner.get_full_name()} ({team}) has won by completed lines; you have lost." in lost
    assert "completed a line, " in won
    for address in (f"/api/v1/games/{game.pk}/record?as=sqn", f"/api/v1/games/{game.pk}/events"):
        assert f'href="{address}"' in won
        assert signed_in(winner).get(address).status_code == 200
    assert f'href="/games/new?club={game.club.slug}"' in won
    assert "Look again" not in won


def test_who_waits_for_another_seat_may_look_again():
    game = make_game(2)
    on_turn = player_on_turn(game)
    other = game.places.exclude(member=on_turn).get().member

    assert "Look again" in signed_in(other).get(url(game)).text
    assert "Look again" not in signed_in(on_turn).get(url(game)).text


def test_teams_are_told_by_the_shape_of_their_chips_too():
    text = signed_in(player_on_turn(game := make_game(3))).get(url(game)).text

    assert "Red, triangle</strong>" in text
    assert text.count("red, triangle") == 1
    assert "0 of 1 line\n" in re.sub(r"</li>|\s+", "\n", text).replace("0\nof\n1\nline", "0 of 1 line")


def test_games_among_bots_are_listed_only_where_there_is_nothing_else():
    club = make_club()
    member = make_member(club).user
    by_bots = play_to_the_end(make_game(2, club=club))
    by_bots.places.update(member=None, is_bot=True)

    assert url(by_bots) in section(signed_in(member).get("/"), "finished")
    by_members = play_to_the_end(make_game(2, club=club))
    elsewhere = play_to_the_end(make_game(2, club=make_club(is_open=True)))

    text = section(signed_in(member).get("/"), "finished")
    assert "Finished lately in your clubs" in text
    assert url(by_members) in text
    assert "30 November 2026" in text
    assert url(by_bots) not in text
    assert url(elsewhere) not in text


def test_a_card_is_drawn_by_hand_in_a_game_that_asks_for_it():
    game = make_game(2, draw_mode="manual")
    member = player_on_turn(game)
    client = signed_in(member)
    play_one(game)
    assert "draw" in Page(client.get(url(game))).values()

    assert play(client, game, "draw").status_code == 302

    assert "draw" not in Page(client.get(url(game))).values()


def test_a_card_that_table_talk_costs_is_paid():
    club = make_club()
    organiser = make_member(club, role=Role.ORGANISER).user
    game = make_game(2, club=club)
    rule_game(
        game_id=game.pk,
        organiser=organiser,
        data={"act": "table_talk", "team": "blue"},
        expected_version=game.version,
        now=NOW,
    )
    client = signed_in(game.places.get(number=0).member)
    payable = [value for value in Page(client.get(url(game))).values() if value.startswith("pay ")]

    assert play(client, game, payable[0]).status_code == 302

    assert game.places.get(number=0).cards_owed == 0


# Proposals


def propose(client, club, **fields):
    return client.post(f"/games/new?club={club.slug}", proposal_form(client, club) | fields)


def proposal_form(client, club):
    """Return the form of a proposal as a browser would send it, with the page's own key."""
    page = client.get(f"/games/new?club={club.slug}")
    assert page.status_code == 200
    return _filled(page) | {"key": page.context["key"]}


def _filled(response):
    """Return the form of a proposal as it stands in the page."""
    return {
        bound.html_name: "" if bound.value() is None else str(bound.value())
        for bound in response.context["form"]
    }


def test_a_game_is_proposed_joined_and_begun():
    club = make_club()
    host, guest = make_member(club).user, make_member(club).user

    answer = propose(signed_in(host), club, name="Tuesday", lines_to_win="1", hands="open")
    game = Game.objects.get()
    assert answer["Location"] == url(game)
    assert game.house_rules == {"lines_to_win": 1, "hands": "open"}
    client = signed_in(guest)
    text = client.get(url(game)).content.decode()
    assert "Lines to win" in text
    assert "Join and agree to these rules" in text

    form = Page(client.get(url(game))).form_with("deed", "join")
    client.post(form.action, form.fields | {"deed": "join"})

    game.refresh_from_db()
    assert game.status == Status.ACTIVE
    assert "The game has begun." in client.get(url(game)).content.decode()


def test_the_form_as_it_stands_proposes_the_usual_game():
    club = make_club()

    propose(signed_in(make_member(club).user), club)

    game = Game.objects.get()
    assert (game.seats, game.teams, game.house_rules, game.status) == (2, 2, {}, Status.PROPOSED)


def test_bots_fill_seats_and_the_game_begins_with_the_last():
    club = make_club()

    propose(signed_in(make_member(club).user), club, seats="4", bots="3")

    game = Game.objects.get()
    assert game.status == Status.ACTIVE
    assert [seat.is_bot for seat in game.places.order_by("number")] == [False, True, True, True]


@pytest.mark.parametrize(
    ("fields", "field", "words"),
    [
        ({"seats": "6"}, "teams", "2 or 3 teams"),
        ({"seats": "4", "teams": "3"}, "teams", "not in 3"),
        ({"hand_size": "99"}, "hand_size", "(R5)"),
        ({"chip_limit": "many"}, "chip_limit", "(R3)"),
        ({"wild": "Jc"}, "wild", "(R2)"),
        ({"idle_rounds": "0"}, "idle_rounds", "(R15)"),
        ({"bots": "2"}, "bots", "at most 1"),
        ({"seats": "7"}, "seats", "7"),
    ],
)
def test_what_the_rules_refuse_is_said_at_its_field(fields, field, words):
    club = make_club()

    answer = propose(signed_in(make_member(club).user), club, **fields)

    assert answer.status_code == 422
    assert words in " ".join(answer.context["form"].errors[field])
    assert not Game.objects.exists()


def test_every_wrong_field_is_marked_at_once():
    wrong = {
        "seats": "6",
        "hand_size": "99",
        "lines_to_win": "0",
        "wild": "Jx",
        "chip_limit": "50,50,35",
        "idle_rounds": "0",
        "overlap": "odd",
    }
    club = make_club()

    answer = propose(signed_in(make_member(club).user), club, **wrong)

    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {*wrong, "teams"} - {"seats", "chip_limit"}
    assert not Game.objects.exists()


def test_house_rules_are_folded_away_until_one_differs_or_is_wrong():
    club = make_club()
    client = signed_in(make_member(club).user)

    usual = client.get(f"/games/new?club={club.slug}")
    wrong_table = propose(client, club, seats="6")
    differs = propose(client, club, seats="6", hands="open")
    wrong = propose(client, club, idle_rounds="0")

    opened = [re.search(r'<details class="act"( open)?>', page.text)[1] for page in (usual, wrong_table)]
    assert opened == [None, None]
    for page in (differs, wrong):
        assert '<details class="act" open>' in page.text
    assert usual.text.count("Propose the game</button>") == 2


def test_only_members_propose_games_in_a_club():
    club = make_club(is_open=True)
    outsider = signed_in(make_user())

    answer = outsider.post(f"/games/new?club={club.slug}", {"seats": "2"})

    assert answer.status_code == 200
    assert not Game.objects.exists()


def test_a_seat_is_kept_for_a_member_and_given_back():
    club = make_club()
    host, friend, other = (make_member(club).user for _ in range(3))
    game = propose_game(proposer=host, club=club, seats=2, now=NOW)
    hosting = signed_in(host)
    form = Page(hosting.get(url(game))).form_with("deed", "invite")
    assert friend.username in form.options["username"]

    hosting.post(form.action, form.fields | {"deed": "invite", "seat": "1", "username": friend.username})

    assert f"kept for {friend.get_full_name()}" in hosting.get(url(game)).content.decode()
    text = signed_in(other).get(url(game)).content.decode()
    assert "Join and agree" not in text
    refused = signed_in(other).post(f"{url(game)}/table", {"deed": "join"})
    assert refused.status_code == 409
    hosting.post(form.action, form.fields | {"deed": "give_back"})
    assert not game.places.get(number=0).is_taken


def test_a_host_fills_a_seat_with_a_bot():
    club = make_club()
    host = make_member(club).user
    game = propose_game(proposer=host, club=club, seats=2, now=NOW)
    client = signed_in(host)

    client.post(f"{url(game)}/table", {"deed": "fill", "seat": "1"})

    game.refresh_from_db()
    assert game.status == Status.ACTIVE


def test_a_host_withdraws_the_proposal_and_others_may_not():
    club = make_club()
    host, other = make_member(club).user, make_member(club).user
    game = propose_game(proposer=host, club=club, seats=2, now=NOW)

    refused = signed_in(other).post(f"{url(game)}/table", {"deed": "withdraw"})
    signed_in(host).post(f"{url(game)}/table", {"deed": "withdraw"})

    assert refused.status_code == 403
    assert "Withdrawn before the start" in signed_in(host).get(url(game)).content.decode()


@pytest.mark.parametrize("fields", [{}, {"deed": "dance"}, {"deed": "fill"}, {"deed": "fill", "seat": "99"}])
def test_a_malformed_change_of_the_table_is_refused(fields):
    club = make_club()
    host = make_member(club).user
    game = propose_game(proposer=host, club=club, seats=2, now=NOW)

    answer = signed_in(host).post(f"{url(game)}/table", fields)

    assert answer.status_code in (400, 409)
    game.refresh_from_db()
    assert game.status == Status.PROPOSED


# Lists


def section(response, heading):
    """Return the part of a page below the heading with this id."""
    text = response.content.decode()
    return text.split(f'id="{heading}"')[1].split("</section>")[0] if f'id="{heading}"' in text else ""


def test_the_start_page_shows_what_waits_for_the_viewer_first():
    club = make_club()
    game = make_game(2, club=club)
    on_turn = player_on_turn(game)
    other = game.places.exclude(member=on_turn).get().member

    mine, theirs = signed_in(on_turn).get("/"), signed_in(other).get("/")

    assert section(mine, "waiting").count(url(game)) == 1
    assert url(game) not in section(mine, "running")
    assert url(game) not in section(theirs, "waiting")
    assert section(theirs, "running").count(url(game)) == 1


def test_the_start_page_shows_proposals_of_the_viewers_clubs():
    club, elsewhere = make_club(), make_club(is_open=True)
    member = make_member(club).user
    here = propose_game(proposer=make_member(club).user, club=club, seats=2, now=NOW)
    there = propose_game(proposer=make_member(elsewhere).user, club=elsewhere, seats=2, now=NOW)

    shown = section(signed_in(member).get("/"), "proposals")

    assert url(here) in shown
    assert url(there) not in shown


def test_strangers_see_what_the_site_is_and_games_of_open_clubs_only(settings):
    opened, closed = make_club(is_open=True), make_club()
    shown, hidden = make_game(2, club=opened), make_game(2, club=closed)

    text = Client().get("/").content.decode()

    assert settings.SITE_NAME in text
    assert "/sign-in" in text
    assert url(shown) in text
    assert url(hidden) not in text
    assert opened.name in text
    assert closed.name not in text


def test_a_club_shows_its_members_to_members_only():
    club = make_club(is_open=True)
    member = make_member(club, make_user("berta")).user

    assert "berta" in signed_in(member).get(f"/clubs/{club.slug}/").content.decode()
    assert "berta" not in Client().get(f"/clubs/{club.slug}/").content.decode()
    assert "Propose a game" not in Client().get(f"/clubs/{club.slug}/").content.decode()
    assert Client().get(f"/clubs/{make_club().slug}/").status_code == 404


def test_pages_hold_no_inline_script_or_style_and_load_nothing_from_elsewhere():
    club = make_club(is_open=True)
    game = make_game(2, club=club)
    host = make_member(club).user
    proposal = propose_game(proposer=host, club=club, seats=4, now=NOW)
    client = signed_in(host)

    for address in (
        "/",
        url(game),
        url(proposal),
        f"/clubs/{club.slug}/",
        f"/games/new?club={club.slug}",
        "/sign-in",
        "/nowhere",
    ):
        text = client.get(address).content.decode()
        assert "<script" not in text
        assert "<style" not in text
        assert not re.search(r"\s(style|on\w+)=", text), address
        assert not re.search(r'(src|href)="(https?:)?//', text), address


def test_a_name_with_markup_stays_text():
    club = make_club()
    game = make_game(2, club=club)
    Game.objects.filter(pk=game.pk).update(name="<b>&\"'")
    User.objects.filter(pk=game.places.first().member_id).update(name="<script>alert(1)</script>")

    for address in ("/", url(game), f"/clubs/{club.slug}/"):
        text = signed_in(player_on_turn(game)).get(address).content.decode()
        assert "<b>" not in text
        assert "<script" not in text


def test_a_turn_taken_elsewhere_shows_on_the_next_look():
    game = make_game(2)
    member = player_on_turn(game)
    client = signed_in(member)
    data = next(d for d in legal(game, member) if d["act"] == "place")

    take_turn(game_id=game.pk, member=member, data=data, expected_version=game.version, now=timezone.now())

    text = client.get(url(game)).content.decode()
    assert re.search(rf'aria-label="{data["space"]}, [^"]* chip, last play"', text)


# The rules


def test_the_page_of_the_rules_has_every_number_of_docs_rules():
    numbered = re.findall(r"^\*\*(R\d+)", Path("docs/rules.md").read_text(), flags=re.MULTILINE)

    text = Client().get("/rules").content.decode()

    assert len(numbered) == 23
    assert re.findall(r'<dt id="(R\d+)"', text) == numbered
    assert 'href="/rules"' in Client().get("/").content.decode()


@pytest.mark.parametrize("path", ["", "/resign"])
def test_numbers_of_rules_on_pages_lead_to_them(path):
    game = make_game(2, lines_to_win=1)

    text = signed_in(player_on_turn(game)).get(f"{url(game)}{path}").content.decode()

    assert 'href="/rules#R21">R21</a>' in text
    bare = re.sub(r'<a class="rule".*?</a>', "", text)
    assert not re.search(r"\(R\d+\)", bare)


def test_a_refusal_leads_to_its_rule():
    game = make_game(2)
    client = signed_in(player_on_turn(game))
    form = Page(client.get(url(game))).form_with("choice")

    answer = client.post(form.action, form.fields | {"choice": "pass"})

    assert 'href="/rules#R14">R14</a>' in answer.content.decode().split('role="alert"')[1].split("</p>")[0]


@pytest.mark.parametrize(
    ("text", "linked"),
    [
        ("a <b> (R2)", 'a &lt;b&gt; (<a class="rule" href="/rules#R2">R2</a>)'),
        ("R24, R0, R230, xR2", "R24, R0, R230, xR2"),
    ],
)
def test_only_rules_that_exist_are_linked_and_the_rest_is_escaped(text, linked):
    assert rule_links(text) == linked


@pytest.mark.parametrize(
    ("seats", "options", "words"),
    [
        (2, {}, "You lose this game"),
        (4, {}, "Your seat is skipped"),
        (4, {"withdraw": "team_forfeits"}, "You lose this game"),
        (3, {"withdraw": "team_forfeits"}, "Your whole team leaves"),
    ],
)
def test_the_page_for_resigning_says_what_it_does_to_the_game(seats, options, words):
    game = make_game(seats, **options)

    assert words in signed_in(player_on_turn(game)).get(f"{url(game)}/resign").content.decode()
