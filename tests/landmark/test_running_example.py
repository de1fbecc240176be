"""The running example of the landmark-grammars paper: figures 1 to 4, tables 1 and 2, examples 1 to 6.

The text of the paper gives the sums of tables 1 and 2; other values of g, h and i follow from its definitions.
"""

from __future__ import annotations

import pytest

from scrapy_wrapinduce.landmark import sep
from scrapy_wrapinduce.landmark.lattice import TAG, TEXT, Landmark
from scrapy_wrapinduce.landmark.learn import SEARCHES, learn
from scrapy_wrapinduce.landmark.optimum import Optimum
from scrapy_wrapinduce.landmark.parse import parse
from scrapy_wrapinduce.landmark.regions import split, unique_occurrences
from scrapy_wrapinduce.landmark.show import draw, grammar
from scrapy_wrapinduce.landmark.tokens import tokenize
from scrapy_wrapinduce.landmark.tree import LEAF, Split, Tree
from scrapy_wrapinduce.page import Page

TEMPLATE = (
    "<B>Title</B>\n<DIV>Price</DIV>\n<SPAN>Descr.</SPAN>\n<DIV>{}</DIV>\n<BR/>\n<SPAN>{}</SPAN>\n{}"
)
PAGE_1A = TEMPLATE.format("The Price of\nEverything", "35.22", "A US documentary")
PAGE_1B = TEMPLATE.format("Star Wars", "9.98", "The saga directed by\n<B>G. Lucas</B>")
PAGE_3A = TEMPLATE.format("The Lord Of The\nRings", "40.00", "")

TREE_2A = {
    "": "<br>",
    "◁": "<span>",
    "◁◁": "<b>",
    "◁◁△": "Title",
    "◁◁▷": "<div>",
    "◁◁▷△": "Price",
    "◁△": "Descr.",
    "◁▷": "<div>",
    "▷": "<span>",
}
# The tree whose extraction table 2 shows: landmarks inside <B> and <DIV> leave these unbalanced.
TREE_2B = {
    "": "<br>",
    "◁": "<span>",
    "◁◁": "Price",
    "◁◁◁": "Title",
    "◁△": "Descr.",
    "◁▷": "<div>",
    "▷": "<span>",
}
# The tree of section 2, where Descr. is the root and Price its left child.
TREE_OF_THE_OVERVIEW = {
    "": "Descr.",
    "◁": "Price",
    "◁◁": "Title",
    "▷": "<br>",
    "▷◁": "<div>",
    "▷▷": "<span>",
}

PAGES = [tokenize(Page(html)) for html in (PAGE_1A, PAGE_1B, PAGE_3A)]
NAMES, REGIONS = sep.literal_pages(PAGES)
NUMBERS = {name: number for number, name in enumerate(NAMES)}


def states(landmarks: dict[str, str], pages: int = 2, k: int = 2) -> list[sep.State]:
    """The states on the way to a tree, the empty one first."""
    found = [sep.initial(REGIONS[:pages])]
    for path, name in landmarks.items():
        found.append(sep.apply(found[-1], path, NUMBERS[name], k))
    return found


def extracted(state: sep.State, page: int) -> list[str]:
    """What the leaves of a tree extract from a page, in page order."""
    found = []
    tokens = PAGES[page]
    for _, regions in state.leaves:
        for region in regions:
            if region.page == page:
                start, end = tokens.source_span(region.start, region.end)
                found.append((start, " ".join(tokens.page.html[start:end].split())))
    return [text for _, text in sorted(found)]


def landmark_tree(landmarks: dict[str, str]) -> Tree:
    """A tree as the wrapper has it, from landmarks by path."""
    numbers = {path: number for number, path in enumerate(landmarks)}
    nodes = []
    for path, name in landmarks.items():
        mark = Landmark(TAG, name[1:-1]) if name.startswith("<") else Landmark(TEXT, name)
        left, inner, right = (numbers.get(path + step, LEAF) for step in "◁△▷")
        nodes.append(Split(mark, (left, inner, right), (path + "◁", path + "△", path + "▷")))
    return Tree(tuple(nodes))


def test_figure_1_pages_as_tokens() -> None:
    assert [len(page) for page in PAGES] == [22, 25, 20]


def test_section_2_price_is_no_landmark_of_page_a_but_of_what_precedes_descr() -> None:
    whole = unique_occurrences(REGIONS[:2], 2)
    assert NUMBERS["Descr."] in whole
    assert NUMBERS["Price"] not in whole
    left = split(REGIONS[:2], whole[NUMBERS["Descr."]]).left
    assert NUMBERS["Price"] in unique_occurrences(left, 2)


def test_table_1_extraction_of_tree_2a() -> None:
    goal = states(TREE_2A)[-1]
    assert extracted(goal, 0) == ["The Price of Everything", "35.22", "A US documentary"]
    assert extracted(goal, 1) == ["Star Wars", "9.98", "The saga directed by <B>G. Lucas</B>"]
    assert goal.extracted() == 8 + 11


def test_table_2_extraction_of_tree_2b() -> None:
    goal = states(TREE_2B)[-1]
    values = ["<B>", "</B> <DIV>", "</DIV>", "The Price of Everything", "35.22", "A US documentary"]
    assert extracted(goal, 0) == values
    assert goal.extracted() == 12 + 15


