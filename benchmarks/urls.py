from django.urls import include, path

from benchmarks.bare import InsertRow, ReadRow

urlpatterns = [
    path("bare/insert", InsertRow.as_view()),
    path("bare/read", ReadRow.as_view()),
    path("", include("sequence_site.urls")),
]
