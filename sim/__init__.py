"""The library: plays full Omaha hands, records and measures them. Import the modules by name; this file stays empty."""
