import { performance } from 'node:perf_hooks'
import { pathToFileURL } from 'node:url'
import { answerCalls } from './calls.mjs'
import { used } from './collect.mjs'
import { toFixtures } from './fixtures.mjs'

let greenhouse
let plants
let turn = 0
let snapshots = 0

answerCalls({ open, delete: deleteSome, writeAfterSnapshot })

/**
 * Makes a world of `count` plants from fixtures: bytes that each takes, the fixtures' own data and
 * the index included.
 */
async function open({ dist, count }) {
  const { createGreenhouse } = await import(new URL('index.js', pathToFileURL(`${dist}/`)))
  const before = used()
  const load = () => createGreenhouse({ fixtures: toFixtures(count), memory: 2 ** 31 })
  greenhouse = load()
  plants = count
  await ask('GET', '?limit=1', 200)
  return { bytes: (used() - before) / count }
}

/** Microseconds of each of `count` deletes of plants far apart, which are created again. */
async function deleteSome({ count }) {
  const times = []
  for (let number = 0; number < count; number++) {
    const id = nextId()
    times.push(await ask('DELETE', `/${id}`, 204))
    await create(id)
  }
  return times
}

/** Microseconds of the first write after each of `count` snapshots. */
async function writeAfterSnapshot({ count }) {
  const times = []
  for (let number = 0; number < count; number++) {
    greenhouse.world().snapshot(`snapshot-${snapshots++ % 2}`)
    const id = nextId()
    times.push(await ask('DELETE', `/${id}`, 204))
    await create(id)
  }
  return times
}

function nextId() {
  turn++
  return 1 + ((turn * 7_919) % plants)
}

const create = (id) =>
  ask('POST', '', 200, JSON.stringify({ id, name: `Plant ${id}`, tag: 'bench' }))

async function ask(method, path, expected, body) {
  const headers = {
    Authorization: 'Bearer key_owner',
    ...(body && { 'Content-Type': 'application/json' }),
  }
  const request = new Request(`http://plants.test/plants${path}`, { method, headers, body })
  const began = performance.now()
  const response = await greenhouse.fetch(request)
  const took = performance.now() - began
  if (response.status !== expected)
    throw new Error(`${method} ${path} was answered ${response.status}: ${await response.text()}`)
  return took * 1_000
}
