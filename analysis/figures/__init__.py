"""Every figure of the documents and some of our own, each a query under `sql/figures/` and a small chart.

catalogue.py                                FIGURES, all of them in the order of the report
sionic.py hyunwoong.py critique.py ours.py  what each is called, shows and needs
figure.py                                   reading and drawing one
style.py                                    colours, shapes, fonts
sampled.py heatmaps.py layers.py matrices.py baselines.py ridges.py space.py permutations.py
contradictions.py                           the charts
"""
