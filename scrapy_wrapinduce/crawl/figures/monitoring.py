"""Is this run as good as those before? Coverage by template and field, against limits and earlier runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..config import Config
from ..reading.site import Active, Site

# A template that was read so few times says nothing about its fields.
LEAST_RECORDS = 5


def verdict(sites: Iterable[Site], config: Config) -> list[str]:
    """What is wrong with a run, in sentences; empty when nothing is."""
    reasons: list[str] = []
    for site in sites:
        for active in site.active.values():
            if active.records >= LEAST_RECORDS:
                reasons += _template(active, config)
    return reasons


def _template(active: Active, config: Config) -> list[str]:
    name, coverage = active.stored.id, active.coverage / active.read
    fields = active.field_coverage()
    reasons = []
    if coverage < config.min_coverage:
        reasons.append(
            f"{name}: coverage is {coverage:.0%}, WRAPINDUCE_MIN_COVERAGE is {config.min_coverage:.0%}"
        )
    for field, least in config.min_field_coverage.items():
        template, _, of_template = field.rpartition("/")
        if template in ("", active.name) and of_template in fields and fields[of_template] < least:
            reasons.append(
                f"{name}: {of_template} is on {fields[of_template]:.0%} of the records, "
                f"WRAPINDUCE_MIN_FIELD_COVERAGE asks for {least:.0%}"
            )
    return reasons + drops(name, fields, usual_coverage(active), config.max_coverage_drop)


def drops(
    name: str, fields: Mapping[str, float], usual: Mapping[str, float], most: float
) -> list[str]:
    """The fields that are on fewer records than they used to be."""
    return [
        f"{name}: {field} is on {fields.get(field, 0):.0%} of the records, was on {before:.0%}"
        for field, before in usual.items()
        if before - fields.get(field, 0) > most
    ]


def usual_coverage(active: Active) -> dict[str, float]:
    """The mean coverage of each field over earlier runs; that of the sample where there were none."""
    runs: list[Mapping[str, Any]] = [
        run["fields"] for run in active.stored.runs if run.get("records", 0) >= LEAST_RECORDS
    ]
    if not runs:
        return dict(active.stored.field_coverage)
    names = dict.fromkeys(name for run in runs for name in run)
    return {name: sum(run.get(name, 0.0) for run in runs) / len(runs) for name in names}
