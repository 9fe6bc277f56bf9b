"""What the capture child does with a request; see ../capture.py."""
