import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGreenhouse, type World } from 'greenhouse-mock'
import { collectEvidence, coverageOf, type Evidence } from 'greenhouse-mock/evidence'
import type { Send } from '../support/adapters.ts'
import type { Sent } from '../malformations/requests.ts'
import { report } from '../support/report.ts'
import { createCaller, start, tested, toInit } from '../support/test-api.ts'
import { cases } from './cases/index.ts'
import { declared, toTable } from './statuses.ts'
import { toSent } from './ways.ts'

/** By adapter, `<operation> <status>` of every status that a request got. */
const reached = tested.map(() => new Set<string>())

const evidence: Evidence[] = []

const astray: string[] = []

beforeAll(async () => {
  for (const [index, adapter] of tested.entries()) {
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

const known = [...declared].flatMap(([operation, statuses]) => statuses.map((status) => `${operation} ${status}`))

test('every operation answers with each status that it can answer', () => {
  expect(tested).toHaveLength(2)
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
  expect(unseen).toEqual([[], []])
})

/** All records, which are frozen: another one in its place is a change. */
const stateOf = ({ records }: World) => Object.values(records).flatMap((collection) => collection.all() as object[])

async function request(send: Send, [method, path, asked]: Sent): Promise<{ status: number; text: string }> {
  const response = await send(path, toInit(method, asked))
  return { status: response.status, text: await response.text() }
}
