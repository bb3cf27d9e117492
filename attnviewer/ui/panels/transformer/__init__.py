"""The Transformer panel: self-attention built up step by step, and all heads of a real net on a text of one's own."""
