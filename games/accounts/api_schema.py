"""How sign-in and problem answers are described in the OpenAPI schema."""
