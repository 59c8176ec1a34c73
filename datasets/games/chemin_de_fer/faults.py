"""All faults there are, phase by phase."""

from __future__ import annotations

from datasets.games.chemin_de_fer import faults_bank, faults_cards, faults_stakes
from datasets.games.chemin_de_fer.making import Plan

PLANS: dict[str, Plan] = {**faults_cards.PLANS, **faults_stakes.PLANS, **faults_bank.PLANS}
KINDS = {name: plan.kind for name, plan in PLANS.items()}
