import { expect, test } from 'vitest'
import { createWatchedGreenhouse } from '../../src/api/assembly/create.ts'
import { adapters } from '../support/adapters.ts'
import { againstDocument } from '../support/against-document.ts'
import { soaks, times } from '../support/soak.ts'
import { createCaller, start, toInit } from '../support/test-api.ts'
import { cases } from '../coverage/cases/index.ts'
import { toSent } from '../coverage/ways.ts'

/** The share of cases to check under an alternative; under the defaults, all are checked. All of them take four minutes. */
const oneIn = times(3, 40)

const ways = Object.entries(cases).flatMap(([operation, statuses]) =>
  Object.values(statuses).flatMap((asked) => asked.map(([what, ask]) => ({ title: `${operation}, ${what}`, ask }))),
)

test('every reply of every operation is as the document of its assumptions says', async () => {
  let reads = new Set<string>()
  const greenhouse = createWatchedGreenhouse({ now: start }, { onAssumptionRead: (id) => reads.add(id) })
  const { send, close } = await adapters[0]!.open(greenhouse)
  const call = createCaller(send)
  const world = greenhouse.world()
  const judges = new Map<string, Awaited<ReturnType<typeof againstDocument>>>()
  const wrong: string[] = []
  let seen = 0

  const go = async ({ title, ask }: (typeof ways)[number], variant: Readonly<Record<string, string>>) => {
    world.reset({ assumptions: variant })
    world.clock.freeze()
    // The preparation of a request may use the defaults.
    const sent = await toSent(ask, call, world).catch(() => undefined)
    if (!sent) return
    const [method, path, asked] = sent
    const response = await send(path, toInit(method, asked))
    const reply = { status: response.status, headers: response.headers, text: await response.text() }
    const operation = world.journal.calls({ limit: 1 })[0]?.operation
    if (operation === undefined) return
    const area = operation.startsWith('plants.') ? 'plants' : 'apps'
    const assumed = `${area} ${JSON.stringify(world.assumptions)}`
    const judge = judges.get(assumed) ?? (await againstDocument(world.assumptions, area))
    judges.set(assumed, judge)
    seen++
    for (const problem of judge(operation, reply)) wrong.push(`${JSON.stringify(variant)} ${title}: ${problem}`)
  }

  // An exchange that never read an assumption cannot change with it.
  const readBy = new Map<(typeof ways)[number], ReadonlySet<string>>()
  for (const way of ways) {
    reads = new Set()
    await go(way, {})
    readBy.set(way, reads)
  }
  let number = 0
  // Each alternative has a document of its own, which takes most of the time.
  const alternatives = greenhouse
    .assumptions()
    .flatMap(({ id, values }) => values.slice(1).map((value) => ({ id, value })))
  for (const { id, value } of alternatives.filter((_, index) => soaks || index % 6 === 0)) {
    judges.clear()
    for (const way of ways.filter((one) => readBy.get(one)!.has(id)))
      if (number++ % oneIn === 0) await go(way, { [id]: value })
  }
  await close()
  expect(seen).toBeGreaterThan(1_000)
  expect(wrong.slice(0, 25), `${wrong.length} of ${seen}`).toEqual([])
})
