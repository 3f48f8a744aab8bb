"""Secrets in addresses: derived when a mail is rendered, stored as hashes only.

A token follows from a key of the site, a domain and a random nonce in the row it opens. So a retry gives the
same link, a copy of the database holds none, keys can be changed, and a restored database never gives
another's link again (a row's id alone would).
"""

import base64
import hashlib
import hmac
import secrets

from django.conf import settings

NONCE_BYTES = 16


def new_nonce() -> str:
    """Return 128 random bits in hex, to be stored in the row that the token opens."""
    return secrets.token_hex(NONCE_BYTES)


def current_key_id() -> str:
    """Return the id of the key for new rows: the first of LINK_KEYS."""
    return next(iter(settings.LINK_KEYS))


class KeyForgotten(LookupError):
    """The key that a row was made with is not in LINK_KEYS any more."""


def token_for(domain: str, key_id: str, nonce: str, *parts: object) -> str:
    """Return the 43 characters (256 bits) that open the row; raises KeyForgotten."""
    try:
        key = settings.LINK_KEYS[key_id]
    except KeyError:
        raise KeyForgotten(key_id) from None
    message = "|".join([domain, nonce, *map(str, parts)]).encode()
    digest = hmac.new(key.encode(), message, hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def hash_of(token: str) -> str:
    """Return what is stored of a token: of 256 bits, so a plain hash tells nothing."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
