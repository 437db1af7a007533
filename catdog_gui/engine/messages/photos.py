"""Messages about photos."""

from catdog_gui.engine.messages import Template

MESSAGES: dict[str, Template] = {}
