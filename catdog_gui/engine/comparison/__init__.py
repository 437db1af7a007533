"""The same short training on every device of this computer, side by side."""
