"""Messages about devices."""

from catdog_gui.engine.messages import Template

MESSAGES: dict[str, Template] = {}
