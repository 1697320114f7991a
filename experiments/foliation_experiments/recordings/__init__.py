"""MORF on recordings of brains."""
