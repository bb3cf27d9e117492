"""Makers of small pictures, traces and blocked interpreters, shared by the tests."""
