"""Settings of every installation: read from the environment, described in docs/operations.md.

Nothing is started or written here; the addresses of the embedded servers are only computed.
"""

import importlib.util
import os
import secrets
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured
from environs import Env

from sequence_site.embedded import places
from sequence_site.running import running_demo

BASE_DIR = Path(__file__).resolve().parent.parent

env = Env()
env.read_env(BASE_DIR / ".env", recurse=False)

# The site ------------------------------------------------------------------------------------------

SITE_NAME = env.str("SITE_NAME", "Sequence by correspondence")
VAR_DIR = Path(env.str("VAR_DIR", str(BASE_DIR / "var"))).absolute()


def _local_url() -> str:
    """Return the address of the demo that runs here, else the one that it would have."""
    demo = running_demo(VAR_DIR)
    return demo.url if demo else "http://localhost:8000"


PUBLIC_URL_IS_SET = "PUBLIC_URL" in os.environ
PUBLIC_URL = env.str("PUBLIC_URL", "").rstrip("/") if PUBLIC_URL_IS_SET else _local_url()
_public = urlsplit(PUBLIC_URL)
if _public.scheme not in {"http", "https"} or not _public.hostname or _public.path:
    raise ImproperlyConfigured(
        f"PUBLIC_URL must be like https://example.org, without a path, not {PUBLIC_URL!r}"
    )
LOOPBACK_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
# A site that only this machine can reach: the demo and development.
IS_LOCAL = _public.hostname in {"localhost", "127.0.0.1", "::1"}
DEBUG = env.bool("DEBUG", False)
SECRET_KEY_FILE = VAR_DIR / "secret-key"


def _secret_key() -> str:
    """Return the key of a local site: from the file that `manage.py` makes, else one for this process."""
    if not IS_LOCAL:
        raise ImproperlyConfigured("SECRET_KEY must be set when PUBLIC_URL is not on this machine")
    try:
        return SECRET_KEY_FILE.read_text(encoding="ascii")
    except OSError:
        return secrets.token_urlsafe(48)


SECRET_KEY = env.str("SECRET_KEY", "")
SECRET_KEY_IS_GENERATED = not SECRET_KEY
SECRET_KEY = SECRET_KEY or _secret_key()

# The keys from which links in mails are derived, by id: the first makes new ones, the others open old ones.
LINK_KEYS: dict[str, str] = env.dict("LINK_KEYS", {}) or {"0": SECRET_KEY}

# One PUBLIC_URL decides hosts, origins and cookies, so that they cannot disagree.
ALLOWED_HOSTS = LOOPBACK_HOSTS if IS_LOCAL else [_public.hostname]
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]
if _public.scheme == "https":
    # gunicorn speaks plain HTTP: with https there is a proxy in front, and it says how it was asked.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [r"^healthz/"]
    SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", 0)
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# X-Forwarded-For is anybody's to write: only what so many proxies of our own appended to it is believed.
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", 0)
if TRUSTED_PROXIES < 0:
    raise ImproperlyConfigured("TRUSTED_PROXIES must be the number of proxies in front of the site")

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "django_filters",
    "knox",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_htmx",
    "anymail",
    "games.accounts",
    "games.mail",
    "games.clubs",
    "games.play",
    "games.bots",
    "games.hooks",
    "analytics",
    "sequence_site",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "sequence_site.middleware.RequestLimits",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "games.accounts.languages.LanguageOfMembers",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
]

# Nothing inline and nothing from elsewhere; the pages of the API's schema loosen it (api_urls).
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'"],
        "connect-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    },
    "EXCLUDE_URL_PREFIXES": ["/inbox/"],  # of a package, and on a local site only
}

ROOT_URLCONF = "sequence_site.urls"
WSGI_APPLICATION = "sequence_site.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "sequence_site.context.site",
            ],
        },
    },
]

# Database, broker, cache ---------------------------------------------------------------------------

EMBEDDED = places.places_in(VAR_DIR)
PG_BIN = env.str("PG_BIN", "")
DATABASE_URL = env.str("DATABASE_URL", "")
DATABASE_IS_EMBEDDED = not DATABASE_URL
DATABASE_URL = DATABASE_URL or EMBEDDED.database_url(places.APP_ROLE)
DATABASE_OWNER_URL = env.str("DATABASE_OWNER_URL", "") or (
    EMBEDDED.database_url(places.OWNER_ROLE) if DATABASE_IS_EMBEDDED else DATABASE_URL
)
APP_ROLE = str(env.dj_db_url("", DATABASE_URL)["USER"])
# manage.py asks for the owner in the commands that change the schema; everything else is the app.
DATABASE_ROLE = env.str("DATABASE_ROLE", "app")


