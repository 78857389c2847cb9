import { performance } from 'node:perf_hooks'
import { pathToFileURL } from 'node:url'
import { answerCalls } from './calls.mjs'
import { used } from './collect.mjs'

let createGreenhouse

answerCalls({ open, run })

/** Loads a build, and touches enough worlds for Node to have compiled what they need. */
async function open({ dist }) {
  createGreenhouse = (await import(new URL('index.js', pathToFileURL(`${dist}/`)))).createGreenhouse
  for (const kind of ['list', 'create']) await run({ kind, count: 1_000 })
}

/**
 * Touches `count` new worlds once, with a list or a creation: KiB and microseconds a world, and
 * microseconds of a reset of each.
 */
async function run({ kind, count }) {
  const greenhouse = createGreenhouse({ maxWorlds: count + 2, memory: 2 ** 30 })
  await touch(greenhouse, kind, 'warm-up')
  const before = used()
  const began = performance.now()
  for (let number = 0; number < count; number++) await touch(greenhouse, kind, `world-${number}`)
  const took = performance.now() - began
  const bytes = used() - before
  const resetBegan = performance.now()
  for (let number = 0; number < count; number++) greenhouse.world(`world-${number}`).reset()
  const resetTook = performance.now() - resetBegan
  if (greenhouse.worlds().length !== count + 2)
    throw new Error(`Expected ${count} worlds, not ${greenhouse.worlds().length - 2}.`)
  return {
    kib: bytes / 1_024 / count,
    touch: (took * 1_000) / count,
    reset: (resetTook * 1_000) / count,
  }
}

async function touch(greenhouse, kind, world) {
  const headers = { Authorization: `Bearer key_pro@${world}`, 'Content-Type': 'application/json' }
  const init =
    kind === 'list' ? { headers } : { method: 'POST', headers, body: '{"id":9001,"name":"Bench"}' }
  const response = await greenhouse.fetch(
    new Request(`http://plants.test/plants${kind === 'list' ? '?limit=20' : ''}`, init),
  )
  if (response.status !== 200)
    throw new Error(`The world ${world} answered ${response.status}: ${await response.text()}`)
}
