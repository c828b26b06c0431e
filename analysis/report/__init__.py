"""Writes what people read: pages that open offline, in two languages, and the comparison of two models.

texts/          words of the pages, both languages beside each other
templates/      their HTML; assets/ their style and script
build.py        `just report`: claims, figures, sections, then the pages
pages.py        which pages there are, what each is given, and the picture for link previews
main_page.py    the answer, the dispute, and the headlines with what was found for each
links.py        texts as HTML, and where every link leads
sections.py     sections that need the lake alone: disagreements, lineage, models, data dictionary
page.py         the Jinja environment, and how pages are written
compare.py      `just compare`; readme.py the README's table of verdicts
"""
