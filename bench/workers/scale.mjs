import { performance } from 'node:perf_hooks'
import { pathToFileURL } from 'node:url'
import { answerCalls } from './calls.mjs'
import { toFixtures } from './fixtures.mjs'

let greenhouse
let half
let turn = 0

answerCalls({ open, run })

/** Makes a world with `count` plants: half of them from the fixtures, half of them created. */
async function open({ dist, count }) {
  const { createGreenhouse } = await import(new URL('index.js', pathToFileURL(`${dist}/`)))
  half = count / 2
  greenhouse = createGreenhouse({ fixtures: toFixtures(half), memory: 2 ** 30 })
  for (let id = half + 1; id <= count; id++) await create(id)
}

/**
 * Microseconds of each of `count` operations by kind. A plant that was deleted is created again, so
 * that the world keeps its size; a small world's `seeded` plants are therefore created ones after
 * the first few.
 */
async function run({ count }) {
  const times = { create: [], list: [], lookup: [], delete: [], seeded: [] }
  for (let number = 0; number < count; number++) {
    const { id, other, seeded } = nextIds()
    times.list.push(await time('GET', '?limit=20', 'key_owner', 200))
    times.lookup.push(await time('DELETE', `/${other}`, 'key_stranger', 404))
    times.delete.push(await time('DELETE', `/${id}`, 'key_owner', 204))
    times.create.push(await create(id))
    times.seeded.push(await time('DELETE', `/${seeded}`, 'key_owner', 204))
    await create(seeded)
  }
  return times
}

/**
 * Two created plants and a seeded one, far apart; goes over the whole collection in large steps.
 */
function nextIds() {
  const at = (offset) => (turn * 7_919 + offset) % half
  turn++
  return { id: half + 1 + at(0), other: half + 1 + at(half / 2), seeded: 1 + at(0) }
}

const create = (id) =>
  time('POST', '', 'key_owner', 200, JSON.stringify({ id, name: `Plant ${id}`, tag: 'bench' }))

async function time(method, path, key, expected, body) {
  const headers = {
    Authorization: `Bearer ${key}`,
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
