"""`python -m treewright` is the command `treewright`."""

import sys

from treewright.cli.main import main

sys.exit(main())
