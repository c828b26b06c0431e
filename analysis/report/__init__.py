"""Writes the report: pages that open offline, in two languages, and the comparison of two models.

texts/          words of the pages, both languages side by side
templates/      their HTML; assets/ their style and script
build.py        `just report`: claims, figures, sections, then the pages
pages.py        which pages there are, what each shows, and the picture for link previews
sections.py     sections that need the lake alone: disagreements, lineage, models, data dictionary
links.py        texts as HTML, and where every link leads
page.py         the Jinja environment, and how pages are written
compare.py      `just compare`
"""
