"""Lessons in the window: the bar that stays across panels, the halo, states restored and kept, worksheets."""
