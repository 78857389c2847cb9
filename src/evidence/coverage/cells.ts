import type { Assume } from '../../core/definitions/assumptions.ts'
import type { Contract } from '../../core/pipeline/contract.ts'
import { refusalsOf } from '../../core/pipeline/refusals.ts'
import { deliveryFaults } from '../../core/world/layer.ts'
import { malformKinds } from '../../scenarios/malformation.ts'
import type { SeenRequest } from '../seen-request.ts'

/** The families of failures that a request can meet. */
export const families = ['auth', 'quota', 'validation', 'server', 'slow', 'broken-body', 'broken-wire'] as const

export type Family = (typeof families)[number]

const slow = ['delay', 'drip', 'timeout']
const brokenWire = ['reset', 'empty-reply', 'network-error', 'garbage', 'timeout']
const brokenBody = [...malformKinds, 'bad-utf8', 'truncate', 'headers', 'stale', 'stream']

/**
 * Returns the cells that the contract makes possible: `plants.list/429`, `plants.list/quota`, `app.created/lost` and
 * `scenario/slow`: each status of each operation, each family of failures of each operation, each fault of the delivery of each
 * event, and each scenario. @param values the assumptions in force.
 */
export function listCells(
  { areas }: Contract,
  scenarios: readonly string[],
  values: ReadonlyMap<string, string>,
): string[] {
  const assume: Assume = (_, id) => values.get(id)!
  const operations = areas.flatMap((area) =>
    area.operations.flatMap((operation) => {
      const succeeds = [...(operation.statuses?.(assume) ?? [200]), ...listStream(operation.stream?.(assume)?.status)]
      const fails = [...refusalsOf(area, operation, assume).keys()]
      const hasBody = operation.result !== undefined || operation.stream !== undefined
      const possible = families.filter((family) =>
        toOfStatus[family] ? fails.some((status) => familyOf(status) === family) : family !== 'broken-body' || hasBody,
      )
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
          ...listFamily(familyOf(status)),
          ...(acted.some((kind) => slow.includes(kind)) ? ['slow'] : []),
          ...(acted.some((kind) => brokenBody.includes(kind)) ? ['broken-body'] : []),
          ...(acted.some((kind) => brokenWire.includes(kind)) ? ['broken-wire'] : []),
        ]
  return [...own.map((what) => `${operation}/${what}`), ...scenarios.map((name) => `scenario/${name}`)]
}

/** The families that a status belongs to. */
const toOfStatus: Partial<Record<Family, (status: number) => boolean>> = {
  auth: (status) => status === 401 || status === 403,
  quota: (status) => status === 429,
  validation: (status) => status >= 400 && status < 500 && status !== 401 && status !== 403 && status !== 429,
  server: (status) => status >= 500,
}

function familyOf(status: number): Family | undefined {
  return families.find((family) => toOfStatus[family]?.(status))
}

function listFamily(family: Family | undefined): Family[] {
  return family === undefined ? [] : [family]
}

function listStream(status: number | undefined): number[] {
  return status === undefined ? [] : [status]
}
