import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import type { Answer } from '../../src/control/action.ts'
import { answerCall } from '../../src/control/answer-call.ts'
import { parseJson, toJson } from '../../src/core/http/json.ts'
import { testControl } from '../support/control.ts'

const frozen = { frozen: true }

/** Returns the value of an answer, however it is sent. */
function valueOf(answer: Answer): unknown {
  if ('chunks' in answer) return parseJson([...answer.chunks].map(([text]) => text).join(''))
  if ('stream' in answer) return 'stream'
  return answer.value === undefined ? undefined : parseJson(toJson(answer.value))
}

testControl('calls are answered without a server as over one', frozen, async (controlled) => {
  const { control, call, greenhouse, server } = controlled
  await (await call('/plants?limit=1')).text()
  const origin = server.url
  for (const path of [
    ['/health', '/start', '/problems', '/scenarios?search=429', '/assumptions', '/operations', '/worlds'],
    ['/worlds/default', '/worlds/default/clock', '/worlds/default/journal?limit=1', '/worlds/default/journal/1'],
    ['/worlds/default/journal.har', '/worlds/default/keys', '/worlds/default/records/plants'],
    ['/worlds/default/snapshots', '/worlds/nope', '/worlds/default/records/plantz', '/worlds/%zz'],
    ['/worlds?x=1', '/nope'],
  ].flat()) {
    const { status, body } = await control('GET', path)
    const [bare, query] = path.split('?') as [string, string | undefined]
    const answer = await answerCall(greenhouse, { method: 'GET', path: bare, ...(query && { query }), origin })
    expect([path, 'status' in answer ? answer.status : 200]).toEqual([path, status])
    expect([path, JSON.parse(toJson(valueOf(answer)))]).toEqual([path, body])
  }
})

test('in a page, a scenario is checked as JSON, YAML says so, and none is saved', async () => {
  const put = (method: string, path: string, text: string) =>
    answerCall(createGreenhouse(), {
      method,
      path,
      readText: async () => JSON.stringify({ text }),
      origin: 'http://localhost',
    })
  const json = '{"title": "T", "description": "D", "covers": "C", "respond": [{"on": "plants.lst", "status": 500}]}'
  expect(await put('POST', '/scenarios/check', json)).toMatchObject({
    status: 200,
    value: { data: [{ line: null, message: expect.stringContaining('Did you mean "plants.list"?') }], choice: null },
  })
  expect(await put('POST', '/scenarios/check', 'title: T')).toMatchObject({
    status: 400,
    value: { error: { message: 'new.yaml is not JSON. Greenhouse reads YAML on a server only.' } },
  })
  expect(await put('PUT', '/scenarios/t', json)).toMatchObject({
    status: 409,
    value: { error: { code: 'no_scenario_folder' } },
  })
})

const paths = [
  ['/plants?limit=1', '/v1/apps', '/v1/apps?limit=1', '/v1'],
  ['/v1?x=1', '/v1x/apps', '/v10', '/nowhere/v1/a'],
].flat()

/** The URLs in the archive of a world whose requests are these. */
async function urlsOf(world: string, bases: { plants: string; apps: string } | undefined): Promise<string[]> {
  const greenhouse = createGreenhouse()
  for (const path of paths)
    await greenhouse.fetch(new Request(`http://greenhouse.test${world === 'default' ? '' : `/~${world}`}${path}`))
  const path = `/worlds/${world}/journal.har`
  const answer = await answerCall(greenhouse, {
    method: 'GET',
    path,
    origin: 'http://localhost:4010',
    ...(bases && { bases }),
  })
  if (!('chunks' in answer)) throw new Error('The archive comes in parts.')
  const { log } = JSON.parse([...answer.chunks].map(([text]) => text).join(''))
  return log.entries.map(({ request }: { request: { url: string } }) => request.url)
}

test('an archive has the URLs that the client has, by the base of each area', async () => {
  const bases = { plants: 'http://plants.test', apps: 'https://apps.test:8443/api/v2/' }
  expect(await urlsOf('default', bases)).toEqual([
    'http://plants.test/plants?limit=1',
    'https://apps.test:8443/api/v2/apps',
    'https://apps.test:8443/api/v2/apps?limit=1',
    'https://apps.test:8443/api/v2',
    'https://apps.test:8443/api/v2?x=1',
    'http://plants.test/v1x/apps',
    'http://plants.test/v10',
    'http://plants.test/nowhere/v1/a',
  ])
  expect((await urlsOf('shop', bases)).slice(0, 2)).toEqual([
    'http://plants.test/~shop/plants?limit=1',
    'https://apps.test:8443/~shop/api/v2/apps',
  ])
})

test('without bases they begin with the origin', async () => {
  expect(await urlsOf('default', undefined)).toEqual(paths.map((path) => `http://localhost:4010${path}`))
})
