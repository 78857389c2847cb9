import fc from 'fast-check'
import { expect, test } from 'vitest'
import { times } from '../support/soak.ts'
import { compareWorlds, controlAll, sendToAll, settleAll } from './all.ts'
import { openBuilds, type Build } from './builds.ts'
import type { Asked } from './client.ts'
import { placesOf, splitTemplate, toPattern, type Place } from './paths.ts'
import { history, type RandomAsk, type Step } from './steps.ts'

/** Another one, or that of a failure: fast-check prints it, with the path to the shrunk history. */
const seed = Number(process.env['GREENHOUSE_TEST_SEED'] ?? 20_261_201)

test('source, ESM, CommonJS and the command answer and keep the same, whatever happens', async () => {
  const { builds, world, operations, close } = await openBuilds()
  const places = placesOf(world)
  let asked = 0
  try {
    await fc.assert(
      fc.asyncProperty(history(operations, 120), async (steps) => {
        asked += await live(builds, places, steps)
      }),
      { numRuns: times(600, 16), seed },
    )
  } finally {
    await close()
  }
  expect(asked).toBeGreaterThan(600)
})

/** Lets a history happen in all builds, from the start, and counts its requests. */
async function live(builds: readonly Build[], known: ReadonlyMap<string, readonly Place[]>, steps: readonly Step[]) {
  await controlAll(builds, 'POST', '/reset')
  const created: Place[] = []
  let asked = 0
  for (const step of steps)
    switch (step.kind) {
      case 'ask': {
        const [request, key] = toRequest(step.ask, known, created)
        if (request.target.includes('/deliveries')) await settleAll(builds)
        const { head, body } = await sendToAll(builds, request)
        asked++
        const id = /^HTTP\/1\.1 20[01]/.test(head) && /^\{"id":("[^"]+"|\d+)/.exec(body)?.[1]
        if (id && request.method === 'POST')
          created.push([`${request.target.replace(/\?.*$/, '')}/${id.replaceAll('"', '')}`, key])
        break
      }
      case 'clock':
        await settleAll(builds)
        await controlAll(builds, 'PATCH', '/clock', { advance: step.advance })
        break
      case 'reset':
        await controlAll(builds, 'POST', '/reset')
        break
      case 'use':
        await controlAll(builds, 'PUT', '/scenarios', { active: step.scenarios })
        break
      case 'assume':
        await controlAll(builds, 'PATCH', '/assumptions', step.values)
        break
    }
  await compareWorlds(builds)
  return asked
}

function toRequest(
  { operation, place, junk, world, query, method, authorization, headers, body }: RandomAsk,
  known: ReadonlyMap<string, readonly Place[]>,
  created: readonly Place[],
): [Asked, key: string] {
  const [template, rest] = splitTemplate(operation.path)
  const pattern = toPattern(template)
  const choices = [...created.filter(([path]) => pattern.test(path)), ...(known.get(template) ?? [])]
  const chosen = place === undefined ? undefined : choices[place % choices.length]
  const [path, key] = chosen ?? [template.replace(/\{\w+\}/g, junk).replaceAll(' ', '%20'), 'key_pro']
  const value = authorization === undefined ? `Bearer ${key}` : authorization
  const isTyped = headers.some(([name]) => name.toLowerCase() === 'content-type')
  return [
    {
      method: method ?? operation.method,
      target: `${world}${path}${rest}${query === '' ? '' : `?${query.replaceAll(' ', '%20')}`}`,
      headers: [
        ...(value === null ? [] : ([['Authorization', value]] as const)),
        ...(body !== undefined && !isTyped ? ([['Content-Type', 'application/json']] as const) : []),
        ...headers,
      ],
      ...(body !== undefined && { body }),
    },
    key,
  ]
}
