"""What the experiments on the road to attention compute without a net: counts, convolution, fields, documents."""
