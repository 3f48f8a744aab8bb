"""The site's settings, with the bare views beside which its own are measured, and without throttles."""

from sequence_site.settings import *  # noqa: F403
from sequence_site.settings import REST_FRAMEWORK

ROOT_URLCONF = "benchmarks.urls"
REST_FRAMEWORK = {**REST_FRAMEWORK, "DEFAULT_THROTTLE_CLASSES": []}
