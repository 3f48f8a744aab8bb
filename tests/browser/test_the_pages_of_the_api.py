"""The pages that describe the API need nothing from elsewhere."""

import pytest

pytestmark = [pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize(("path", "part"), [("docs", ".opblock"), ("redoc", "[role=menuitem]")])
def test_a_page_of_the_schema_is_shown_without_asking_another_host(browser, live_server, path, part):
    page = browser.new_context().new_page()
    asked: list[str] = []
    page.on("requestfinished", lambda request: asked.append(request.url))

    page.goto(f"{live_server.url}/api/v1/{path}/")
    page.locator(part).first.wait_for()
    page.context.close()

    assert len(asked) > 2
    assert [url for url in asked if not url.startswith((live_server.url, "data:", "blob:"))] == []
