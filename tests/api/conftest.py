import pytest


@pytest.fixture(autouse=True)
def no_rates(settings):
    """Leave only the limits that the database counts: all tests come from one address."""
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": {}}
