import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { setupServer } from 'msw/node'
import { expect, onTestFinished, test } from 'vitest'
import { createGreenhouse, type GreenhouseOptions } from 'greenhouse-mock'
import { createHandlers } from 'greenhouse-mock/msw'
import { loadFixtures, loadScenarios } from 'greenhouse-mock/node'
import { serve } from 'greenhouse-mock/server'
import { type Ready, run, start as startInside, startServe } from '../support/cli.ts'
import { whyNot } from '../scale-out/proxied.ts'
import { writeFolder } from '../support/folder.ts'
import { times } from '../support/soak.ts'
import { findFreePort } from '../support/free-port.ts'
import { possible } from '../support/lacks.ts'
import { answerUntilEnd, listen } from '../support/listen.ts'
import { firstLine, startCommand } from '../support/process.ts'
import { type Asked, createDeviatingService, mixRequests, replay } from './deviating-service.ts'
import { inFrontOf, standInFront } from './in-front.ts'
import { startNginx } from './nginx.ts'

const secretKey = 'sk_live_4f9Abcdefghijklmnop'
const keys = ['key_pro', secretKey]

const statusAndBody = (replies: Awaited<ReturnType<typeof replay>>) =>
  replies.map(({ status, body }) => ({ status, body }))

/** Records what a service answers, and returns that with the folder. */
async function record(
  service: RequestListener,
  asked: readonly Asked[],
  folder = join(writeFolder({}), 'recorded'),
) {
  const { url, server } = await inFrontOf(service, { record: folder })
  const seen = await replay(url, asked)
  await server.close()
  return { folder, seen, scenario: read(folder, 'scenarios/recorded.yaml') }
}

const read = (folder: string, file: string) => readFileSync(join(folder, file), 'utf8')

const listFiles = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.includes('.'))

/** Starts a mock with a recording. */
async function serveRecording(
  folder: string,
  choice = 'recorded',
  options: GreenhouseOptions = {},
) {
  const greenhouse = createGreenhouse({
    ...options,
    scenarios: loadScenarios(join(folder, 'scenarios')),
  })
  const world = greenhouse.world()
  world.use(choice as never)
  const server = await serve(greenhouse)
  onTestFinished(() => server.close())
  return { greenhouse, world, url: server.url }
}

test('replies of a deviating service are replayed with equal status and body', async () => {
  const asked = mixRequests(times(300, 60), keys)
  const { folder, seen } = await record(createDeviatingService(keys), asked)
  const { url, world } = await serveRecording(folder)
  const again = await replay(url, asked)
  expect(statusAndBody(again)).toEqual(statusAndBody(seen))
  expect(world.journal.calls({ limit: 1 })[0]!.reason).toMatch(
    /^scenario recorded answered with recorded reply \d+ of \d+$/,
  )
  const named = (headers: [string, string][]) =>
    headers.filter(([name]) => /^x-(?!greenhouse)|^content-type/.test(name))
  expect(again.map(({ headers }) => named(headers))).toEqual(
    seen.map(({ headers }) => named(headers)),
  )
})

const reason = whyNot('nginx')

test.skipIf(reason !== undefined)(
  `replies that come through nginx are answered again${reason ?? ''}`,
  async () => {
    const { url: service, close } = await listen(createDeviatingService(keys))
    onTestFinished(close)
    const added = ['X-A', 'X-B', 'X-C', 'X-D', 'X-E']
      .map((name) => `add_header ${name} $request_id always;`)
      .join(' ')
    const front = await startNginx(
      await findFreePort(),
      `location / { proxy_pass ${service}; ${added} }`,
    )
    const folder = join(writeFolder({}), 'recorded')
    const { url, server } = await standInFront({
      plants: front,
      apps: `${front}/v1`,
      record: folder,
    })
    const asked = mixRequests(times(300, 40), keys, 2)
    const seen = await replay(url, asked)
    await server.close()
    const { url: mock } = await serveRecording(folder)
    expect(statusAndBody(await replay(mock, asked))).toEqual(statusAndBody(seen))
  },
)

