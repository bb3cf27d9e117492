"""What the Transformer panel shows, as plain maths on what a net computed."""