def _database(url: str, options: str) -> dict[str, Any]:
    parsed: dict[str, Any] = env.dj_db_url("", url, conn_max_age=60, conn_health_checks=True)
    parsed["OPTIONS"] = {"connect_timeout": 5, **parsed.get("OPTIONS", {}), "options": options}
    return parsed


DATABASES = {
    "default": (
        _database(DATABASE_OWNER_URL, "-c lock_timeout=10s")
        if DATABASE_ROLE == "owner"
        else _database(
            DATABASE_URL,
            "-c lock_timeout=5s -c statement_timeout=30s -c idle_in_transaction_session_timeout=60s",
        )
    )
}

BROKER_URL = env.str("BROKER_URL", "")
BROKER_IS_EMBEDDED = not BROKER_URL
BROKER_URL = BROKER_URL or EMBEDDED.broker_url()


def _cache_url(broker: str) -> str:
    """Return the broker's address as the cache's client spells it, or nothing if it is no Redis."""
    parts = urlsplit(broker)
    if parts.scheme == "redis+socket":
        return f"unix://{parts.path}?{parts.query.replace('virtual_host', 'db')}"
    return broker if parts.scheme in {"redis", "rediss", "unix"} else ""


CACHE_URL = env.str("CACHE_URL", "") or _cache_url(BROKER_URL)
CACHES: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "sequence_site.cache.FailOpenCache",
        "LOCATION": CACHE_URL,
        "KEY_PREFIX": "sequence",
        # It answers within a millisecond or not at all.
        "OPTIONS": {"socket_timeout": 0.25, "socket_connect_timeout": 0.25},
    }
    if CACHE_URL
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
}

# Work behind the answers ---------------------------------------------------------------------------

# A message only wakes somebody; what it asks for is found in the database, by the sweeps if need be.
CELERY_BROKER_URL = BROKER_URL
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False
CELERY_TASK_TIME_LIMIT = 120
CELERY_TASK_SOFT_TIME_LIMIT = 110
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 150,  # seconds, above the longest task
    "unacked_restore_interval": 2,
    "unacked_restore_throttle": 1,
    # A silent broker must not hold a caller for longer than this, in seconds.
    "socket_timeout": 1,
    "socket_connect_timeout": 1,
}
CELERY_TASK_PUBLISH_RETRY_POLICY = {
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0.2,
    "interval_max": 0.2,
}
CELERY_TASK_DEFAULT_QUEUE = "play"
CELERY_TASK_ROUTES = {
    "analytics.*": {"queue": "analytics"},
    "games.mail.*": {"queue": "mail"},
    "games.hooks.*": {"queue": "hooks"},
}
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "beat-schedule")
# Every so many seconds; a message that nobody was there to take is of no use later.
CELERY_BEAT_SCHEDULE = {
    task: {"task": task, "schedule": seconds, "options": {"expires": seconds}}
    for task, seconds in (
        ("games.mail.tasks.deliver", 2.0),
        ("games.bots.tasks.sweep", 5.0),
        ("games.play.tasks.meet_link_requests", 5.0),
        ("games.play.tasks.sweep_clocks", 10.0),
        ("games.hooks.tasks.deliver", 5.0),
        ("games.hooks.tasks.delete_old", 3600.0),
        ("games.mail.tasks.delete_old", 86400.0),
        ("games.accounts.tasks.sweep_sign_in", 3600.0),
        ("analytics.tasks.sweep", 30.0),
    )
}

# People --------------------------------------------------------------------------------------------

# How many days a year a member's clocks may rest for leave.
LEAVE_DAYS_A_YEAR = env.int("LEAVE_DAYS_A_YEAR", 28)
AUTH_USER_MODEL = "accounts.User"
KNOX_TOKEN_MODEL = "accounts.Token"  # noqa: S105 - the name of a model
# knox's own migrations make its table even where another model takes its place, and a table that no model
# stands for cannot be emptied with the rest.
MIGRATION_MODULES = {"knox": None}
REST_KNOX = {"TOKEN_TTL": None, "AUTO_REFRESH": False}
LOGIN_URL = "/sign-in"
LOGIN_REDIRECT_URL = "/"
_validators = "django.contrib.auth.password_validation"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "games.accounts.credentials.LongEnough"},
    *({"NAME": f"{_validators}.{what}PasswordValidator"} for what in ("Common", "Numeric")),
    {"NAME": f"{_validators}.UserAttributeSimilarityValidator"},
]

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("nl", "Nederlands"), ("sv", "Svenska"), ("da", "Dansk")]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = ["sequence_site.formats"]
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = _public.scheme == "https"
TIME_ZONE = "UTC"
USE_TZ = True