test('in another order, the nth equal request gets the nth reply, and the last one from then on', async () => {
  let count = 0
  const service: RequestListener = (_, response) => response.end(`reply ${++count}`)
  const ask = (path: string): Asked => ({ method: 'GET', path, key: 'key_pro' })
  const { folder } = await record(
    service,
    ['/plants', '/v1/apps', '/plants?b=2&a=1'].map(ask).flatMap((one) => [one, one]),
  )
  const { url, world } = await serveRecording(folder)
  const bodies = async (paths: string[]) =>
    (await replay(url, paths.map(ask))).map(({ body }) => body)
  expect(await bodies(['/plants?a=1&b=2', '/v1/apps', '/plants', '/plants', '/plants'])).toEqual([
    'reply 5',
    'reply 3',
    'reply 1',
    'reply 2',
    'reply 2',
  ])
  world.snapshot('here')
  expect(await bodies(['/v1/apps'])).toEqual(['reply 4'])
  world.clear()
  world.use('recorded' as never)
  expect(await bodies(['/plants'])).toEqual(['reply 1'])
  world.restore('here')
  expect(await bodies(['/v1/apps', '/plants'])).toEqual(['reply 4', 'reply 2'])
})

test('JSON is compared by its values, other bodies by their bytes', async () => {
  const service: RequestListener = (request, response) =>
    void request.toArray().then((all) => response.end(`got ${all.join('')}`))
  const post = (body: string): Asked => ({ method: 'POST', path: '/plants', key: 'key_pro', body })
  const { folder } = await record(service, [
    post('{"id":9007199254740993,"name":"Fern"}'),
    post('a b'),
  ])
  const { url } = await serveRecording(folder, 'recorded:others=404')
  const asked = [
    '{ "name": "Fern", "id": 9007199254740993 }',
    '{"id":9007199254740992,"name":"Fern"}',
    'a b',
    'a  b',
  ]
  expect((await replay(url, asked.map(post))).map(({ status }) => status)).toEqual([
    200, 404, 200, 404,
  ])
})

test.each([
  ['recorded', 200, 'scenario recorded has no reply to this request'],
  ['recorded:others=404', 404, 'scenario recorded refused what was not recorded'],
])('under %s, a request that was not recorded is answered %i', async (choice, status, reason) => {
  const { folder } = await record(
    (_, response) => response.end('[]'),
    [{ method: 'GET', path: '/plants', key: 'key_pro' }],
  )
  const { url, world } = await serveRecording(folder, choice)
  const [reply] = await replay(url, [{ method: 'GET', path: '/plants?limit=1', key: 'key_pro' }])
  expect(reply!.status).toBe(status)
  expect(world.journal.calls()[0]!.reason).toContain(reason)
})

test("the client's own key and its alias get the same replies, and another key does not", async () => {
  const ask = (key: string): Asked => ({ method: 'GET', path: '/v1/own', key })
  const { folder, scenario } = await record((_, response) => response.end('mine'), [ask(secretKey)])
  expect(scenario).toContain('key: recorded-a')
  const { url } = await serveRecording(folder, 'recorded:others=404')
  const replies = await replay(
    url,
    [secretKey, 'recorded-a', `${secretKey}@default`, 'key_pro'].map(ask),
  )
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 404])
})

test('beyond the recording, the mock accepts the keys that the service accepted', async () => {
  const ask = (key: string, path = '/plants'): Asked => ({ method: 'GET', path, key })
  const service: RequestListener = ({ headers }, response) =>
    response.writeHead(headers.authorization === 'Bearer refused' ? 401 : 200).end('[]')
  const { folder } = await record(service, [ask(secretKey), ask('refused')])
  const { url } = await serveRecording(folder)
  const replies = await replay(
    url,
    [secretKey, 'recorded-a', 'refused'].map((key) => ask(key, '/v1/apps')),
  )
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 401])
})

test('a recording answers in a world of MSW handlers', async () => {
  const asked = mixRequests(40, keys).filter(({ path }) => path.startsWith('/plants'))
  const { folder, seen } = await record(createDeviatingService(keys), asked)
  const greenhouse = createGreenhouse({
    scenarios: loadScenarios(join(folder, 'scenarios')),
  })
  greenhouse.world().use('recorded' as never)
  const msw = setupServer(...createHandlers(greenhouse, { plants: 'http://plants.test' }))
  msw.listen({ onUnhandledRequest: 'error' })
  onTestFinished(() => msw.close())
  expect(statusAndBody(await replay('http://plants.test', asked))).toEqual(statusAndBody(seen))
})

