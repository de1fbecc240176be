"""Functions of the query language that give texts types; SQL alone, so that DuckDB needs nothing else.

quantity('$21.5 billion (1994 est.)')   {'amount': 21500000000.0, 'currency': '$', 'unit': NULL, 'year': 1994}
pairs('Andorra 60 km, Belgium 620 km')  [{'name': 'Andorra', 'value': '60 km'}, …]
"""

from __future__ import annotations

from .tables import literal

_CURRENCY = r"[$€£¥₹]|\b(?:USD|EUR|GBP|JPY|CHF|CNY|INR|AUD|CAD)\b"
_NUMBER = r"\d(?:[\d,]*\d)?(?:\.\d+)?"
_SCALE = r"thousand|million|billion|trillion|quadrillion"
_AMOUNT = rf"([-−]?)\s?(?:{_CURRENCY})?\s?([-−]?)({_NUMBER})\s?(?i:({_SCALE})\b)?\s?([^\d\s(),;/.-][^\d(),;]*)?"
_YEAR = r"\((?:[^()]*\D)?((?:1[5-9]|20|21)\d\d)(?:\D[^()]*)?\)"
_BEFORE = rf"({_CURRENCY})\s?[-−]?\d"
_PAIR = (
    r"(?:^|[,;/]\s+)(\p{L}[^,;\d$€£¥(]*(?:\([^()]*\)[^,;\d$€£¥(]*)?)\s+"
    r"([-+~]?[$€£¥]?\d(?:[\d,.]*\d)?[^,;(]*(?:\([^()]*\))?)"
)

MACROS = (
    f"""CREATE MACRO quantity(text_) AS CASE WHEN regexp_matches(text_, {literal(_AMOUNT)}) THEN {{
        'amount': TRY_CAST(replace(regexp_extract(text_, {literal(_AMOUNT)}, 3), ',', '') AS DOUBLE)
            * CASE WHEN regexp_extract(text_, {literal(_AMOUNT)}, 1) || regexp_extract(text_, {literal(_AMOUNT)}, 2)
                = '' THEN 1 ELSE -1 END
            * CASE lower(regexp_extract(text_, {literal(_AMOUNT)}, 4)) WHEN 'thousand' THEN 1e3
                WHEN 'million' THEN 1e6 WHEN 'billion' THEN 1e9 WHEN 'trillion' THEN 1e12
                WHEN 'quadrillion' THEN 1e15 ELSE 1 END,
        'currency': nullif(regexp_extract(text_, {literal(_BEFORE)}, 1), ''),
        'unit': nullif(trim(regexp_extract(text_, {literal(_AMOUNT)}, 5), ' /'), ''),
        'year': TRY_CAST(nullif(regexp_extract(text_, {literal(_YEAR)}, 1), '') AS INTEGER)
    }} END""",
    f"""CREATE MACRO pairs(text_) AS [
        {{'name': trim(pair_[1]), 'value': trim(pair_[2])}} for pair_ in list_zip(
            regexp_extract_all(text_, {literal(_PAIR)}, 1), regexp_extract_all(text_, {literal(_PAIR)}, 2))
    ]""",
)
