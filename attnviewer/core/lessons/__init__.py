"""Lessons as data: stops that ask, show and tell, the states of the window that they set, and the claims they make."""
