"""A plan as JSON, for other programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .compare import Share
from .rules import ALL_TEXT, SPACED, Plan, Rule, Where


def plan_data(plan: Plan, shares: Mapping[str, Share]) -> dict[str, Any]:
    """The selectors of every field, with the share of values that are equal to the wrapper's."""
    fields = {}
    for item in plan.fields:
        share = shares.get(item.name, Share(0, 0))
        fields[item.name] = {
            "rules": [_rule_data(rule) for rule in item.rules],
            "equal": share.equal,
            "total": share.total,
        }
    data: dict[str, Any] = {} if plan.container is None else {"records": _where(plan.container)}
    if plan.required:
        data["required"] = list(plan.required)
    return {**data, "fields": fields, "left_out": dict(plan.unexpressed)}


def _rule_data(rule: Rule) -> dict[str, Any]:
    data: dict[str, Any] = _where(rule.where)
    if rule.nth != 1:
        data["nth"] = rule.nth
    if rule.what != ALL_TEXT:
        data["take"] = rule.what
    if rule.how != SPACED:
        data["as"] = rule.how
    if rule.pattern:
        data["pattern"] = rule.pattern
    return data


def _where(where: Where) -> dict[str, str]:
    return {"css": where.css} if where.css else {"xpath": where.xpath}
