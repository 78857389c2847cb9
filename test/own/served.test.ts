import { afterAll, expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { coverageOf, readEvidence } from 'greenhouse-mock/evidence'
import { serve } from 'greenhouse-mock/server'
import { defineOperation, definePlugin } from 'greenhouse-mock/config'
import type { OpenApiDocument } from '../../src/contract/document/index.ts'
import { operationsOf } from '../support/operations-of.ts'
import { toInit } from '../support/test-api.ts'
import { sensorPlugin } from '../../examples/plug-in/sensors.ts'

const greenhouse = createGreenhouse({ now: '2026-03-01T12:00:30.000Z', plugins: [sensorPlugin()] })
const server = await serve(greenhouse)
const get = async (path: string) =>
  (await fetch(`${server.url}/__greenhouse${path}`)).json() as Promise<any>

afterAll(() => server.close())

test('the document describes operations, parameters, bodies, errors and events of a plug-in', async () => {
  const document = await get('/openapi.json')
  const { get: list, post: create } = document.paths['/sensors/'] ?? document.paths['/']
  expect(list).toMatchObject({
    operationId: 'sensors.list',
    parameters: [{ name: 'plant', in: 'query' }],
  })
  expect(create).toMatchObject({
    requestBody: {
      content: { 'application/json': { schema: { properties: { plant: { type: 'integer' } } } } },
    },
    responses: {
      201: { content: { 'application/json': { example: { plant: 101, alarm_below: 20 } } } },
      404: {},
    },
    'x-greenhouse-scope': 'sensors:write',
  })
  expect(document.webhooks['sensor.dry']).toBeDefined()
})

test('an error with a status of its own is in the document', async () => {
  const brew = defineOperation({
    id: 'plants.brew',
    method: 'GET',
    path: '/brew',
    errors: [418],
    handle: () => ({}),
  })
  await using own = await serve(createGreenhouse({ operations: [brew] }))
  const reply = await fetch(`${own.url}/__greenhouse/openapi.json?area=plants`)
  const { paths } = (await reply.json()) as OpenApiDocument
  expect(paths['/brew']!.get!.responses[418]!.description).toBe('The request was refused.')
})

test('the document of the control API names the collections and events of a plug-in', async () => {
  const { paths } = await get('/openapi.json?area=control')
  const [, collection] = paths['/worlds/{world}/records/{collection}'].get.parameters
  expect(collection.schema.enum).toEqual(expect.arrayContaining(['plants', 'sensors']))
  const type = paths['/worlds/{world}/deliveries'].get.parameters.find(
    ({ name }: { name: string }) => name === 'type',
  )
  expect(type.schema.enum).toEqual(expect.arrayContaining(['app.created', 'sensor.dry']))
})

test('the document lists each path with its own server, where two areas share a path too', async () => {
  const get = (id: string, path: string) =>
    defineOperation({ id, method: 'GET', path, handle: () => ({ id }) })
  const areas = [{ name: 'water' }, { name: 'soil' }]
  const soil = [get('soil.get', '/'), get('soil.deep', '/deep')]
  const operations = [get('water.get', '/'), ...soil, get('plants.apps', '/apps')]
  const plugins = [definePlugin({ name: 'two', areas, operations })]
  await using other = await serve(createGreenhouse({ plugins }))
  const document = (await (
    await fetch(`${other.url}/__greenhouse/openapi.json`)
  ).json()) as OpenApiDocument
  const places = operationsOf(document).map(({ server: at, path, operation }) => {
    return `${operation.operationId} ${at.slice(other.url.length)} ${path}`
  })
  for (const place of [
    'water.get  /water/',
    'soil.get  /soil/',
    'soil.deep /soil /deep',
    'plants.apps  /apps',
  ])
    expect(places).toContain(place)
  for (const place of ['apps.list  /v1/apps', 'apps.get /v1 /apps/{app_id}'])
    expect(places).toContain(place)
})

test('lists of the control API have them', async () => {
  const ids = (await get('/operations')).data.map(({ id }: { id: string }) => id)
  expect(ids).toEqual(expect.arrayContaining(['plants.list', 'sensors.report']))
  const collections = (await get('/collections')).data
  expect(collections.find(({ name }: { name: string }) => name === 'sensors')).toMatchObject({
    id: 'id',
    relations: { account: 'accounts' },
    schema: { properties: { moisture: { type: 'number' } } },
  })
  expect((await get('/worlds/default/records/sensors')).data).toEqual([
    expect.objectContaining({ id: 'sensor_fern' }),
  ])
  expect((await get('/scenarios?search=battery')).data).toEqual([
    expect.objectContaining({ name: 'dead-battery' }),
  ])
  const { schema } = (await get('/collections')).data.find(
    ({ name }: { name: string }) => name === 'keys',
  )
  expect(schema.properties.scopes.items.enum).toEqual(
    expect.arrayContaining(['plants:read', 'sensors:write']),
  )
})

test('records of a plug-in are changed through the control API, and invalid ones are rejected', async () => {
  const send = (method: string, path: string, body: unknown) =>
    fetch(`${server.url}/__greenhouse/worlds/sensors${path}`, toInit(method, { key: null, body }))
  await send('PUT', '', {})
  const sensor = {
    id: 'sensor_new',
    account: 'acct_pro',
    plant: 102,
    moisture: 10,
    alarm_below: 20,
  }
  expect((await send('POST', '/records/sensors', sensor)).status).toBe(201)
  const rejected = await send('POST', '/records/sensors', {
    ...sensor,
    id: 'sensor_2',
    moisture: 'wet',
  })
  expect([rejected.status, await rejected.text()]).toEqual([
    400,
    expect.stringContaining('moisture'),
  ])
  expect(greenhouse.world('sensors').records.sensors.count()).toBe(2)
})

test('the coverage has cells for its operations and events', async () => {
  await fetch(`${server.url}/sensors/`, { headers: { authorization: 'Bearer key_pro' } })
  const { counts } = coverageOf(readEvidence([greenhouse.world()]), greenhouse)
  expect(counts).toMatchObject({
    'sensors.list/200': 1,
    'sensors.report/404': 0,
    'sensor.dry/lost': 0,
  })
  const statuses = Object.keys(counts).filter((cell) => /^sensors.report\/\d/.test(cell))
  expect(statuses.map((cell) => Number(cell.slice(-3)))).toEqual([
    200, 400, 401, 403, 404, 429, 500,
  ])
})
