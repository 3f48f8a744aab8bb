"""The requests of docs/api.md found a club and invite somebody, as they stand there."""

import json
import re
import shutil
import subprocess
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.accounts.models import Token
from games.clubs.models import Club, Membership
from tests.builders import make_user
from tests.conftest import PROJECT
from tests.mails import letter, waiting

PAGE = (PROJECT / "docs" / "api.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.django_db(transaction=True)
def test_a_member_founds_a_club_and_invites_with_the_requests_of_the_page(live_server: Any) -> None:
    make_user("anna", password="five-in-a-row")
    bash = shutil.which("bash")
    assert bash

    run = subprocess.run(
        [bash, "-euo", "pipefail", "-c", "\n".join(["BASE=$0", *BLOCKS]), live_server.url],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )

    founded, invited = [json.loads(answer) for answer in re.findall(r"\{.*?\}", run.stdout)]
    assert (founded["slug"], founded["role"]) == ("thursday-club", "organiser")
    assert (invited["email"], invited["role"]) == ("gerda@example.org", "member")
    assert Token.objects.get().scope_list == ["read", "play", "organise"]
    (mail,) = waiting("invitation")
    (path,) = re.findall(r"http://[^/]+(/invitations/\S+)", letter(mail, timezone.now()).text)
    client = Client()
    client.post(path, {"username": "gerda", "name": "Gerda"})
    club = Club.objects.get(slug="thursday-club")
    assert {member.user.username for member in Membership.objects.filter(club=club)} == {"anna", "gerda"}
