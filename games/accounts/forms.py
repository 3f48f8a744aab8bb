from django import forms


class PasswordForm(forms.Form):
    who = forms.CharField(label="Name or email address", max_length=254)
    password = forms.CharField(
        max_length=128, strip=False, widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
    )


class CodeRequestForm(forms.Form):
    email = forms.EmailField(label="Email address", max_length=254)


class CodeForm(forms.Form):
    who = forms.CharField(label="Name or email address", max_length=254)
    code = forms.RegexField(
        r"^[0-9]{6}\Z",
        label="The six digits",
        strip=True,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "one-time-code"}),
    )