# Mail ----------------------------------------------------------------------------------------------

DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", f"{SITE_NAME} <games@{_public.hostname}>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL
EMAIL_TIMEOUT = 10  # seconds: a mail server that keeps silent must not hold a worker
EMAIL_URL = env.str("EMAIL_URL", "")
# A provider's own interface in place of SMTP (django-anymail): its backend, and what it has to know.
_provider = env.str("EMAIL_BACKEND", "")
ANYMAIL: dict[str, Any] = {**env.dict("ANYMAIL", {}), "REQUESTS_TIMEOUT": EMAIL_TIMEOUT}
# Without the secret anybody could tell that anybody's mail came back.
HEARS_OF_BOUNCES = bool(ANYMAIL.get("WEBHOOK_SECRET"))
# Without a mail server a local site keeps its mail in files and shows them at /inbox/.
_has_server = bool(EMAIL_URL or _provider)
HAS_INBOX = IS_LOCAL and not _has_server and importlib.util.find_spec("django_mail_preview") is not None
if HAS_INBOX:
    INSTALLED_APPS.append("django_mail_preview")
    EMAIL_BACKEND = "django_mail_preview.backends.EmailBackend"
    MAIL_PREVIEW_ROOT = VAR_DIR / "inbox"
    MAIL_PREVIEW_ALLOW = "sequence_site.inbox.is_allowed"
    SILENCED_SYSTEM_CHECKS = ["django_mail_preview.W001"]
elif _provider:
    EMAIL_BACKEND = _provider
elif EMAIL_URL:
    _email = env.dj_email_url("EMAIL_URL")
    EMAIL_BACKEND = _email["EMAIL_BACKEND"]
    EMAIL_HOST = _email.get("EMAIL_HOST", "")
    EMAIL_PORT = _email.get("EMAIL_PORT", 25)
    EMAIL_HOST_USER = _email.get("EMAIL_HOST_USER", "")
    EMAIL_HOST_PASSWORD = _email.get("EMAIL_HOST_PASSWORD", "")
    EMAIL_USE_TLS = _email.get("EMAIL_USE_TLS", False)
    EMAIL_USE_SSL = _email.get("EMAIL_USE_SSL", False)
else:
    EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"

# Static files --------------------------------------------------------------------------------------

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
# A local site serves its files where they stand; elsewhere `collectstatic` gives them lasting names.
STATIC_ROOT = env.str("STATIC_ROOT", None if IS_LOCAL else str(BASE_DIR / "staticfiles"))
WHITENOISE_USE_FINDERS = IS_LOCAL
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if IS_LOCAL
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}

# The API -------------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "games.accounts.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_PARSER_CLASSES": ["games.accounts.api_parsers.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": [
        "rest_framework.renderers.JSONRenderer",
        "rest_framework.renderers.BrowsableAPIRenderer",
    ],
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_SCHEMA_CLASS": "games.accounts.api_schema.AutoSchema",
    "DEFAULT_THROTTLE_CLASSES": ["games.accounts.api_throttles.ScopedThrottle"],
    "NUM_PROXIES": TRUSTED_PROXIES,
    # Generous: a bot that plays many games stays below; what must be exact is counted in the database.
    "DEFAULT_THROTTLE_RATES": {"default": "6000/min", "sign-in": "60/min", "invitations": "60/min"},
    "EXCEPTION_HANDLER": "games.accounts.api_problems.handle",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}

SPECTACULAR_SETTINGS = {
    "TITLE": f"{SITE_NAME}: the API",
    "DESCRIPTION": "Clubs, games, turns, events and records. Errors are RFC 9457 problem details.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_NAME_OVERRIDES": {
        "SeatActEnum": "games.play.wording.SEAT_ACTS",
        "RulingActEnum": "games.play.services.organising.RULINGS",
        "TeamEnum": "games.rules.ruleset.TEAM_NAMES",
    },
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
}

# Logs ----------------------------------------------------------------------------------------------

LOGGING_CONFIG = "sequence_site.logs.configure"
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", "INFO").upper()},
}
