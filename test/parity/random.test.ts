import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createGreenhouse, type GreenhouseOptions, type World } from 'greenhouse-mock'
import { sensorPlugin } from '../../examples/plug-in/sensors.ts'
import type { Asked as RawAsked } from '../builds/client.ts'
import { placesOf, type Place } from '../builds/paths.ts'
import { noteCreated, toRequest } from '../builds/random-request.ts'
import { history, type Step } from '../builds/steps.ts'
import { adapters } from '../support/adapters.ts'
import { times } from '../support/soak.ts'
import { ask, keptBy, openAlike, type Asked, type Got } from './transcript.ts'

/** Another one, or that of a failure: fast-check prints it, with the path to the shrunk history. */
const seed = Number(process.env['TEST_SEED'] ?? 20_261_202)

/**
 * The message names the request that differs. TEST_SHRINK searches for a shorter history, which
 * takes minutes.
 */
const endOnFailure = process.env['TEST_SHRINK'] === undefined

test('every adapter answers and keeps the same, whatever happens', () =>
  compareAdapters({}, times(300, 2)))

test('every adapter answers and keeps the same with the operations of a plug-in', () =>
  compareAdapters(
    { plugins: [sensorPlugin()] },
    times(100, 1),
    (id) => id.startsWith('sensors.') || id === 'plants.list',
  ))

/** @param isMeant which operations to call. */
async function compareAdapters(
  options: GreenhouseOptions,
  numRuns: number,
  isMeant = (_id: string) => true,
) {
  const known = createGreenhouse({ now: '2026-03-01T12:00:30.000Z', ...options })
  const operations = known.operations().filter(({ id }) => isMeant(id))
  const places = placesOf(known.world())
  let asked = 0
  await fc.assert(
    fc.asyncProperty(history(operations, 120), async (steps) => {
      const alike = steps.filter((step) => !needsConnection(step))
      const [core, ...others] = adapters
      const expected = await live(core!, alike, options, places)
      asked += expected.replies.length
      for (const adapter of others) {
        const { requests, replies, kept } = await live(adapter, alike, options, places)
        for (const [index, reply] of replies.entries())
          expect(reply, `${adapter.name}: ${JSON.stringify(requests[index])}`).toEqual(
            expected.replies[index],
          )
        for (const [index, entry] of kept.entries())
          expect(entry, adapter.name).toEqual(expected.kept[index])
        expect(kept, adapter.name).toHaveLength(expected.kept.length)
      }
    }),
    { numRuns, seed, endOnFailure },
  )
  expect(asked).toBeGreaterThanOrEqual(numRuns)
}

/**
 * Requests that `Request` cannot express, that hosts leave to others, or that need a connection:
 * test/parity/scenarios has those.
 */
function needsConnection(step: Step): boolean {
  if (step.kind === 'use') return step.scenarios.some((name) => ofConnections.test(name))
  if (step.kind !== 'ask') return false
  const { method, headers, world, junk, place } = step.ask
  return (
    /^(TRACE|get)$/.test(method ?? '') ||
    // Over a socket the pages of other sites are turned away, in a process they are not.
    headers.some(
      ([name, value]) => /^(origin|sec-fetch-site)$/i.test(name) || ofConnections.test(value),
    ) ||
    // Hosts answer other paths in different ways.
    world === '/~' ||
    (place === undefined && /^(\.|%2e|$)/i.test(junk))
  )
}

const ofConnections = /^(empty-reply|connection-reset|garbage|truncated-body|stream-breaks)/

async function live(
  adapter: (typeof adapters)[number],
  steps: readonly Step[],
  options: GreenhouseOptions,
  places: ReturnType<typeof placesOf>,
) {
  const { greenhouse, world, send, close } = await openAlike(adapter, options)
  const requests: Asked[] = []
  const replies: Got[] = []
  const created: Place[] = []
  try {
    for (const step of steps) {
      if (step.kind !== 'ask') {
        await world.settled()
        happen(world, step)
        continue
      }
      const [request, key] = toRequest(step.ask, places, created)
      if (request.target.includes('/deliveries')) await world.settled()
      const asked = toAsked(request)
      const got = timeless(await ask(send, asked))
      requests.push(asked)
      replies.push(got)
      if (got.reply) noteCreated(created, request, key, got.reply.status, got.reply.bytes)
    }
    await world.settled()
    return { requests, replies, kept: (await keptBy(greenhouse)).map(timeless) }
  } finally {
    await close()
  }
}

function happen(world: World, step: Exclude<Step, { kind: 'ask' }>): void {
  switch (step.kind) {
    case 'clock':
      return world.clock.advance(step.advance)
    case 'reset':
      return world.reset()
    case 'use':
      return world.useOnly(step.scenarios as never)
    case 'assume':
      return world.assume(step.values)
  }
}

/**
 * Converts it for `fetch`: GET and HEAD without a body, and no empty value beside another one,
 * whose space it would trim.
 */
function toAsked({ method, target, headers = [], body }: RawAsked): Asked {
  const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD'
  return [
    target,
    {
      method,
      headers: headers.filter(([, value]) => value !== '').map(([name, value]) => [name, value]),
      ...(hasBody && { body: body as BodyInit }),
    },
  ]
}

/**
 * The duration of a receiver's answer, and its error, depend on the host; so does the length of a
 * text with them.
 */
function timeless<T>(value: T): T {
  const text = JSON.stringify(value)
  if (!/latency/.test(text)) return value
  return JSON.parse(
    text
      .replace(/(latency(?:_ms)?\\*":)[\d.e-]+/g, '$1\u0030')
      .replace(
        /connect ECONNREFUSED [\d.:]+|getaddrinfo E\w+ [\w.]+|The name [\w.]+ has no address\.|Failed to fetch|fetch failed/g,
        'no connection',
      )
      .replace(/("content-length",|"Content-Length":|"bytes":)"?\d+"?/gi, '$10'),
  ) as T
}
