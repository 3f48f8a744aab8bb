from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0004_requests_for_turn_links"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="address_set_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
