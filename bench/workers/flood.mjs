import { pathToFileURL } from 'node:url'
import { answerCalls } from './calls.mjs'

answerCalls({ run })

const mib = 2 ** 20

/**
 * Lets `count` worlds write once each, and every fourth send a large body that only its journal
 * keeps. The most of the estimate and of the heap, in MiB, and the worlds that are left.
 */
async function run({ dist, count }) {
  const { createGreenhouse } = await import(new URL('index.js', pathToFileURL(`${dist}/`)))
  const greenhouse = createGreenhouse({ maxWorlds: count + 2 })
  const { all } = greenhouse.world().core.memory
  let heap = 0
  for (let number = 0; number < count; number++) {
    await send(
      greenhouse,
      number,
      JSON.stringify({ id: 1_000, name: `${number}`.padEnd(5_000, 'x') }),
      200,
    )
    if (number % 4 === 0) await send(greenhouse, number, `${number}`.padEnd(60_000, 'y'), 400)
    if (all.used > all.limit)
      throw new Error(`The estimate is ${all.used} bytes, over the limit of ${all.limit}.`)
    if (number % 1_000 === 0) heap = Math.max(heap, process.memoryUsage().heapUsed)
  }
  return { heap: Math.round(heap / mib), worlds: greenhouse.worlds().length }
}

async function send(greenhouse, number, body, expected) {
  const headers = { Authorization: `Bearer key_pro@w${number}`, 'Content-Type': 'application/json' }
  const response = await greenhouse.fetch(
    new Request('http://x/plants', { method: 'POST', headers, body }),
  )
  if (response.status !== expected)
    throw new Error(`World ${number}: ${response.status} ${await response.text()}`)
  await response.text()
}
