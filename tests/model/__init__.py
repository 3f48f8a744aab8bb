"""A second, deliberately naive reading of the rules: the oracle that tests hold the engine against."""

from tests.model.engine import Model
from tests.model.options import Refused

__all__ = ["Model", "Refused"]
