"""An edition that nobody prints: everything about it differs from the classic one."""

from typing import Any

INVENTED: dict[str, Any] = {
    "name": "invented",
    "title": "Invented",
    "layout": [
        "** Bg Bl Bm Bp Eg El",
        "Em Ep Fg Fl Fm Fp Gg",
        "Gl Gm Gp ** Ig Il Im",
        "Ip Bp Bm Bl Bg Ep Em",
        "El Eg Fp Fm Fl Fg Gp",
        "Gm Gl Gg Ip Im Il Ig",
    ],
    "codes": "Bg Bl Bm Bp Eg El Em Ep Fg Fl Fm Fp Gg Gl Gm Gp Ig Il Im Ip Zg Zl Zm",
    "packs": 3,
    "wild": ["Zg"],
    "anti": ["Zl", "Zm"],
    "line_length": 4,
    "lines_to_win": {"2": 3, "3": 2},
    "tables": {
        "2": {"teams": [2], "hand_size": 4},
        "3": {"teams": [3], "hand_size": 4},
        "4": {"teams": [2], "hand_size": 3},
        "6": {"teams": [2, 3], "hand_size": 3},
    },
    "dead_swaps_per_turn": 2,
    "chips_in_box": [20, 20, 15],
}
