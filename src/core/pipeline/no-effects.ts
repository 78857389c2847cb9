import type { MatchedEffects } from './exchange.ts'
import type { Verdicts } from './verdicts.ts'

const none: readonly never[] = []

export const noEffects: MatchedEffects = { identity: {}, all: none, for: () => none }

export const noVerdicts: Verdicts = {
  size: 0,
  fired: 0,
  bits: 0,
  fire: () => undefined,
  hasFired: () => false,
  hasActed: () => false,
  acted: () => [],
  actedKinds: () => [],
  read: () => [],
}
