"""One module for each experiment of `attnviewer explore`: it describes its options and prints its numbers."""
