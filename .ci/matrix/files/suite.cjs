const assert = require('node:assert/strict')
const { createGreenhouse } = require('greenhouse-mock')
const { createHandlers } = require('greenhouse-mock/msw')
const { serve } = require('greenhouse-mock/server')
const { setupServer } = require('msw/node')
const { ask, bases, expected } = require('./client.cjs')

async function byMsw() {
  const server = setupServer(...createHandlers(createGreenhouse(), bases))
  server.listen()
  assert.deepEqual(await ask(bases.plants, bases.apps), expected)
  server.close()
}

async function byServer() {
  const server = await serve(createGreenhouse())
  assert.deepEqual(await ask(server.url, `${server.url}/v1`), expected)
  await server.close()
}
module.exports = { byMsw, byServer }