test('fixtures have the records that replies showed before the first change of their collection', async () => {
  const app = (id: string, name: string) => ({
    id: `app_${id.repeat(16)}`,
    name,
    created_at: '2026-01-01T00:00:00.000Z',
  })
  let apps = [app('b', 'newest'), app('a', 'first')]
  const service: RequestListener = (request, response) => {
    if (request.method === 'POST') apps = [app('c', 'third'), ...apps]
    const data =
      request.url === '/plants'
        ? [{ name: 'Fern' }]
        : request.method === 'POST'
          ? apps[0]
          : { data: apps }
    response.end(JSON.stringify(data))
  }
  const ask = (method: string, path: string): Asked => ({ method, path, key: secretKey })
  const asked = [
    ask('GET', '/plants'),
    ask('GET', '/v1/apps'),
    ask('GET', '/v1/apps'),
    ask('POST', '/v1/apps'),
    ask('GET', '/v1/apps'),
  ]
  const { folder } = await record(service, asked)
  const world = createGreenhouse({ fixtures: loadFixtures(join(folder, 'fixtures')) }).world()
  expect(
    world.records.apps
      .all()
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(['first', 'newest'])
  expect(world.records.accounts.all().map(({ name }) => name)).toEqual(['recorded-a'])
})

test('fixtures load whatever a service answers', async () => {
  const strange =
    '[null, 5, {"id":{}}, {"id":"x","created_at":[]}, {"id":"app_aaaaaaaaaaaaaaaa","name":"a","app":"app_none"}]'
  const paths = [
    '/plants',
    '/v1/apps',
    '/v1/apps/x/users',
    '/v1/webhooks',
    '/v1/plans',
    '/v1/apps/app_aaaaaaaaaaaaaaaa/conversations',
    '/v1/account',
  ]
  const asked = paths.flatMap((path): Asked[] =>
    ['GET', 'DELETE', 'GET'].map((method) => ({ method, path, key: 'key_pro' })),
  )
  const { folder } = await record((_, response) => response.end(strange), asked)
  if (listFiles(folder).some((file) => file.startsWith('fixtures')))
    createGreenhouse({ fixtures: loadFixtures(join(folder, 'fixtures')) })
      .world()
      .records.apps.all()
  loadScenarios(join(folder, 'scenarios'))
})

test('a recording has no secret, wherever the service sent it', async () => {
  const marks = Array.from({ length: 8 }, (_, index) => `sk_live_mark${index}0123456789abcd`)
  const service: RequestListener = (_, response) => {
    response.setHeader('set-cookie', [`session=${marks[1]}; Path=/`, `other=${marks[2]}`])
    response.setHeader('x-api-key', marks[3]!)
    response.end(
      JSON.stringify([{ token: marks[4], nested: { password: marks[5] }, echo: marks[0] }]),
    )
  }
  const folder = join(writeFolder({}), 'recorded')
  const { send, server } = await inFrontOf(service, { record: folder })
  const headers = { authorization: `Bearer ${marks[0]}`, cookie: `session=${marks[1]}` }
  await send(`/v1/apps?api_key=${marks[6]}`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ secret: marks[7] }),
  })
  await server.close()
  const files = listFiles(folder)
  expect(files).toContain('scenarios/recorded.yaml')
  for (const file of files) for (const mark of marks) expect(read(folder, file)).not.toContain(mark)
  // A client goes on as with the service: the names of its cookies and their attributes are kept.
  expect(read(folder, 'scenarios/recorded.yaml')).toMatch(/session=fp_\w{12}; Path=\//)
})

const taken: [what: string, make: (path: string) => void, why: string][] = [
  ['a file', (path) => writeFileSync(path, ''), 'it is not a folder'],
  ['a link', (path) => symlinkSync(writeFolder({}), path), 'it is a link'],
  [
    'a folder with another file',
    (path) => writeFolderAt(path, { 'notes.txt': 'mine' }),
    'it has other files, such as notes.txt',
  ],
  [
    'a recording with another file',
    (path) => writeFolderAt(path, { 'recording.json': '{"recorded":[]}', 'report.json': '{}' }),
    'it has a file that no recording wrote, report.json',
  ],
  [
    'a manifest that names a file outside',
    (path) => writeFolderAt(path, { 'recording.json': '{"recorded":["../../mine"]}', 'x.txt': '' }),
    'it has a file that no recording wrote, x.txt',
  ],
]

test.each(possible(taken))(
  '%s is refused at the start, and stays as it is',
  async (_, make, why) => {
    const folder = join(writeFolder({}), 'recorded')
    make(folder)
    const before = readdirSync(join(folder, '..'), { recursive: true })
    const words = [
      'proxy',
      '--target-plants',
      'http://127.0.0.1:9',
      '--port',
      '0',
      '--record',
      folder,
    ]
    const { code, stderr } = await run(words)
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`Failed to record into ${folder}: ${why}`),
    ])
    expect(readdirSync(join(folder, '..'), { recursive: true })).toEqual(before)
  },
)

function writeFolderAt(path: string, files: Record<string, string>): void {
  mkdirSync(path)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text)
}

