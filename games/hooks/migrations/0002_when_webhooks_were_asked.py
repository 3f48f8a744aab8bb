from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("hooks", "0001_webhooks_and_deliveries"),
    ]

    operations = [
        migrations.AddField(
            model_name="webhook",
            name="asked_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="webhook",
            name="rests_until",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
