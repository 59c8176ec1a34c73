"""Every fault that can be put into a coup, by name."""

from __future__ import annotations

from datasets.games.punto_banco.faults_andorra import ANDORRA
from datasets.games.punto_banco.faults_mediterraneo import MEDITERRANEO
from datasets.games.punto_banco.making import Making

FAULTS: tuple[Making, ...] = (*ANDORRA, *MEDITERRANEO)

BY_NAME: dict[str, Making] = {making.kind.name: making for making in FAULTS}
