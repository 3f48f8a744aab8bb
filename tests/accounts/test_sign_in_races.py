"""Parallel guesses with real commits: counting must be exact, not nearly so."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from games.accounts import services
from games.accounts.attempts import TooManyAttempts
from games.accounts.models import CodeRequest, SignInAttempt, SignInCode, User
from games.accounts.services import SignInRefused
from games.mail.services import deliver
from tests.builders import NOW, make_user

pytestmark = pytest.mark.django_db(transaction=True)


def in_parallel(work: Callable[[int], Any], times: int, threads: int = 20) -> list[Any]:
    """Call `work` with 0, 1, 2 ... from many threads, each with a connection of its own."""

    def call(number: int) -> Any:
        try:
            return work(number)
        except (SignInRefused, TooManyAttempts) as refusal:
            return type(refusal)
        finally:
            connection.close()

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(call, range(times)))


def test_200_parallel_guesses_compare_five_codes_at_most(monkeypatch):
    make_user("anna")
    services.request_codes(email="anna@example.org", now=NOW)
    deliver(now=NOW)
    compared = []
    compare = services.constant_time_compare
    monkeypatch.setattr(
        services, "constant_time_compare", lambda one, other: compared.append(1) or compare(one, other)
    )

    results = in_parallel(
        lambda number: services.sign_in_with_code(who="anna", code=f"{number:06}", now=NOW), 200
    )

    assert len(compared) == 5
    assert SignInCode.objects.get().attempts == 5
    assert sum(isinstance(result, User) for result in results) <= 1


def test_a_code_sent_by_20_at_once_signs_in_once(mailoutbox):
    make_user("anna")
    services.request_codes(email="anna@example.org", now=NOW)
    deliver(now=NOW)
    code = re.findall(r"\d{6}", mailoutbox[0].body)[0]

    results = in_parallel(lambda _: services.sign_in_with_code(who="anna", code=code, now=NOW), 20)

    assert [type(result) for result in results].count(User) == 1


def test_parallel_passwords_are_tried_ten_times_exactly(monkeypatch):
    make_user("anna", password="correct horse")
    tried = []
    monkeypatch.setattr(User, "check_password", lambda *_: tried.append(1) and False)

    results = in_parallel(lambda _: services.sign_in_with_password(who="anna", password="wrong", now=NOW), 60)

    assert len(tried) == 10
    assert results.count(TooManyAttempts) == 50
    assert {attempt.count for attempt in SignInAttempt.objects.all()} == {10}


def test_parallel_passwords_by_several_names_are_tried_ten_times_exactly(monkeypatch):
    make_user("anna", password="correct horse")
    make_user("bo", email="anna@example.org", password="battery staple")
    tried = []
    monkeypatch.setattr(User, "check_password", lambda user, _: tried.append(user.username) and False)
    names = ["anna", "bo", "anna@example.org"]

    results = in_parallel(
        lambda number: services.sign_in_with_password(who=names[number % 3], password="wrong", now=NOW), 60
    )

    assert (tried.count("anna"), tried.count("bo")) == (10, 10)
    assert (results.count(TooManyAttempts), results.count(SignInRefused)) == (30, 30)


def test_parallel_requests_for_codes_leave_one_live_code_and_five_mails(mailoutbox):
    make_user("anna")

    results = in_parallel(lambda _: services.request_codes(email="anna@example.org", now=NOW), 12)
    sent = in_parallel(lambda _: deliver(now=NOW), 12)

    assert results.count(TooManyAttempts) == 7
    assert sum(sent) == len(mailoutbox) == 5
    assert SignInCode.objects.filter(used_at__isnull=True).count() == 1
    assert not CodeRequest.objects.exists()
