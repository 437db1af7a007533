"""Where a run stands and what may be done then: names alone, so that the window's first paint needs no more."""

from enum import Enum, auto


class RunPhase(Enum):
    """The values are the window's Qt property `runPhase`."""

    IDLE = "idle"
    PREPARING = "preparing"
    RUNNING = "running"
    STOPPING = "stopping"
    COMPLETED = "completed"
    STOPPED = "stopped"
    FAILED = "failed"


class Action(Enum):
    TRAIN = auto()
    STOP = auto()
    EDIT_SETTINGS = auto()
    CHOOSE_DATA = auto()
