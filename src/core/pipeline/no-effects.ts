import type { MatchedEffects } from './exchange.ts'
import type { Verdicts } from './verdicts.ts'

const none: readonly never[] = []

/** Nothing acts on the request. */
export const noEffects: MatchedEffects = { identity: {}, all: none, for: () => none }

/** No effect applies. */
export const noVerdicts: Verdicts = {
  size: 0,
  fired: 0,
  bits: 0,
  fire: () => undefined,
  hasFired: () => false,
  hasActed: () => false,
  acted: () => [],
  read: () => [],
}
