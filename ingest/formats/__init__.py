"""What model files look like inside: headers, number formats, and what families call their norms."""
