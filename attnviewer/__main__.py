"""`python -m attnviewer`: the window, or a verb."""

import sys

from attnviewer.cli import main

if __name__ == "__main__":
    sys.exit(main())
