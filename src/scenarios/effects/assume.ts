import * as z from 'zod/mini'
import type { Contract } from '../../core/pipeline/area.ts'
import type { MatchedExchange } from '../../core/pipeline/effect.ts'
import type { EffectKind } from '../language/effect-kind.ts'
import { described } from '../../core/contract/zod.ts'
import { mapFields } from '../../core/text/values.ts'

export const assumeEffect: EffectKind<Readonly<Record<string, string | number>>> = {
  name: 'assume',
  schema: described(
    z.record(z.string(), z.union([z.string(), z.number()])),
    'Changes assumptions, by id: plants.delete.unknown: 204.',
  ),
  check: (spec, { assumptionRegistry }) =>
    Object.entries(spec).flatMap(([id, value]) => {
      try {
        assumptionRegistry.check(id, String(value))
        return []
      } catch (error) {
        return [{ path: [id], message: (error as Error).message }]
      }
    }),
  reach: (spec, contract) => Object.keys(spec).flatMap((id) => readingAreas(id, contract)),
  narrowedBy: {
    conditions: [],
    why: 'assume changes the whole world',
  },
  create: (spec, activation) => [
    {
      scenario: activation.scenario,
      id: 'assume',
      did: (exchange) => describeRead(spec, activation.scenario, exchange),
      assumptions: mapFields(spec, String),
    },
  ],
}

function describeRead(
  spec: object,
  scenario: string,
  { assumed, effectiveSettings }: MatchedExchange,
): string {
  return Object.entries(spec)
    .filter(
      ([id]) => assumed.includes(id) && effectiveSettings.switchedBy.get(id)?.scenario === scenario,
    )
    .map(([id, value]) => `set ${id} to ${value}`)
    .join(' and ')
}

/**
 * Both areas read the common assumptions. Plants read those of rate limits only if an assumption
 * gives them limits.
 */
function readingAreas(id: string, { areas }: Contract): string[] {
  const own = areas
    .filter(({ assumptions }) => Object.hasOwn(assumptions, id))
    .map(({ name }) => name)
  if (own.length > 0) return own
  if (id.startsWith('rate-limit.')) return ['apps']
  return areas.map(({ name }) => name)
}
