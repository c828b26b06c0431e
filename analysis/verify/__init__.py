"""Checks what models declare: `just verify`, `just audit`, and `just blend` for merges."""
