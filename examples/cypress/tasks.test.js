// The tasks are plain functions, and run without Cypress.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import config from './cypress.config.js'

/** What cypress.config.js registers for cy.task(). */
let tasks
config.e2e.setupNodeEvents((event, handlers) => {
  assert.equal(event, 'task')
  tasks = handlers
}, {})

const headers = { authorization: 'Bearer key_lite', 'content-type': 'application/json' }
const addPlant = ({ plantsUrl }) =>
  fetch(`${plantsUrl}/plants`, { method: 'POST', headers, body: '{"id": 1001, "name": "Ficus"}' })
const listPlants = async ({ plantsUrl }) => (await fetch(`${plantsUrl}/plants`, { headers })).json()

test('each world has its own plants, and its own requests', async () => {
  const [one, other] = [await tasks.startWorld(), await tasks.startWorld({})]
  assert.equal((await addPlant(one)).status, 200)
  assert.equal((await listPlants(one)).length, 1)
  assert.deepEqual(await listPlants(other), [])
  const calls = await tasks.calls({ world: one.name, query: { operation: 'plants.create' } })
  assert.equal(calls.length, 1)
  for (const { name } of [one, other])
    assert.equal(await tasks.endWorld({ world: name, title: 't', failed: false }), null)
})

test('scenarios and the clock are those of one world', async () => {
  const world = await tasks.startWorld()
  await tasks.useScenarios({ world: world.name, scenarios: ['expired-key:after=24h'] })
  assert.deepEqual(await listPlants(world), [])
  await tasks.advance({ world: world.name, time: '24h' })
  assert.equal((await addPlant(world)).status, 401)
  await tasks.endWorld({ world: world.name, title: 't', failed: false })
})

test('a world that ended, and a request that named none, are told of', async () => {
  const world = await tasks.startWorld()
  const [origin] = world.plantsUrl.split('/~')
  await fetch(`${origin}/plants`, { headers })
  await assert.rejects(
    tasks.endWorld({ world: world.name, title: 't', failed: false }),
    /Requests named no world: 1 request\n GET \/plants 200 plants\.list/,
  )
  await assert.rejects(tasks.advance({ world: world.name, time: '1s' }), /There is no world/)
  assert.throws(() => tasks.calls({ world: world.name }), /There is no world/)
})
