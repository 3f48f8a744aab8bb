from collections.abc import Iterator

import pytest

from tests.hooks.receiver import Receiver, receiving


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as made:
        yield made


@pytest.fixture(autouse=True)
def no_rates(settings):
    """Leave only the limits that the database counts: all tests come from one address."""
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": {}}
