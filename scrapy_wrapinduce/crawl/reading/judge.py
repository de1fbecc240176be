"""The one place where a finished extraction is judged: does this wrapper fit this page?"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...wrapper import Extraction

# Of the coverage that a wrapper had on the pages it was learned from.
FITS = 0.75
FITS_PARTLY = 0.4


def fits(extraction: Extraction, usual_coverage: float, share: float = FITS) -> bool:
    """Whether a page was read about as well as the pages that the wrapper was learned from."""
    return bool(extraction.records) and extraction.coverage >= share * usual_coverage


def fits_partly(extraction: Extraction, usual_coverage: float) -> bool:
    """Whether a page that breaks its template was still read well enough to be of use."""
    return fits(extraction, usual_coverage, FITS_PARTLY)
