"""How pictures look to the colour-blind.

Matrices for severity 1.0 from G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, "A Physiologically-based
Model for Simulation of Color Vision Deficiency", IEEE TVCG 15(6), 2009; they are for linear RGB.
"""

from io import BytesIO
from itertools import chain

from PIL import Image

Matrix = tuple[tuple[float, float, float], ...]
Colour = tuple[int, int, int]

MATRICES: dict[str, Matrix] = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
KINDS = tuple(MATRICES)


def simulate(png: bytes, kind: str) -> bytes:
    """Return a picture of few colours, or a photograph slowly, as somebody with `kind` sees it."""
    picture = Image.open(BytesIO(png))
    if picture.mode != "P":
        picture = picture.convert("RGB").quantize(256)
    palette = picture.getpalette("RGB") or []
    colours = [
        seen((palette[at], palette[at + 1], palette[at + 2]), kind) for at in range(0, len(palette), 3)
    ]
    picture.putpalette(list(chain.from_iterable(colours)), "RGB")
    out = BytesIO()
    picture.save(out, "PNG", optimize=True)
    return out.getvalue()


def seen(colour: Colour, kind: str) -> Colour:
    """Return an sRGB colour as somebody with `kind` sees it."""
    linear = [_to_linear(part) for part in colour]
    red, green, blue = (
        _from_linear(sum(weight * part for weight, part in zip(row, linear, strict=True)))
        for row in MATRICES[kind]
    )
    return red, green, blue


def lab(colour: Colour) -> tuple[float, float, float]:
    """Return an sRGB colour in CIE L*a*b* under D65."""
    red, green, blue = (_to_linear(part) for part in colour)
    x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047
    y = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue
    z = (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883
    fx, fy, fz = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def distance(one: Colour, other: Colour) -> float:
    """Return how far apart two colours are: CIE 1976, 2.3 of which can just be told apart."""
    return sum((a - b) ** 2 for a, b in zip(lab(one), lab(other), strict=True)) ** 0.5


def from_hex(text: str) -> Colour:
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def _to_linear(part: int) -> float:
    share = part / 255
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4


def _from_linear(value: float) -> int:
    value = min(1.0, max(0.0, value))
    share = value * 12.92 if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055
    return round(share * 255)
