"""Findings to text, JSON, CSV and Markdown."""