test('the folder that the command runs in is refused', async () => {
  const { code, stderr } = await run([
    'proxy',
    '--target-plants',
    'http://127.0.0.1:9',
    '--port',
    '0',
    '--record',
    '.',
  ])
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('it is the folder that the command runs in'),
  ])
})

test('a recording replaces the files of an earlier one, if it has requests', async () => {
  const long = 'x'.repeat(10_000)
  const ask: Asked = { method: 'GET', path: '/plants', key: 'key_pro' }
  const { folder } = await record((_, response) => response.end(long), [ask])
  expect(listFiles(folder).toSorted()).toEqual([
    'recording.json',
    'scenarios/recorded.yaml',
    'scenarios/recorded/00001.txt',
  ])
  await record((_, response) => response.end('short'), [], folder)
  expect(read(folder, 'scenarios/recorded/00001.txt')).toBe(long)
  await record((_, response) => response.end('short'), [ask], folder)
  expect(listFiles(folder).toSorted()).toEqual(['recording.json', 'scenarios/recorded.yaml'])
})

test('the next recording deletes a file that a killed proxy had not yet put in place', async () => {
  const folder = writeFolder({})
  const temporary = `${crypto.randomUUID()}.tmp`
  for (const part of ['scenarios', 'fixtures']) mkdirSync(join(folder, part))
  for (const file of ['recording.json', 'scenarios/recorded.yaml', 'fixtures/recorded.json'])
    writeFileSync(join(folder, `${file}.${temporary}`), '')
  const ask: Asked = { method: 'GET', path: '/plants', key: 'key_pro' }
  await record((_, response) => response.end('short'), [ask], folder)
  expect(listFiles(folder).toSorted()).toEqual(['recording.json', 'scenarios/recorded.yaml'])
})

test('a proxy that is killed leaves what it answered, and the next one records there', async () => {
  await using real = await serve(createGreenhouse())
  const folder = join(writeFolder({}), 'recorded')
  const words = [
    'proxy',
    '--target-plants',
    real.url,
    '--port',
    '0',
    '--log',
    'json',
    '--record',
    folder,
  ]
  const { child, output, ended } = startCommand(words)
  const { plants_url } = JSON.parse(await firstLine(child, output, ended)) as Ready
  const ask: Asked = { method: 'GET', path: '/plants', key: 'key_pro' }
  const seen = await replay(plants_url, [ask])
  await expect.poll(() => listFiles(folder)).toContain('scenarios/recorded.yaml')
  child.kill('SIGKILL')
  await ended
  const { url } = await serveRecording(folder)
  expect(statusAndBody(await replay(url, [ask]))).toEqual(statusAndBody(seen))
  await record((_, response) => response.end('again'), [ask], folder)
})

test('Ctrl-C ends with one line that says what was recorded, and the command that serves it', async () => {
  await using real = await serve(createGreenhouse())
  const folder = join(writeFolder({}), 'recorded')
  const words = ['proxy', '--target-plants', real.url, '--port', '0', '--record', folder]
  const { untilPrinted, kill, ended } = startInside(words)
  const [, url] = await untilPrinted(/Plants {2}(http:\S+)/)
  const seen = await replay(url!, [{ method: 'GET', path: '/plants', key: 'key_pro' }])
  kill('SIGINT')
  const { code, stdout } = await ended
  expect(code).toBe(0)
  const last = stdout.trimEnd().split('\n').at(-1)!
  expect(last).toContain(
    `Recorded 1 request and 0 records of ${real.url}. Not recorded: plants (replies show no ids).`,
  )
  const served = /Serve them with: npx greenhouse-mock serve (.*)$/
    .exec(last)![1]!
    .replaceAll("'", '')
    .split(' ')
  const { ready } = await startServe(served)
  expect(
    statusAndBody(
      await replay(ready.plants_url, [{ method: 'GET', path: '/plants', key: 'key_pro' }]),
    ),
  ).toEqual(statusAndBody(seen))
})

test('a recording without replies says what it lacks, and why', async () => {
  const service = await answerUntilEnd(({ socket }) => void socket.destroy())
  const words = ['proxy', '--target-plants', service, '--port', '0', '--record']
  const { untilPrinted, kill, ended } = startInside([...words, join(writeFolder({}), 'recorded')])
  const [, url] = await untilPrinted(/Plants {2}(http:\S+)/)
  await fetch(`${url}/plants`)
  kill('SIGINT')
  expect((await ended).stdout).toContain(
    `Recorded nothing of ${service}. Not recorded: the service gave no whole reply (1).`,
  )
})

const recordedLocations = [
  'SERVICE/plants?limit=1',
  '/plants/2',
  'https://OWN/plants/3',
  '/x/~w1/2',
  'https://elsewhere.example/x',
  '//elsewhere.example/x',
  'SERVICE//x',
]

