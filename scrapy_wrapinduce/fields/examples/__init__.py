"""From what people show to fields: where the values of examples stand, and which column is meant."""
