"""Every text of the site is translated into every language, and the compiled catalogues say the same."""

import pytest

from sequence_site import translations
from sequence_site.translation_checks import complaints


@pytest.mark.parametrize("language", translations.languages())
def test_the_catalogue_of_a_language_is_complete_compiled_and_sound(language: str) -> None:
    assert list(complaints(language, translations.extracted())) == []
