"""From a photo file to pixels: the bytes, what they really are, and the one recipe that makes a square of them."""
