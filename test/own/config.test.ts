import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { run, startServe } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'

const entry = pathToFileURL('dist/config.js').href

const config = `
import { defineCollection, defineConfig, defineOperation, definePlugin } from '${entry}'

const waterings = defineCollection({
  name: 'waterings',
  schema: { type: 'object', properties: { id: { type: 'string' }, account: { type: 'string' }, liters: { type: 'number' } }, required: ['id', 'account', 'liters'] },
})
const water = defineOperation({
  id: 'plants.water', method: 'POST', path: '/plants/{id}/water', scope: 'plants:water',
  params: { type: 'object', properties: { id: { type: 'integer' } } },
  body: { type: 'object', properties: { liters: { type: 'number', maximum: 50 } }, required: ['liters'] },
  result: { type: 'object', properties: { liters: { type: 'number' } }, required: ['liters'] },
  status: 201, errors: [404], example: { liters: 2 },
  handle({ params, body, records, collection, caller, id, error, assume }) {
    if (records.plants.get(params.id)?.account !== caller.account.id) throw error(404, 'There is no plant ' + params.id + '.')
    if (body.liters > Number(assume('plants.water.amount'))) throw error(409, 'Too much.')
    return collection(waterings).create({ id: id('watering'), account: caller.account.id, liters: body.liters })
  },
})
export default defineConfig({
  fixtures: './data',
  scenarios: './situations',
  plugins: [definePlugin({
    name: 'our-shop', operations: [water], collections: [waterings],
    assumptions: { 'plants.water.amount': { question: 'How much at most?', values: ['10', '50'] } },
  })],
})
`

const data = `
accounts: [{ id: acct, name: Ann, email: ann@example.com, plan: pro }]
keys: [{ secret: key, account: acct }, { secret: key_water, account: acct, scopes: [plants:water] }]
plants: [{ id: 7, name: Fern, account: acct }]
waterings: [{ id: watering_1, account: acct, liters: 3 }]
`

const drought = `
title: There is no water
description: Plants are not watered.
covers: what an app shows then
respond: [{ on: plants.water, status: 503 }]
`

const writeConfig = (more: Record<string, string> = {}) =>
  join(writeFolder({ ...files, ...more }), 'greenhouse.config.mjs')

const files = {
  'greenhouse.config.mjs': config,
  'data/all.yaml': data,
  'situations/drought.yaml': drought,
}

test('a server has the operations, collections, scenarios and assumptions of a configuration', async () => {
  const { call } = await startServe(['--config', writeConfig()])
  const water = async (id: string, liters: unknown, headers: Record<string, string> = {}) => {
    const init = { key: 'key_water', method: 'POST', body: JSON.stringify({ liters }), headers }
    const response = await call(`/plants/${id}/water`, init)
    const text = await response.text()
    return [response.status, text === '' ? undefined : JSON.parse(text)]
  }
  expect(await water('7', 2)).toEqual([
    201,
    { id: expect.stringMatching(/^watering_/), account: 'acct', liters: 2 },
  ])
  expect(await water('8', 2)).toEqual([404, { error: 404, message: 'There is no plant 8.' }])
  expect(await water('7', 20)).toEqual([409, { error: 409, message: 'Too much.' }])
  expect(await water('7', 60)).toEqual([
    400,
    { error: 400, message: 'liters must be a number of at most 50.' },
  ])
  expect(await water('7', 2, { 'x-greenhouse-scenario': 'drought' })).toEqual([503, undefined])
  const { data: records } = (await (
    await call('/__greenhouse/worlds/default/records/waterings')
  ).json()) as any
  expect(records).toHaveLength(2)
})

test('commands know them: check, routes, openapi, assumptions, config', async () => {
  const env = { GREENHOUSE_CONFIG: writeConfig() }
  const ask = async (...words: string[]) => {
    const { code, stdout, stderr } = await run(words, { env })
    expect([code, stderr]).toEqual([0, ''])
    return stdout
  }
  expect(await ask('check')).toContain('no problems')
  expect(await ask('routes')).toContain('plants.water')
  const document = JSON.parse(await ask('openapi')) as { paths: Record<string, unknown> }
  expect(document.paths['/plants/{id}/water']).toMatchObject({
    post: {
      operationId: 'plants.water',
      parameters: [{ name: 'id', schema: { type: 'integer' } }],
      responses: { 201: {}, 404: {} },
      'x-greenhouse-assumptions': {},
    },
  })
  expect(await ask('assumptions')).toContain('plants.water.amount')
  expect(await ask('config')).toMatch(/plugins +\(in the file\)/)
})

test('flip turns their assumptions, and a command under run meets them', async () => {
  const client = `
    const reply = await fetch(process.env.PLANTS_BASE_URL + '/plants/7/water', { method: 'POST',
      headers: { authorization: 'Bearer key_water', 'content-type': 'application/json' }, body: '{"liters":20}' })
    process.exit(reply.status === 409 ? 0 : 1)`
  const env = { ...process.env, GREENHOUSE_CONFIG: writeConfig() }
  const command = ['--', process.execPath, '--input-type=module', '-e', client]
  expect((await run(['run', ...command], { env })).code).toBe(0)
  const flipped = await run(['flip', '--only', 'plants.water.amount', ...command], { env })
  expect([flipped.code, flipped.stdout]).toEqual([
    1,
    expect.stringMatching(/plants\.water\.amount +10 +50 +breaks/),
  ])
})

test('a mistake in a definition names the file', async () => {
  const wrong = config
    .replace("'/plants/{id}/water'", "'/plants/{id}'")
    .replace("method: 'POST'", "method: 'DELETE'")
  const file = writeConfig({ 'greenhouse.config.mjs': wrong })
  const { code, stderr } = await run(['check'], { env: { GREENHOUSE_CONFIG: file } })
  expect(code).toBeGreaterThan(0)
  expect(stderr).toMatch(
    /greenhouse\.config\.mjs.*"plants\.delete" has DELETE \/plants\/\{id\} already/,
  )
})
