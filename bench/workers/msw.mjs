import { performance } from 'node:perf_hooks'
import { pathToFileURL } from 'node:url'
import { http } from 'msw'
import { setupServer } from 'msw/node'
import { answerCalls } from './calls.mjs'
import { toFixtures } from './fixtures.mjs'

const url = 'http://plants.test/plants?limit=20'
const init = { headers: { Authorization: 'Bearer key_owner' } }
let expected

answerCalls({ listenGreenhouse, listenBare, run })

/** Mocks with Greenhouse's handlers, and gives what they answer. */
async function listenGreenhouse({ dist }) {
  const from = (file) => import(new URL(file, pathToFileURL(`${dist}/`)))
  const { createGreenhouse } = await from('index.js')
  const { createHandlers } = await from('msw.js')
  const greenhouse = createGreenhouse({ fixtures: toFixtures(20) })
  return listen(
    ...createHandlers(greenhouse, { plants: 'http://plants.test', apps: 'http://apps.test/v1' }),
  )
}

/** Mocks with one plain handler that always answers what Greenhouse did. */
function listenBare({ headers, body }) {
  return listen(http.get('http://plants.test/plants', () => new Response(body, { headers })))
}

async function listen(...handlers) {
  setupServer(...handlers).listen({ onUnhandledRequest: 'error' })
  const response = await fetch(url, init)
  expected = await response.text()
  if (response.status !== 200 || JSON.parse(expected).length !== 20)
    throw new Error(`Expected 20 plants, not ${response.status}: ${expected}`)
  return { headers: Array.from(response.headers), body: expected }
}

/** Microseconds of one fetch, over `count` of them one after the other. */
async function run({ count }) {
  const began = performance.now()
  for (let number = 0; number < count; number++) {
    const response = await fetch(url, init)
    const body = await response.text()
    if (response.status !== 200 || body !== expected)
      throw new Error(`Another reply came back: ${response.status} ${body}`)
  }
  return ((performance.now() - began) * 1_000) / count
}
