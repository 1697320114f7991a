"""SPORF on features without order."""
