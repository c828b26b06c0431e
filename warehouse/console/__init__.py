"""What all commands share: options, progress, output, interrupts and errors in one line."""
