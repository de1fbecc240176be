"""Documents of headed sections: headings and nesting found by themselves, any page read as a nested record."""

from .corrections import Correction, InvalidCorrection, parse_corrections
from .recognise import looks_sectioned
from .structure import learn
from .wrapper import SectionsWrapper

__all__ = [
    "Correction",
    "InvalidCorrection",
    "SectionsWrapper",
    "learn",
    "looks_sectioned",
    "parse_corrections",
]
