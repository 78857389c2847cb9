import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { type AssumptionChoices, createGreenhouse } from 'greenhouse-mock'
import { createOpenApi } from '../../src/contract/document/index.ts'
import { control } from '../support/control.ts'
import { operationsOf } from '../support/operations-of.ts'

test('the package has the document of the defaults', async () => {
  const text = readFileSync(new URL('../../dist/openapi.json', import.meta.url), 'utf8')
  expect(JSON.parse(text)).toEqual(await createOpenApi())
})

test("a server has a document for its assumptions, and one for each world's", async () => {
  const greenhouse = createGreenhouse({
    assumptions: { 'plants.delete.status': '200', 'plants.delete.unknown': '204' },
  })
  greenhouse.world('other').assume({ 'plants.list.limit-name': 'per_page' })
  await using server = await serve(greenhouse)
  const { body } = await control(server, 'GET', '/openapi.json')
  expect(body.servers[0].url).toBe(server.url)
  const { responses } = body.paths['/plants/{id}'].delete
  expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '204']))
  expect(responses['204'].content).toBeUndefined()
  const other = await control(server, 'GET', '/worlds/other/openapi.json?area=plants')
  expect(other.body.paths['/plants'].get.parameters[0].name).toBe('per_page')
  expect(other.body.paths['/apps']).toBeUndefined()
  expect(await control(server, 'GET', '/openapi.json?area=plant')).toMatchObject({ status: 400 })
  expect(await control(server, 'GET', '/worlds/none/openapi.json')).toMatchObject({ status: 404 })
})

test('a malformed id has its 404 in the document, also if an unknown plant has another status', async () => {
  const assumptions = { 'plants.delete.invalid-id': '404', 'plants.delete.unknown': '204' } as const
  const greenhouse = createGreenhouse({ assumptions })
  await using server = await serve(greenhouse)
  const { body } = await control(server, 'GET', '/openapi.json')
  expect(Object.keys(body.paths['/plants/{id}'].delete.responses)).toContain('404')
})

const messages = '/apps/{app_id}/conversations/{conversation_id}/messages'

test('the server of app management ends with /v1, and its paths do not have it', async () => {
  const apps = await createOpenApi({ area: 'apps', server: 'https://greenhouse.test' })
  expect(apps.servers.map(({ url }) => url)).toEqual(['https://greenhouse.test/v1'])
  expect(Object.values(apps.paths).filter(({ servers }) => servers)).toEqual([])
  const plants = await createOpenApi({ area: 'plants', server: 'https://greenhouse.test' })
  expect(plants.servers.map(({ url }) => url)).toEqual(['https://greenhouse.test'])
  const both = await createOpenApi({ server: 'https://greenhouse.test' })
  expect(both.servers.map(({ url }) => url)).toEqual(['https://greenhouse.test'])
  const servers = new Map(operationsOf(both).map(({ path, server }) => [path, server]))
  expect(servers.get('/plants')).toBe('https://greenhouse.test')
  expect(servers.get('/apps')).toBe('https://greenhouse.test/v1')
  expect([...servers.keys()].filter((path) => path.startsWith('/v1'))).toEqual([])
})

test('every operation and each parameter of a query says in words what it is', async () => {
  for (const { operation } of operationsOf(await createOpenApi())) {
    expect(operation.summary, operation.operationId).toMatch(/^[A-Z][a-z]+ .{3,}/)
    for (const { name, description } of (operation.parameters ?? []).filter(
      (one) => one.in === 'query',
    ))
      expect(description, `${operation.operationId} ${name}`).toMatch(/^\w.{5,}/)
  }
})

