import { areas } from '../../src/api/assembly/catalogue.ts'
import * as z from 'zod/mini'
import type { Area, Operation } from '../../src/core/pipeline/operation.ts'

/** Every operation with the statuses that it can answer. */
export const declared: ReadonlyMap<string, readonly number[]> = new Map(
  areas
    .toReversed()
    .flatMap((area) => area.operations.map((operation) => [operation.id, statusesOf(area, operation)] as const)),
)

/** The statuses that follow from how an operation is declared, in ascending order. */
function statusesOf(area: Area, operation: Operation): number[] {
  const assumed = Object.entries(area.assumptions)
    .filter(([id]) => governs(area, operation, id))
    .map(([id, { values }]) => ({ id, statuses: values.map(Number).filter((status) => status >= 200 && status < 600) }))
  const successes = assumed.some(({ id }) => id.endsWith('.status')) ? [] : [isSending(operation) ? 202 : 200]
  const refusals = [
    // Path and query are decoded before the operation; bodies and limits are checked elsewhere.
    400,
    401,
    ...(operation.scope === 'any' ? [] : [403]),
    ...(operation.path.includes('{') ? [404] : []),
    // An assumption adds limits to an area without them.
    429,
    500,
  ]
  return [...new Set([...successes, ...refusals, ...assumed.flatMap(({ statuses }) => statuses)])].sort(
    (one, other) => one - other,
  )
}

/** Whether an assumption, by its id, is about an operation. */
function governs(area: Area, { id, method, body, result }: Operation, assumption: string): boolean {
  if (assumption.startsWith(`${id}.`)) return true
  if (assumption.startsWith(`${area.name}.body.`) && assumption !== 'plants.body.includes-id') return body !== undefined
  if (assumption === 'apps.create.status') return area.name === 'apps' && id.endsWith('.create')
  return assumption === 'apps.delete.status' && area.name === 'apps' && method === 'DELETE' && result === undefined
}

/** Whether it is answered before it is done: with a delivery that is yet to be sent. */
function isSending({ method, result }: Operation): boolean {
  return method === 'POST' && result instanceof z.ZodMiniObject && 'event_id' in result.shape
}

/** Operation × status as text: `✓` reached, `✗` a hole, `·` no status of the operation. */
export function toTable(isReached: (cell: string) => boolean): string {
  const columns = [...new Set([...declared.values()].flat())].sort((one, other) => one - other)
  const width = Math.max(...Array.from(declared.keys(), (operation) => operation.length))
  const rows = Array.from(declared, ([operation, statuses]) => {
    const marks = columns.map((status) =>
      !statuses.includes(status) ? '·' : isReached(`${operation} ${status}`) ? '✓' : '✗',
    )
    return `${operation.padEnd(width)}  ${marks.join('   ')}`
  })
  return [`${''.padEnd(width)} ${columns.join(' ')}`, ...rows].join('\n')
}
