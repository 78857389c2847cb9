import { deepEqual } from 'node:assert/strict'
import { createGreenhouse } from 'greenhouse-mock'
import { createHandlers } from 'greenhouse-mock/msw'
import { serve } from 'greenhouse-mock/server'
import { setupServer } from 'msw/node'
import { ask, bases, expected } from './client.mjs'

export async function byMsw() {
  const server = setupServer(...createHandlers(createGreenhouse(), bases))
  server.listen()
  deepEqual(await ask(bases.plants, bases.apps), expected)
  server.close()
}

export async function byServer() {
  const server = await serve(createGreenhouse())
  deepEqual(await ask(server.url, `${server.url}/v1`), expected)
  await server.close()
}
