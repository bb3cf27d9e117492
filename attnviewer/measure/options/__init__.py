"""The options of each `attnviewer evaluate`, by themselves: telling them loads no torch."""
