"""Refuse every change of an event in the database itself, whoever asks and whatever is set."""

from django.db import migrations

REFUSE = """
CREATE FUNCTION play_event_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'events are append-only: % on % refused', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER play_event_no_change BEFORE UPDATE OR DELETE ON play_event
    FOR EACH ROW EXECUTE FUNCTION play_event_refuse_change();
CREATE TRIGGER play_event_no_truncate BEFORE TRUNCATE ON play_event
    FOR EACH STATEMENT EXECUTE FUNCTION play_event_refuse_change();
ALTER TABLE play_event ENABLE ALWAYS TRIGGER play_event_no_change;
ALTER TABLE play_event ENABLE ALWAYS TRIGGER play_event_no_truncate;
"""
ALLOW = """
DROP TRIGGER play_event_no_truncate ON play_event;
DROP TRIGGER play_event_no_change ON play_event;
DROP FUNCTION play_event_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("play", "0001_games_seats_and_the_event_log")]
    operations = [migrations.RunSQL(REFUSE, ALLOW)]
