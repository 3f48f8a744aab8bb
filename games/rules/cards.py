"""Cards: short codes such as `Td`, the ten of diamonds (R2)."""

Card = str
"""A card's code as its edition writes it: rank and suit, `Td`, in the classic edition."""

HIDDEN: Card = "?"
"""A card that the reader of a view or record does not know."""


def fold_code(text: str) -> str:
    """Return `text` in the form by which codes are compared: any case, and `10d` for `Td`."""
    folded = text.strip().lower()
    return "t" + folded[2:] if folded.startswith("10") else folded
