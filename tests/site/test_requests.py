import http.client
import json

import pytest
from django.test import Client
from pytest_django.live_server_helper import LiveServer


def test_a_body_of_ten_megabytes_is_refused_before_it_is_read(client: Client) -> None:
    answer = client.post("/api/v1/anything", b"x" * 10_000_000, content_type="application/json")

    assert answer.status_code == 413
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["code"] == "too_large"


@pytest.mark.django_db(transaction=True)
def test_a_client_that_sends_all_before_it_listens_hears_that_it_was_too_much(
    live_server: LiveServer,
) -> None:
    connection = http.client.HTTPConnection(live_server.url.removeprefix("http://"), timeout=60)

    connection.request(
        "POST", "/api/v1/records/check", b"x" * 10_000_000, {"Content-Type": "application/json"}
    )
    answer = connection.getresponse()

    assert answer.status == 413
    assert json.loads(answer.read())["code"] == "too_large"


def test_nul_in_an_address_is_a_bad_request(client: Client) -> None:
    for address in ("/api/v1/clubs?q=a%00b", "/api/v1/clubs/a%00b"):
        answer = client.get(address)

        assert answer.status_code == 400
        assert answer.json()["code"] == "malformed"
    assert client.get("/sign-in%00/").status_code == 400


def test_a_length_that_is_no_number_is_a_bad_request(client: Client) -> None:
    assert client.get("/healthz/live", CONTENT_LENGTH="many").status_code == 400


def test_an_unknown_address_of_the_api_is_a_problem_document(client: Client) -> None:
    answer = client.get("/api/v1/nothing-here")

    assert answer.status_code == 404
    assert answer["Content-Type"] == "application/problem+json"


def test_the_schema_and_its_pages_are_served_without_the_network(client: Client) -> None:
    schema = client.get("/api/v1/schema/", HTTP_ACCEPT="application/vnd.oai.openapi+json")
    assert schema.json()["openapi"].startswith("3.1")

    for address in ("/api/v1/docs/", "/api/v1/redoc/"):
        page = client.get(address).content.decode()

        assert "drf_spectacular_sidecar" in page
        assert "cdn" not in page


def test_a_foreign_host_is_refused(client: Client) -> None:
    assert client.get("/healthz/live", HTTP_HOST="evil.example").status_code == 400


def test_the_icon_is_there_where_browsers_look_for_it(client: Client) -> None:
    answer = client.get("/favicon.ico", follow=True)

    assert answer.redirect_chain == [("/static/icon.svg", 302)]
