"""The kinds of mail of games: how each is rendered, told in a digest, and how often it is wanted."""

from games.mail.kinds import Kind
from games.play.mails import news, requests, seats, turns
from games.play.mails.letter import cadence_of

KINDS = {
    "turn": Kind(turns.render_turn, turns.turn_section, cadence_of),
    "draw": Kind(turns.render_draw, turns.draw_section, cadence_of),
    "pay": Kind(turns.render_pay, turns.pay_section, cadence_of),
    "answer": Kind(turns.render_answer, turns.answer_section, cadence_of),
    "started": Kind(news.render_started, news.started_section, cadence_of),
    "over": Kind(news.render_over, news.over_section, cadence_of),
    "expired": Kind(news.render_expired, news.expired_section, cadence_of),
    "talk": Kind(news.render_talk, news.talk_section, cadence_of),
    "paused": Kind(news.render_paused, news.paused_section, cadence_of),
    "kept": Kind(seats.render_kept, seats.kept_section, cadence_of),
    "seated": Kind(seats.render_seated, seats.seated_section, cadence_of),
    "replaced": Kind(seats.render_replaced),
    "reminder": Kind(turns.render_reminder),
    "offer": Kind(requests.render_offer),
    "links": Kind(requests.render_links),
    "late": Kind(requests.render_late),
    "bounced": Kind(requests.render_bounced),
}
"""Those with a section follow the reader's cadence; the others go at once."""
