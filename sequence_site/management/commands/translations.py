import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from sequence_site import translations
from sequence_site.translation_checks import complaints, missing, summary


class Command(BaseCommand):
    help = "Bring the catalogues of translations up to date with the sources, and compile them."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("languages", nargs="*", help="such as nl; all if none is named")
        parser.add_argument(
            "--check", action="store_true", help="change nothing; exit status 1 if a catalogue is not fit"
        )
        parser.add_argument("--missing", action="store_true", help="print the texts without a translation")
        parser.add_argument("--prune", action="store_true", help="forget translations of texts that are gone")

    def handle(self, *args: Any, **options: Any) -> None:
        languages = options["languages"] or translations.languages()
        unknown = set(languages) - set(translations.languages())
        if unknown:
            raise CommandError(f"nothing is translated into {', '.join(sorted(unknown))}")
        if options["check"]:
            self.check_catalogues(languages)
            return
        sources = translations.extracted()
        for language in languages:
            texts = translations.updated(translations.load(language), sources)
            if options["prune"]:
                texts.obsolete.clear()
            translations.write(texts)
            self.stdout.write(summary(texts))
            if options["missing"]:
                for english in missing(texts):
                    self.stdout.write(f"  {english!r}")

    def check_catalogues(self, languages: list[str]) -> None:
        sources = translations.extracted()
        found = [fault for language in languages for fault in complaints(language, sources)]
        for fault in found:
            sys.stderr.write(f"{fault}\n")
        if found:
            raise CommandError(
                f"{len(found)} faults; `manage.py translations` mends what needs no translator"
            )
        self.stdout.write("the catalogues are complete")
