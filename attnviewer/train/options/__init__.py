"""The options of each `attnviewer train`, by themselves: telling them loads no torch."""
