"""A plan as JSON, for other programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .compare import Share
from .rules import ALL_TEXT, SPACED, ListRules, Plan, Rule, Rules, Where


def plan_data(plan: Plan, shares: Mapping[str, Share]) -> dict[str, Any]:
    """The selectors of every field, with the share of values that are equal to the wrapper's."""
    fields = _fields_data(plan.fields)
    for name, field in fields.items():
        share = shares.get(name, Share(0, 0))
        field |= {"type": plan.types[name]} if name in plan.types else {}
        field |= {"equal": share.equal, "total": share.total}
    data: dict[str, Any] = {} if plan.container is None else {"records": _where(plan.container)}
    if plan.required:
        data["required"] = list(plan.required)
    return {**data, "fields": fields, "left_out": dict(plan.unexpressed)}


def _fields_data(fields: Sequence[Rules]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for item in fields:
        if isinstance(item, ListRules):
            required = {"required": list(item.required)} if item.required else {}
            heads = {name: list(texts) for name, texts in item.heads.items()}
            found[item.name] = {
                "records": _where(item.container),
                **required,
                **({"heads": heads} if heads else {}),
                "fields": _fields_data(item.fields),
            }
            continue
        found[item.name] = {"rules": [_rule_data(rule) for rule in item.rules]}
        if item.cleaning:
            found[item.name]["clean"] = item.cleaning.to_dict()
    return found


def _rule_data(rule: Rule) -> dict[str, Any]:
    data: dict[str, Any] = _where(rule.where)
    if rule.nth != 1:
        data["nth"] = rule.nth
    if rule.what != ALL_TEXT:
        data["take"] = rule.what
    if rule.until:
        data["until"] = rule.until
    if rule.how != SPACED:
        data["as"] = rule.how
    if rule.pattern:
        data["pattern"] = rule.pattern
    return data


def _where(where: Where) -> dict[str, Any]:
    return {"css": where.css} if where.css else {"xpath": where.xpath}
