import { expect, test } from 'vitest'
import { createGreenhouse } from '../../src/index.ts'
import { createOpenApi } from '../../src/contract/document/index.ts'
import { serve } from '../../src/adapters/server.ts'
import { cases } from '../../test/coverage/cases/index.ts'
import { toSent } from '../../test/coverage/ways.ts'
import { operationsOf } from '../../test/support/operations-of.ts'
import { createCaller, start } from '../../test/support/test-api.ts'
import { startPrism } from './programs.ts'

test('Prism, fed with the document, finds nothing wrong with any reply of the API suite', async () => {
  const greenhouse = createGreenhouse({ now: start })
  const server = await serve(greenhouse)
  const world = greenhouse.world()
  const standard = JSON.stringify(world.assumptions)
  const [plants, apps] = await Promise.all([
    startPrism(await createOpenApi({ area: 'plants' }), 'proxy', [server.url]),
    startPrism(await createOpenApi({ area: 'apps' }), 'proxy', [`${server.url}/v1`]),
  ])
  const wrong: string[] = []
  let judged = 0
  try {
    const call = createCaller((path, init) => fetch(server.url + path, init))
    for (const [operation, ways] of Object.entries(cases))
      for (const [, asked] of Object.entries(ways))
        for (const [what, ask] of asked) {
          world.reset()
          world.clock.freeze()
          const [method, path, { key = 'key_pro', body, headers } = {}] = await toSent(
            ask,
            call,
            world,
          )
          // The document describes the default assumptions.
          if (JSON.stringify(world.assumptions) !== standard) continue
          // Prism does not forward a body that is not JSON, and never answers.
          if (typeof body === 'string') continue
          const isOfApps = path.startsWith('/v1')
          const response = await fetch(isOfApps ? apps + path.slice('/v1'.length) : plants + path, {
            signal: AbortSignal.timeout(20_000),
            method,
            headers: {
              ...(key !== null && { authorization: `Bearer ${key}` }),
              ...(body !== undefined && { 'content-type': 'application/json' }),
              ...headers,
            },
            ...(body !== undefined && {
              body: typeof body === 'string' ? body : JSON.stringify(body),
            }),
          })
          await response.text()
          const violations = JSON.parse(response.headers.get('sl-violations') ?? '[]') as {
            location: string[]
          }[]
          judged++
          const ofReply = violations.filter(({ location }) => location[0] === 'response')
          if (ofReply.length > 0)
            wrong.push(`${operation}, ${what}: ${JSON.stringify(ofReply).slice(0, 400)}`)
        }
  } finally {
    await server.close()
  }
  expect(wrong.slice(0, 20), `${wrong.length} of ${judged}`).toEqual([])
  expect(judged).toBeGreaterThan(500)
})

test('Prism, as a mock server started from the document, answers with its examples', async () => {
  const document = await createOpenApi()
  const shared = document.components['examples'] as Record<string, { value: unknown }>
  const url = await startPrism(document, 'mock')
  const headers = { authorization: 'Bearer key_pro', 'content-type': 'application/json' }
  let answered = 0
  for (const { path, method, operation } of operationsOf(document)) {
    const { operationId, parameters = [], requestBody, responses } = operation
    const filled = parameters.reduce(
      (text, { name, example }) => text.replace(`{${name}}`, String(example)),
      path,
    )
    const body = requestBody && JSON.stringify(requestBody.content['application/json']!.example)
    const ask = async (more: Record<string, string>) => {
      const reply = await fetch(url + filled, {
        method: method.toUpperCase(),
        headers: { ...headers, ...more },
        ...(body !== undefined && { body }),
      })
      return { status: reply.status, text: await reply.text() }
    }
    for (const [status, { content }] of Object.entries(responses)) {
      const { status: got, text } = await ask({ prefer: `code=${status}` })
      const { example, examples = {} } = content?.['application/json'] ?? {}
      const wanted =
        example ??
        Object.values(examples).map(({ $ref }) => shared[$ref.split('/').at(-1)!]!.value)[0]
      expect([operationId, got], text).toEqual([operationId, Number(status)])
      if (text !== '' || wanted !== undefined) expect(JSON.parse(text), operationId).toEqual(wanted)
      answered++
    }
    const usual = await ask({})
    expect([operationId, String(usual.status)[0]], usual.text).toEqual([operationId, '2'])
    if (usual.text !== '')
      expect(() => JSON.parse(usual.text) as unknown, operationId).not.toThrow()
    if (operationId === 'messages.create')
      expect((await ask({ accept: 'text/event-stream' })).text).toContain(
        'event: message.completed\n',
      )
  }
  expect(answered).toBeGreaterThan(150)
})
