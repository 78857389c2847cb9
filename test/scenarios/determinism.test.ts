import { expect, test } from 'vitest'
import { type Greenhouse, type GreenhouseOptions, createGreenhouse } from 'greenhouse-mock'
import { type Send, adapters } from '../support/adapters.ts'
import { open } from '../support/test-api.ts'

/** Scenarios in which chance, counting and both decide. */
export const chancy: GreenhouseOptions['scenarios'] = {
  chancy: {
    title: 'T',
    description: 'D',
    covers: 'C',
    respond: [
      { on: 'plants.list', status: 503, probability: 0.3 },
      { on: 'plants.list', status: 502, probability: 0.5, after: 5, every: 2 },
      { on: 'plants.list', status: 418, probability: 0.2, times: 3 },
    ],
  },
}

const list: RequestInit = { headers: { authorization: 'Bearer key_pro' } }

/** The statuses of so many lists, one after the other. */
export async function statusesOf(send: Send, count = 60, path = '/plants'): Promise<number[]> {
  const statuses: number[] = []
  for (let request = 0; request < count; request++) statuses.push((await send(path, list)).status)
  return statuses
}

/** Returns the sequence directly from the core. */
export function fromCore(greenhouse: Greenhouse, path?: string): Promise<number[]> {
  return statusesOf(
    (path, init) => greenhouse.fetch(new Request(`http://any${path}`, init)),
    60,
    path,
  )
}

const begin = (options: GreenhouseOptions = {}) =>
  createGreenhouse({ scenarios: chancy, use: ['chancy'], ...options })

/** The result of seed 1 on any machine. */
const expected = '418 200 200 200 200 503 502 200 200 418 200 418 502 200 502 200 502 503 200 200'
  .split(' ')
  .map(Number)

test('the same seed gives the same sequence of faults through every adapter', async () => {
  const sequences: number[][] = []
  for (const adapter of adapters) {
    const greenhouse = begin()
    const { send, close } = await adapter.open(greenhouse)
    sequences.push(await statusesOf(send))
    await close()
  }
  for (const sequence of sequences) expect(sequence).toEqual(sequences[0])
  expect(new Set(sequences[0])).toEqual(new Set([200, 418, 502, 503]))
})

test('the sequence of a seed is the same on every machine and in every run', async () => {
  expect((await fromCore(begin({ seed: 1 }))).slice(0, expected.length)).toEqual(expected)
})

test('the sequence restarts on a reset, and when the scenario is switched on again', async () => {
  const greenhouse = begin()
  const first = await fromCore(greenhouse)
  expect(await fromCore(greenhouse), 'it goes on').not.toEqual(first)
  greenhouse.world().reset()
  expect(await fromCore(greenhouse)).toEqual(first)
  greenhouse.world().use('chancy')
  expect(await fromCore(greenhouse)).toEqual(first)
  greenhouse.world().reset({ seed: 2 })
  expect(await fromCore(greenhouse), 'another seed').not.toEqual(first)
})

test('a snapshot goes on from where it was taken', async () => {
  const greenhouse = begin()
  const world = greenhouse.world()
  await fromCore(greenhouse)
  world.snapshot('here')
  const next = await fromCore(greenhouse)
  world.restore('here')
  expect(await fromCore(greenhouse)).toEqual(next)
  world.restore('here')
  expect(await fromCore(greenhouse), 'a second time too').toEqual(next)
})

test('the ids of a seed are the same on every machine and in every run', async () => {
  const { call } = open({ seed: 7 })
  const make = () => call('POST', '/v1/apps', { body: { name: 'a' } })
  const made = [await make(), await make()]
  expect(made.map(({ body, headers }) => [headers.get('x-request-id'), body.id])).toEqual([
    ['req_aqdtmrvhmtgcxap2', 'app_onokcw7mskew5yh2'],
    ['req_7bt5lziwmvf6i3r5', 'app_etemp5ldx7ejt4oq'],
  ])
})

test('worlds of the same seed have the same sequence, each its own', async () => {
  const greenhouse = begin()
  const one = await fromCore(greenhouse, '/~one/plants')
  expect(await fromCore(greenhouse, '/~two/plants')).toEqual(one)
})

test('requests that arrive together meet the faults in the order of their arrival', async () => {
  const one = await fromCore(begin())
  const { send } = open({ scenarios: chancy, use: ['chancy'] })
  const together = await Promise.all(Array.from({ length: 60 }, () => send('/plants', list)))
  expect(together.map(({ status }) => status)).toEqual(one)
})

test('requests at the same time change nothing', async () => {
  const one = await fromCore(begin())
  const { call } = open({
    scenarios: chancy,
    use: ['chancy', { name: 'random-failures', on: 'apps.*' }],
  })
  const statuses: number[] = []
  for (let request = 0; request < 60; request++) {
    const [list] = await Promise.all([
      call('GET', '/plants'),
      call('GET', '/v1/apps'),
      call('POST', '/plants', { body: { id: 9000 + request, name: 'x' } }),
      call('GET', '/~elsewhere/plants'),
    ])
    statuses.push(list.status)
  }
  expect(statuses).toEqual(one)
})
