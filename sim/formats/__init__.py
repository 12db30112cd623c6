"""Histories of hands, and the file formats that hold them."""