test('every reply with a body has an example, errors one for each code', async () => {
  const document = await createOpenApi()
  const shared = document.components['examples'] as Record<string, { value: unknown }>
  const without = operationsOf(document).flatMap(({ operation: { operationId, responses } }) =>
    Object.entries(responses).flatMap(([status, { content = {} }]) =>
      Object.entries(content)
        .filter(([, { example, examples }]) => example === undefined && examples === undefined)
        .map(([type]) => `${operationId} ${status} ${type}`),
    ),
  )
  expect(without).toEqual([])
  const { examples } =
    document.paths['/apps']!.post!.responses['400']!.content!['application/json']!
  const codes = Object.entries(examples!).map(([name, { $ref }]) => [
    name,
    shared[$ref.split('/').at(-1)!]!.value,
  ])
  expect(Object.fromEntries(codes)).toMatchObject({
    invalid_request: { error: { code: 'invalid_request', message: 'The request is not valid.' } },
    payload_too_large: { error: { code: 'invalid_request', message: 'The body is too large.' } },
  })
  expect(shared['plants.404.not_found']!.value).toEqual({
    error: 404,
    message: 'The resource does not exist.',
  })
})

test('a stream has its events as an example, and JSON stands before it', async () => {
  for (const status of ['200', '201'] as const) {
    const { paths } = await createOpenApi({
      area: 'apps',
      assumptions: { 'messages.stream.status': status },
    })
    const content = paths[messages]!.post!.responses[status]!.content!
    expect(Object.keys(content)).toEqual(['application/json', 'text/event-stream'])
    expect(content['text/event-stream']!.example).toMatch(
      /^event: message\.delta\ndata: [^]*event: message\.completed\n/,
    )
  }
})

test('a body has the limits that the assumptions give it', async () => {
  const schemasUnder = async (assumptions: AssumptionChoices) =>
    (await createOpenApi({ examples: false, assumptions })).components['schemas'] as any
  const usual = await schemasUnder({})
  expect(usual.NewApp.properties.description).toEqual({
    type: ['string', 'null'],
    maxLength: 16_384,
  })
  expect(usual.NewDeployment.properties.branding.properties.name).toMatchObject({
    maxLength: 16_384,
  })
  expect(usual.App.properties.description).not.toHaveProperty('maxLength')
  expect(usual.NewPlant.properties.name).toEqual({ type: 'string' })
  const strict = await schemasUnder({
    'plants.name.length': '1-255',
    'plants.create.id-range': 'positive',
    'apps.unknown-fields': 'reject',
  })
  expect(strict.NewPlant.properties).toMatchObject({
    name: { minLength: 1, maxLength: 255 },
    id: { minimum: 1 },
  })
  expect(strict.NewApp).toMatchObject({ additionalProperties: false })
})

const kept = { 'plants.create.unknown-fields': 'keep' } as const
const plant = 'paths./plants.post.responses.200.content.application/json.schema'
const limits = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After']
const headers = Object.fromEntries(limits.map((name) => [name, expect.anything()]))
const codes = [
  { type: 'string', enum: expect.arrayContaining(['invalid_api_key']) },
  { type: 'string' },
]

test.each<
  [what: string, options: Parameters<typeof createOpenApi>[0], path: string, part: unknown]
>([
  ['the version of the API of plants', { area: 'plants' }, 'info.version', '1.0.0'],
  ['the version of the API of apps', { area: 'apps' }, 'info.version', 'v1'],
  [
    '32 bits for an error of plants',
    {},
    'components.schemas.PlantError.properties.error.format',
    'int32',
  ],
  [
    'further fields of a plant where those are kept',
    { assumptions: kept },
    `${plant}.additionalProperties`,
    {},
  ],
  [
    'other codes than the named ones',
    {},
    'components.schemas.Error.properties.error.properties.code.anyOf',
    codes,
  ],
  ['429 for plants, which scenarios do', {}, 'paths./plants.get.responses.429.headers', headers],
])('the document has %s', async (_, options, path, part) => {
  const document = await createOpenApi({ ...options, examples: false })
  const names = path.split('.')
  expect(names.reduce((value, name) => value[name], document as any)).toEqual(part)
})