def test_example_1_productions_of_tree_2a() -> None:
    lines = grammar(landmark_tree(TREE_2A)).splitlines()
    assert lines[:2] == ["S → A", "A → A◁ <br> A▷ | E | ε"]
    assert "A◁ → A◁◁ <span> A◁△ </span> A◁▷ | E◁ | ε" in lines
    assert "A◁◁ → A◁◁◁ <b> A◁◁△ </b> A◁◁▷ | E◁◁ | ε" in lines
    assert "A◁◁△ → A◁◁△◁ “Title” A◁◁△▷ | E◁◁△ | ε" in lines
    assert "A◁▷△ → E◁▷△ | ε" in lines
    assert "A▷△ → E▷△ | ε" in lines
    assert lines[-1].startswith("E… → t E… | t")


def test_example_2_a_missing_description_does_not_stop_the_rest() -> None:
    tree = landmark_tree(TREE_2A)
    page = PAGES[2]
    regions = parse(page, tree).regions
    by_path = {
        tree.nodes[node].paths[slot]: at for (node, slot), at in regions.items() if node >= 0
    }
    assert page.texts_between(*by_path["◁▷△"]) == ["The Lord Of The Rings"]
    assert page.texts_between(*by_path["▷△"]) == ["40.00"]
    assert page.texts_between(*by_path["▷▷"]) == []


def test_example_3_split_of_page_a_on_br() -> None:
    placed = unique_occurrences(REGIONS[:1], 1)[NUMBERS["<br>"]]
    left, inner, right, failed = split(REGIONS[:1], placed)
    assert not inner
    assert not failed
    html = [PAGES[0].page.html[slice(*PAGES[0].source_span(r.start, r.end))] for r in left + right]
    assert html[0].startswith("<B>Title</B>")
    assert html[0].endswith("Everything</DIV>")
    assert html[1].split() == "<SPAN>35.22</SPAN> A US documentary".split()


def test_example_4_both_trees_come_of_the_three_pages() -> None:
    assert states(TREE_2A, pages=3)[-1].extracted() == 8 + 11 + 6
    assert states(TREE_2B, pages=3)[-1].extracted() == 12 + 15 + 10


def test_example_5_different_sequences_of_splits_lead_to_the_same_state() -> None:
    first = states({"": "<br>", "◁": "<span>", "▷": "<span>"})[-1]
    other = states({"": "<br>", "▷": "<span>", "◁": "<span>"})[-1]
    assert first.landmarks == other.landmarks
    assert first.extracted() == other.extracted()


@pytest.mark.parametrize(
    ("tree", "g", "h"),
    [
        (TREE_2A, [47, 45, 41, 37, 35, 31, 29, 27, 23, 19], [33, 27, 22, 18, 16, 12, 10, 8, 4, 0]),
        (TREE_2B, [47, 45, 41, 39, 37, 35, 31, 27], [33, 27, 22, 16, 10, 8, 4, 0]),
        (TREE_OF_THE_OVERVIEW, [47, 45, 43, 41, 39, 35, 31], [33, 24, 18, 12, 8, 4, 0]),
    ],
    ids=["2a", "2b", "overview"],
)
def test_example_6_costs_along_the_paths_of_2_sep(
    tree: dict[str, str], g: list[int], h: list[int]
) -> None:
    path = states(tree)
    assert [state.extracted() for state in path] == g
    assert [-state.estimate(2) for state in path] == h
    assert [state.incompressible(2) for state in path] == [a - b for a, b in zip(g, h, strict=True)]


def test_example_6_astar_reaches_the_optimal_tree() -> None:
    state, splits = sep.astar(REGIONS[:2], 2)
    assert state.extracted() == 19
    assert state.estimate(2) == 0
    assert splits < 100
    assert Optimum(2).solve(REGIONS[:2]) == (19, True)
    assert sep.astar(REGIONS, 2)[0].extracted() == 8 + 11 + 6


@pytest.mark.parametrize("search", SEARCHES)
def test_the_learner_reads_title_and_price(search: str) -> None:
    learned = learn(PAGES, search, k=2)
    assert learned.report.optimal == (search == "astar")
    assert learned.report.left_out == ()
    for page, title, price in zip(
        PAGES,
        ("The Price of Everything", "Star Wars", "The Lord Of The Rings"),
        ("35.22", "9.98", "40.00"),
        strict=True,
    ):
        values = [page.texts_between(*at) for at in parse(page, learned.tree).regions.values()]
        assert [title] in values
        assert [price] in values


def test_the_tree_drawn() -> None:
    assert draw(learn(PAGES, k=2).tree).splitlines() == [
        "<br>",
        "  ◁ <b>",
        "    ◁ • ^+",
        "    △ “Title”",
        "      ◁ • <b>/^+",
        "      ▷ • “Title”+",
        "    ▷ <span>",
        "      ◁ <div>",
        "        ◁ • <b>+",
        "        △ “Price”",
        "          ◁ • <b><div>/^+",
        "          ▷ • “Price”+",
        "        ▷ • <div>+",
        "      △ “Descr.”",
        "        ◁ • <b><span>/^+",
        "        ▷ • “Descr.”+",
        "      ▷ <div>",
        "        ◁ • <span>+",
        "        △ • <span><div>",
        "        ▷ • <div>+[2]",
        "  ▷ <span>",
        "    ◁ • <br>+",
        "    △ • <br><span>",
        "    ▷ • <span>+[2]",
    ]
