import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGreenhouse, type World } from 'greenhouse-mock'
import { collectEvidence, coverageOf, type Evidence } from 'greenhouse-mock/evidence'
import type { Send } from '../support/adapters.ts'
import type { Sent } from '../malformations/requests.ts'
import { report } from '../support/report.ts'
import { soaks } from '../support/soak.ts'
import { createCaller, start, tested, toInit } from '../support/test-api.ts'
import { cases } from './cases/index.ts'
import { toSent } from './ways.ts'
import { areas } from '../../src/catalogue/catalogue.ts'
import * as z from 'zod/mini'
import type { Area } from '../../src/core/pipeline/area.ts'
import type { Operation } from '../../src/core/pipeline/operation.ts'

/** Every operation with the statuses that it can answer. */
const declared: ReadonlyMap<string, readonly number[]> = new Map(
  areas
    .toReversed()
    .flatMap((area) =>
      area.operations.map((operation) => [operation.id, statusesOf(area, operation)] as const),
    ),
)

/** The statuses that follow from how an operation is declared, in ascending order. */
function statusesOf(area: Area, operation: Operation): number[] {
  const assumed = Object.entries(area.assumptions)
    .filter(([id]) => governs(area, operation, id))
    .map(([id, { values }]) => ({
      id,
      statuses: values.map(Number).filter((status) => status >= 200 && status < 600),
    }))
  const successes = assumed.some(({ id }) => id.endsWith('.status'))
    ? []
    : [isSending(operation) ? 202 : 200]
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
  return [
    ...new Set([...successes, ...refusals, ...assumed.flatMap(({ statuses }) => statuses)]),
  ].sort((one, other) => one - other)
}

/** Whether an assumption, by its id, is about an operation. */
function governs(area: Area, { id, method, body, result }: Operation, assumption: string): boolean {
  if (assumption.startsWith(`${id}.`)) return true
  if (assumption.startsWith(`${area.name}.body.`) && assumption !== 'plants.body.includes-id')
    return body !== undefined
  if (assumption === 'apps.create.status') return area.name === 'apps' && id.endsWith('.create')
  return (
    assumption === 'apps.delete.status' &&
    area.name === 'apps' &&
    method === 'DELETE' &&
    result === undefined
  )
}

/** Whether it is answered before it is done: with a delivery that is yet to be sent. */
function isSending({ method, result }: Operation): boolean {
  return method === 'POST' && result instanceof z.ZodMiniObject && 'event_id' in result.shape
}

/** Operation × status as text: `✓` reached, `✗` a hole, `·` no status of the operation. */
function toTable(isReached: (cell: string) => boolean): string {
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

/** The core; at full size a server, too. test/parity/operations sends each status through all. */
const through = tested.slice(0, soaks ? 2 : 1)

/** By adapter, `<operation> <status>` of every status that a request got. */
const reached = through.map(() => new Set<string>())

const evidence: Evidence[] = []

const astray: string[] = []

beforeAll(async () => {
  for (const [index, adapter] of through.entries()) {
    const greenhouse = createGreenhouse({ now: start })
    const { send, close } = await adapter.open(greenhouse)
    const collector = collectEvidence(greenhouse)
    const call = createCaller(send)
    const world = greenhouse.world()
    for (const [operation, ways] of Object.entries(cases))
      for (const [status, asked] of Object.entries(ways))
        for (const [what, ask] of asked) {
          world.reset()
          world.clock.freeze()
          const sent = await toSent(ask, call, world)
          const before = stateOf(world)
          const answer = await request(send, sent)
          if (answer.status >= 400 && stateOf(world).some((record, at) => record !== before[at]))
            astray.push(`${operation} ${status}, ${what} (${adapter.name}): it changed a record`)
          const [entry] = world.journal.calls().slice(-1)
          if (entry?.operation === operation) reached[index]!.add(`${operation} ${answer.status}`)
          if (entry?.operation === operation && answer.status === Number(status)) continue
          const got = `${entry?.operation} ${answer.status} ${answer.text.slice(0, 200)}`
          astray.push(`${operation} ${status}, ${what} (${adapter.name}): ${got}`)
        }
    await close()
    evidence.push(collector.end())
  }
})

afterAll(() => {
  const table = toTable((cell) => reached.every((set) => set.has(cell)))
  report('statuses', table)
})

test('every way to a status leads there, and a rejection changes nothing', () => {
  expect(astray).toEqual([])
})

const known = [...declared].flatMap(([operation, statuses]) =>
  statuses.map((status) => `${operation} ${status}`),
)

test('every operation answers with each status that it can answer', () => {
  expect(known.filter((cell) => !reached.every((set) => set.has(cell)))).toEqual([])
})

test('no operation answers with a status that it is not known to have', () => {
  expect(reached.flatMap((set) => [...set]).filter((cell) => !known.includes(cell))).toEqual([])
})

const served = createGreenhouse()

test('the coverage of error paths sees each of its statuses', () => {
  const unseen = evidence.map((one) =>
    Object.entries(coverageOf(one, served).counts)
      .filter(([cell, count]) => count === 0 && /\/\d+$/.test(cell))
      .map(([cell]) => cell),
  )
  expect(unseen).toEqual(through.map(() => []))
})

/** All records, which are frozen: another one in its place is a change. */
const stateOf = ({ records }: World) =>
  Object.values(records).flatMap((collection) => collection.all() as object[])

async function request(
  send: Send,
  [method, path, asked]: Sent,
): Promise<{ status: number; text: string }> {
  const response = await send(path, toInit(method, asked))
  return { status: response.status, text: await response.text() }
}
