import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { controlFetch } from '../../src/control/answer-call.ts'
import { expectControlError, testControl } from '../support/control.ts'

const frozen = { frozen: true }

testControl('calls are answered without a server as over one', frozen, async (controlled) => {
  const { control, call, greenhouse, server } = controlled
  await (await call('/plants?limit=1')).text()
  const inPage = controlFetch(greenhouse)
  for (const path of [
    [
      '/health',
      '/start',
      '/problems',
      '/scenarios?search=429',
      '/assumptions',
      '/operations',
      '/worlds',
    ],
    [
      '/worlds/default',
      '/worlds/default/clock',
      '/worlds/default/journal?limit=1',
      '/worlds/default/journal/1',
    ],
    [
      '/worlds/default/journal.har',
      '/worlds/default/records/keys',
      '/worlds/default/records/plants',
    ],
    ['/worlds/default/snapshots', '/worlds/nope', '/worlds/default/records/plantz', '/worlds/%zz'],
    ['/worlds?x=1', '/nope'],
  ].flat()) {
    const { status, text } = await control('GET', path)
    const answer = await inPage(`${server.url}/__greenhouse${path}`)
    expect([path, answer.status, await answer.text()]).toEqual([path, status, text])
  }
})

test('in a page, a scenario is checked as JSON, YAML says so, and none is saved', async () => {
  const put = async (method: string, path: string, text: string) => {
    const init = { method, body: JSON.stringify({ text }) }
    const answer = await controlFetch(createGreenhouse())(
      `http://localhost/__greenhouse${path}`,
      init,
    )
    return { status: answer.status, body: await answer.json() }
  }
  const json =
    '{"title": "T", "description": "D", "covers": "C", "respond": [{"on": "plants.lst", "status": 500}]}'
  expect(await put('POST', '/scenarios/check', json)).toMatchObject({
    status: 200,
    body: {
      data: [{ line: null, message: expect.stringContaining('Did you mean "plants.list"?') }],
      choice: null,
    },
  })
  const yaml = await put('POST', '/scenarios/check', 'title: T')
  expectControlError(
    yaml,
    400,
    'invalid_request',
    /^new\.yaml is not JSON\. Greenhouse reads YAML on a server only\.$/,
  )
  expectControlError(await put('PUT', '/scenarios/t', json), 409, 'no_scenario_folder')
})

const paths = [
  ['/plants?limit=1', '/v1/apps', '/v1/apps?limit=1', '/v1'],
  ['/v1?x=1', '/v1x/apps', '/v10', '/nowhere/v1/a'],
].flat()

/** The URLs in the archive of a world whose requests are these. */
async function urlsOf(
  world: string,
  bases: { plants: string; apps: string } | undefined,
): Promise<string[]> {
  const greenhouse = createGreenhouse()
  for (const path of paths)
    await greenhouse.fetch(
      new Request(`http://greenhouse.test${world === 'default' ? '' : `/~${world}`}${path}`),
    )
  const archive = controlFetch(greenhouse, { bases: () => bases })
  const { log } = await (
    await archive(`http://localhost:4010/__greenhouse/worlds/${world}/journal.har`)
  ).json()
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
  expect(await urlsOf('default', undefined)).toEqual(
    paths.map((path) => `http://localhost:4010${path}`),
  )
})