/** Returns where the replies of a server lead to, in a world. */
async function locationsAt(url: string): Promise<(string | null)[]> {
  const found: (string | null)[] = []
  for (const to of recordedLocations) {
    const reply = await fetch(`${url}/plants?to=${encodeURIComponent(to)}`, {
      headers: { authorization: 'Bearer key_pro' },
      redirect: 'manual',
    })
    found.push(reply.headers.get('location'))
  }
  return found
}

test('a Location on the service leads to the server and the world that answer again', async () => {
  const folder = join(writeFolder({}), 'recorded')
  const { url, server } = await inFrontOf(
    ({ url: asked, headers: { host } }, response) => {
      const to = new URL(`http://any${asked}`).searchParams.get('to')!
      const location = to.replace('SERVICE', `http://${host}`).replace('OWN', new URL(url).host)
      response.writeHead(302, { location }).end()
    },
    { record: folder },
  )
  for (const world of ['/~w1', '']) await locationsAt(url + world)
  await server.close()

  const { greenhouse, url: again } = await serveRecording(folder)
  greenhouse.world('w2').use('recorded' as never)
  const others = ['https://elsewhere.example/x', '//elsewhere.example/x', `${url}/~w1//x`]
  expect(await locationsAt(again)).toEqual([
    '/plants?limit=1',
    '/plants/2',
    '/plants/3',
    '/x/~w1/2',
    ...others,
  ])
  expect(await locationsAt(`${again}/~w2`)).toEqual([
    '/~w2/plants?limit=1',
    '/~w2/plants/2',
    '/~w2/plants/3',
    '/~w2/x/~w1/2',
    ...others,
  ])
})

test('a Location that names a world, as older recordings have, keeps it', async () => {
  const greenhouse = createGreenhouse()
  const headers = { Location: '/~w1/plants/2' }
  const recorded = [{ replies: [{ request: 'GET /plants', status: 302, headers, key: 'key_pro' }] }]
  greenhouse.world('w1').use({ recorded })
  const reply = await greenhouse.fetch('/~w1/plants', {
    headers: { authorization: 'Bearer key_pro' },
  })
  expect(reply.headers.get('location')).toBe('/~w1/plants/2')
})

test('requests without a whole reply are counted and said', async () => {
  let cut = () => undefined as unknown
  const { send, server } = await inFrontOf(
    ({ url, socket }, response) => {
      if (url !== '/plants?cut') return socket.destroy()
      cut = () => socket.destroy()
      response.writeHead(200, { 'Content-Length': 10 }).write('[')
    },
    { record: join(writeFolder({}), 'recorded') },
  )
  expect((await send('/plants')).status).toBe(502)
  // Of a reply whose rest takes a second, the client has the beginning.
  const begun = await send('/plants?cut')
  cut()
  expect(begun.status).toBe(200)
  await expect(begun.text()).rejects.toThrow()
  await server.close()
  expect((server as unknown as { recorded(): object }).recorded()).toMatchObject({
    replies: 0,
    leftOut: { 'the service gave no whole reply': 1, 'the reply broke off': 1 },
  })
})

test('replies over the limits are counted and said', async () => {
  const folder = join(writeFolder({}), 'recorded')
  const { send, server } = await inFrontOf(
    (_, response) => response.end('x'.repeat(2_000_000)),
    { record: folder },
    { bodyLimit: 1_000_000 },
  )
  await (await send('/plants')).text()
  await server.close()
  expect((server as unknown as { recorded(): object }).recorded()).toMatchObject({
    replies: 0,
    leftOut: { 'a body of more than 1000000 bytes': 1 },
  })
})

test('10,000 replies are found by an index', async () => {
  const item = (index: number) => ({
    request: `GET /plants?limit=${index}`,
    key: 'key_pro',
    status: 200,
    text: `[${index}]`,
  })
  const replies = Array.from({ length: 10_000 }, (_, index) => item(index))
  const scenario = {
    title: 'Recorded',
    description: 'Recorded.',
    covers: 'All.',
    recorded: [{ replies }],
  }
  const greenhouse = createGreenhouse({ scenarios: { recorded: scenario } as never })
  greenhouse.world().use('recorded' as never)
  const ask = (index: number) =>
    greenhouse.fetch(
      new Request(`http://x.test/plants?limit=${index}`, {
        headers: { authorization: 'Bearer key_pro' },
      }),
    )
  expect(await (await ask(9_999)).text()).toBe('[9999]')
  expect(await (await ask(0)).text()).toBe('[0]')
})
