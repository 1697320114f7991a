"""``python -m foliation`` is the same as ``foliation``."""

from foliation.cli import main

if __name__ == "__main__":
    main()
