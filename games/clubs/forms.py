from django import forms

from games.accounts.models import USERNAME_PATTERN, one_row


class NewMemberForm(forms.Form):
    username = forms.RegexField(
        USERNAME_PATTERN,
        label="A name for the records",
        max_length=40,
        strip=True,
        help_text="Lower-case letters, digits, - and _.",
    )
    name = forms.CharField(label="Your name, as others see it", max_length=80, validators=[one_row])
