import type { Assume } from '../../core/contract/assumptions.ts'
import { type Contract, errorsOf } from '../../core/pipeline/operation.ts'
import { deliveryFaults } from '../../core/world/effective-settings.ts'
import { malformKinds } from '../../scenarios/language/malformation.ts'
import type { SeenRequest } from '../seen-request.ts'

const familiesOfStatuses = ['auth', 'quota', 'validation', 'server'] as const

export const families = [...familiesOfStatuses, 'slow', 'broken-body', 'broken-wire'] as const

const slow = ['delay', 'drip', 'timeout']
const brokenWire = ['reset', 'empty-reply', 'network-error', 'garbage', 'timeout']
const brokenBody = [...malformKinds, 'truncate', 'headers', 'stale', 'stream']

/**
 * Returns the cells that the contract makes possible: each status of each operation (`plants.list/429`), each of its
 * families of failures (`plants.list/quota`), each fault of the delivery of each event (`app.created/lost`), and each
 * scenario (`scenario/slow`). @param values the assumptions in force.
 */
export function listCells(
  { areas }: Contract,
  scenarios: readonly string[],
  values: ReadonlyMap<string, string>,
): string[] {
  const assume: Assume = (_, id) => values.get(id)!
  const operations = areas.flatMap((area) =>
    area.operations.flatMap((operation) => {
      const succeeds = [...(operation.statuses?.(assume) ?? [200]), ...listOf(operation.stream?.(assume)?.status)]
      const fails = [...errorsOf(area, operation, assume).keys()]
      const hasBody = operation.result !== undefined || operation.stream !== undefined
      const shown = new Set(fails.map(familyOf))
      const possible = [
        ...familiesOfStatuses.filter((family) => shown.has(family)),
        'slow',
        ...(hasBody ? ['broken-body'] : []),
        'broken-wire',
      ]
      return [...new Set([...succeeds, ...fails]), ...possible].map((what) => `${operation.id}/${what}`)
    }),
  )
  const events = areas.flatMap(({ eventSchemas }) => Object.keys(eventSchemas))
  return [
    ...operations,
    ...[...new Set(events)].flatMap((event) => deliveryFaults.map((fault) => `${event}/${fault}`)),
    ...scenarios.map((name) => `scenario/${name}`),
  ]
}

/** Returns the cells that a request fills. `listCells` may lack some of them. */
export function cellsOf({ operation, status, acted }: SeenRequest, scenarios: readonly string[]): string[] {
  const own =
    operation === undefined
      ? []
      : [
          ...(status > 0 ? [status] : []),
          ...listOf(familyOf(status)),
          ...(acted.some((kind) => slow.includes(kind)) ? ['slow'] : []),
          ...(acted.some((kind) => brokenBody.includes(kind)) ? ['broken-body'] : []),
          ...(acted.some((kind) => brokenWire.includes(kind)) ? ['broken-wire'] : []),
        ]
  return [...own.map((what) => `${operation}/${what}`), ...scenarios.map((name) => `scenario/${name}`)]
}

export function familyOf(status: number): (typeof familiesOfStatuses)[number] | undefined {
  if (status < 400) return undefined
  if (status === 401 || status === 403) return 'auth'
  return status === 429 ? 'quota' : status < 500 ? 'validation' : 'server'
}

function listOf<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value]
}
