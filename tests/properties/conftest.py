"""How hypothesis draws: the same examples each time in `make test`, new ones in `make properties`."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, Phase, settings

_PHASES = [phase for phase in Phase if phase is not Phase.explain]  # which traces, and takes long
_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]

settings.register_profile(
    "fixed",
    max_examples=40,
    phases=_PHASES,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=_SLOW,
)
settings.register_profile(
    "thorough",
    max_examples=int(os.environ.get("EXAMPLES", "1000")),
    phases=_PHASES,
    deadline=None,
    print_blob=True,
    suppress_health_check=_SLOW,
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))
