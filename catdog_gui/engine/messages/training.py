"""Messages about training."""

from catdog_gui.engine.messages import Template

MESSAGES: dict[str, Template] = {}
