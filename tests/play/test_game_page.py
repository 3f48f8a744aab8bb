"""The page of a game, read and used as a browser without JavaScript does."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from games.clubs.models import Role
from games.play.log import Event
from games.play.models import Status
from games.play.queries import seen_game
from games.play.services.organising import rule_game
from games.play.services.proposing import propose_game
from games.play.services.turns import take_turn
from games.play.telling.history import last_plays
from games.play.telling.spoken import card_name
from tests.builders import NOW, make_club, make_member
from tests.play.builders import legal, make_game, play_one, play_to_the_end, player_on_turn
from tests.play.reading import Page, play, play_something, section, signed_in, url

pytestmark = pytest.mark.django_db


def picked_form(client, game, member, **wanted):
    """Return the form that plays the first placement of a card of the board that is `wanted`."""
    data = next(
        d
        for d in legal(game, member)
        if d["act"] == "place" and d["card"][0] != "J" and wanted.items() <= d.items()
    )
    page = client.get(f"{url(game)}?card={data['card']}&space={data['space']}")
    return next(form for form in Page(page).forms if form.fields.get("choice"))


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
    form = picked_form(client, game, member)

    answer = client.post(form.action, form.fields)

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
    member = player_on_turn(game)
    client = signed_in(member)
    form = picked_form(client, game, member)

    first = client.post(form.action, form.fields)
    events = Event.objects.count()
    second = client.post(form.action, form.fields)

    assert (first.status_code, second.status_code) == (302, 302)
    assert Event.objects.count() == events


def test_another_choice_from_a_used_form_is_refused():
    game = make_game(2)
    member = player_on_turn(game)
    client = signed_in(member)
    form = picked_form(client, game, member)
    client.post(form.action, form.fields)

    answer = client.post(form.action, form.fields | {"choice": "place Qd c5"})

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

    page = signed_in(member).get(f"{url(game)}?card={data['card']}&space={data['space']}")

    form = next(form for form in Page(page).forms if form.fields.get("choice"))
    assert form.fields["choice"] == f"place {data['card']} {data['space']}"
    assert f"{card_name(data['card'])}: a chip on {data['space']}." in page.text
    assert f'id="at-{data["space"]}" class="chosen" aria-selected="true"' in page.text


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


def test_a_card_is_drawn_by_hand_in_a_game_that_asks_for_it():
    game = make_game(2, draw_mode="manual")
    member = player_on_turn(game)
    client = signed_in(member)
    play_one(game)
    assert "draw" in Page(client.get(url(game))).values()

    assert play(client, game, "draw").status_code == 302

    assert "draw" not in Page(client.get(url(game))).values()


def test_the_discards_of_each_seat_are_folded():
    game = make_game(2)
    for _ in range(6):
        play_one(game)

    seats = section(signed_in(player_on_turn(game)).get(url(game)), "seats-title")

    assert seats.count("<details") == 2
    assert seats.count("<summary>Discards: 3</summary>") == 2


def test_the_hands_of_a_finished_game_are_in_order():
    game = play_to_the_end(make_game(2, lines_to_win=1))
    seen = seen_game(game.pk, game.places.first().member)
    ranks = seen.loaded.rules.edition.order
    jacks = seen.loaded.rules.wild | seen.loaded.rules.anti

    seats = section(signed_in(game.places.first().member).get(url(game)), "seats-title")

    shown = [re.findall(r'hidden">([^<]+)<', part.split("</p>")[0]) for part in seats.split("Hand:")[1:]]
    hands = [sorted(hand, key=lambda card: (card in jacks, ranks[card])) for hand in seen.view.hands if hand]
    assert shown == [[card_name(card) for card in hand] for hand in hands]


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


def test_a_turn_taken_elsewhere_shows_on_the_next_look():
    game = make_game(2)
    member = player_on_turn(game)
    client = signed_in(member)
    data = next(d for d in legal(game, member) if d["act"] == "place")

    take_turn(game_id=game.pk, member=member, data=data, expected_version=game.version, now=timezone.now())

    text = client.get(url(game)).content.decode()
    assert re.search(rf'aria-label="{data["space"]}, [^"]* chip, last play"', text)


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

    told = answer.text.split('<p class="alert" role="alert">')[1].split("</p>")[0]
    assert 'href="/rules#R14">R14</a>' in told


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
