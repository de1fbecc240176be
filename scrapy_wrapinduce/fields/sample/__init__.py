"""The pages that are learned from: their texts, and what on them is template, frame, heading or head."""
