import { expect, test } from 'vitest'
import { createGreenhouse } from '../../src/index.ts'
import { adapters } from '../support/adapters.ts'
import { againstDocument } from '../support/against-document.ts'
import { times } from '../support/soak.ts'
import { createCaller, start } from '../support/through.ts'
import { cases } from '../coverage/cases/index.ts'
import { toSent } from '../coverage/ways.ts'

/** Of the ways to each status, one in so many is gone under an alternative; under the defaults all are. */
const oneIn = times(1, 12)

/** Each alternative of each assumption, and the defaults. */
const variants: Readonly<Record<string, string>>[] = [
  {},
  ...createGreenhouse()
    .assumptions()
    .flatMap(({ id, values }) => values.slice(1).map((value) => ({ [id]: value }))),
]

test('every reply of every operation is as the document of its assumptions says', async () => {
  const judges = new Map<string, ReturnType<typeof againstDocument>>()
  const greenhouse = createGreenhouse({ now: start })
  const { send, close } = await adapters[0]!.open(greenhouse)
  const call = createCaller(send)
  const world = greenhouse.world()
  const wrong: string[] = []
  let seen = 0
  for (const [number, variant] of variants.entries())
    for (const [operation, ways] of Object.entries(cases))
      for (const [, asked] of Object.entries(ways))
        for (const [place, [what, ask]] of asked.entries()) {
          if (number > 0 && (place + number) % oneIn !== 0) continue
          world.reset({ assumptions: variant })
          world.clock.freeze()
          let sent
          try {
            sent = await toSent(ask, call, world)
          } catch {
            // What it prepares takes the defaults.
            continue
          }
          const [method, path, { key = 'key_pro', body, headers } = {}] = sent
          const response = await send(path, {
            method,
            headers: {
              ...(key !== null && { authorization: `Bearer ${key}` }),
              ...(body !== undefined && { 'content-type': 'application/json' }),
              ...headers,
            },
            ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
          })
          const reply = { status: response.status, headers: response.headers, text: await response.text() }
          const [entry] = world.journal.calls().slice(-1)
          if (entry?.operation === undefined) continue
          const assumed = JSON.stringify(world.assumptions)
          let judge = judges.get(assumed)
          if (!judge) judges.set(assumed, (judge = againstDocument(world.assumptions)))
          seen++
          for (const problem of judge(entry.operation, reply))
            wrong.push(`${JSON.stringify(variant)} ${operation}, ${what}: ${problem}`)
        }
  await close()
  expect(seen).toBeGreaterThan(1_000)
  expect(wrong.slice(0, 25), `${wrong.length} of ${seen}`).toEqual([])
})
