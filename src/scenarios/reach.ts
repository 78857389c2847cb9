import type { Contract } from '../core/pipeline/contract.ts'
import { globFilter } from '../core/definitions/glob.ts'
import type { Conditions } from './condition.ts'
import type { ParsedEffects } from './effect-kind.ts'

export function reachOf(parts: ParsedEffects, contract: Contract): string[] {
  const reached = new Set(
    parts.flatMap(
      ({ kind, spec }) => kind.reach?.(spec, contract) ?? reachOfItems(spec as readonly Conditions[], contract),
    ),
  )
  return [...contract.areas.map(({ name }) => name), 'payments', 'webhooks'].filter((name) => reached.has(name))
}

function reachOfItems(items: readonly Conditions[], { areas }: Contract): string[] {
  return areas
    .filter(({ operations }) => items.some(({ on }) => operations.some(({ id }) => globFilter(on)(id))))
    .map(({ name }) => name)
}
