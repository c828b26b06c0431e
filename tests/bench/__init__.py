"""What the README promises, measured: ratios within one run, because machines are noisy."""
