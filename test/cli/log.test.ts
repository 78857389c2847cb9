import { request as sendRequest } from 'node:http'
import { expect, test } from 'vitest'
import { start, nobody, type Running } from '../support/cli.ts'
import { parseLines, startWithCommands, expectWrongUse } from './server.ts'
import { once } from 'node:events'
import fc from 'fast-check'
import { readEvents, type ServerEvent } from '../../src/control/client/control-api.ts'
import { writeFolder } from '../support/folder.ts'
import { findFreePort } from '../support/free-port.ts'
import { answerUntilEnd } from '../support/listen.ts'
import { startCommand } from '../support/process.ts'

async function startLogged() {
  const server = await startWithCommands(
    '--now',
    '2026-03-01T12:00:30Z',
    '--scenario',
    'slow:ms=1;on=apps.*',
  )
  for (const path of [
    '/plants?limit=3',
    '/v1/apps',
    '/v1/apps/none',
    '/plants?limt=3',
    '/~checkout/plants',
  ])
    await (await server.call(path)).text()
  const log = async (...words: string[]) => {
    const { code, stdout, stderr } = await server.command('log', ...words)
    expect([code, stderr], words.join(' ')).toEqual([
      0,
      stdout === '' ? 'No requests match.\n' : '',
    ])
    return stdout
  }
  return { ...server, log }
}

test('log prints the requests of a world as serve does, the newest last', async () => {
  const { log } = await startLogged()
  expect((await log()).split('\n')).toEqual([
    expect.stringMatching(
      /^\d\d:\d\d:\d\d GET {4}200 +\d[\d.]* m?s +\d+ B \/plants\?limit=3 +plants\.list$/,
    ),
    expect.stringMatching(
      /GET {4}200 .*\/v1\/apps +apps\.list +scenario=slow scenario slow delayed/,
    ),
    expect.stringMatching(
      /GET {4}404 .*\/v1\/apps\/none +apps\.get +.*"none" is not among the apps of acct_pro/,
    ),
    expect.stringMatching(/\/plants\?limt=3 +plants\.list +violation=/),
    '',
  ])
})

test('log shows requests of one world or all, up to --limit', async () => {
  const { log } = await startLogged()
  const urls = async (...words: string[]) =>
    parseLines(await log(...words, '--json')).map(({ request }) => request.url)
  expect(await urls('--limit', '2')).toEqual(['/v1/apps/none', '/plants?limt=3'])
  expect(await urls('--world', 'checkout')).toEqual(['/~checkout/plants'])
  for (const nothing of ['--status 0', '--key key_por'])
    expect(await urls(...nothing.split(' '))).toEqual([])
  // Their clocks began one after the other at the same time, so whose is first is open.
  expect((await urls('--all-worlds', '--operation', 'plants.list')).sort()).toEqual([
    '/plants?limit=3',
    '/plants?limt=3',
    '/~checkout/plants',
  ])
  expect(await urls('--all-worlds', '--limit', '1')).toHaveLength(1)
})

test("log --json prints the journal's entries, each on a line", async () => {
  const { log, read } = await startLogged()
  expect(parseLines(await log('--json'))).toEqual((await read('/worlds/default/journal')).data)
})

/** Flags of `log`, and the requests that they find. */
const filters: Record<string, number[]> = {
  '--method post': [2],
  '--path /v1/**': [3, 4],
  '--header x-name=a=b': [3],
  '--header X-Name=null --path /v1/**': [4],
  '--query limit=*': [1],
  '--body name=Fern --body id=9007199254740995': [2],
  '--key key_free': [4],
  '--key *': [1, 2, 3, 4, 5],
  '--account *': [1, 2, 3, 4, 5],
  '--scenario null': [1, 2, 5],
  '--account acct_free': [4],
  '--operation plants.list': [1, 5],
  '--status 4xx': [2, 3],
  '--status 404': [3],
  '--status 200': [1, 4, 5],
  '--errors': [2, 3],
  '--violations': [2, 5],
  '--scenario slow': [3, 4],
  '--scenario *': [3, 4],
  '--search among APPS': [3],
  '--search get 404': [3],
}

/** Values may have spaces. */
const toWords = (line: string) => line.split(/ (?=--)|(?<=--\w+) /)

test('log filters past and new requests', async () => {
  const { url, call, print } = await startWithCommands('--scenario', 'slow:ms=1;on=apps.*')
  const send = async () => {
    await call('/plants?limit=3')
    await call('/plants', { method: 'POST', body: '{"id":9007199254740995,"name":"Fern","tag":7}' })
    await call('/v1/apps/app_1', { headers: { 'X-Name': 'a=b' } })
    await call('/v1/apps', { key: 'key_free' })
    await call('/plants?limt=3')
  }
  await send()
  const idsOf = (stdout: string) => parseLines(stdout).map(({ id }) => id)
  for (const [line, ids] of Object.entries(filters))
    expect([line, idsOf(await print('log', '--json', ...toWords(line)))]).toEqual([line, ids])
  const following = Object.entries(filters).map(([line, ids]) => {
    const log = start(['log', '--follow', '--json', ...toWords(line), '--server', url])
    return {
      line,
      ids,
      log,
      until: (count: number) => log.untilPrinted(new RegExp(`^(.*\n){${count}}`)),
    }
  })
  // Earlier requests are printed when the stream is open; repeated ones come by the stream.
  for (const { ids, until } of following) await until(ids.length)
  await send()
  for (const { line, ids, log, until } of following) {
    await until(2 * ids.length)
    log.kill('SIGINT')
    expect([line, idsOf((await log.ended).stdout)]).toEqual([
      line,
      [...ids, ...ids.map((id) => id + 5)],
    ])
  }
})

test('log says on stderr that there were more requests than the journal has', async () => {
  const folder = writeFolder({ 'greenhouse.config.yaml': 'journal: { entries: 10 }\n' })
  const { call, command } = await startWithCommands('--config', `${folder}/greenhouse.config.yaml`)
  for (let sent = 0; sent < 13; sent++) await (await call('/plants?limit=1')).text()
  const all = await command('log', '--limit', '5000')
  expect([all.code, all.stdout.trim().split('\n').length]).toEqual([0, 10])
  expect(all.stderr).toBe(
    'The journal of the world "default" dropped 3 older requests to make room, so fewer than --limit 5000 are shown.\n',
  )
  expect((await command('log', '--limit', '10')).stderr).toBe('')
  expect((await command('log', '--limit', '5000', '--all-worlds')).stderr).toBe(all.stderr)
})

test('the log of serve has the violations that the journal finds in each request, however alike', async () => {
  const create = (body?: string) => ({ method: 'POST', ...(body !== undefined && { body }) })
  const requests: [path: string, violations: number, init?: RequestInit][] = [
    ['/plants?limt=3', 1],
    ['/plants?limt=3', 1],
    ['/plants?limit=3', 0],
    ['/plants?limt=3', 1, { method: 'HEAD' }],
    ['/plants?limt=3', 1, { method: 'DELETE' }],
    ['/plants?limt=3', 1],
    ['/plants?limt=3', 1, { headers: { 'x-greenhouse-scenario': 'server-error' } }],
    ['/plants', 1, create('{"id":1}')],
    ['/plants', 0, create('{"id":1,"name":"Fern"}')],
    ['/plants', 1, create('{"id":1}')],
    ['/plants', 1, create()],
    ['/plants', 1, create()],
    ['/plants?limit=3', 1, { headers: { authorization: 'Basic key_pro' } }],
    ['/plants?limit=3', 0],
  ]
  const { call, output, read, stop } = await startWithCommands()
  const began = output.stdout.length
  for (const [path, , init] of requests) await (await call(path, init)).arrayBuffer()
  const { data } = await read('/worlds/default/journal')
  const logged = parseLines((await stop()).stdout.slice(began)).map(({ violations }) => violations)
  expect(logged).toEqual(data.map(({ violations }: { violations?: object[] }) => violations))
  expect(logged.map((violations) => violations?.length ?? 0)).toEqual(
    requests.map(([, count]) => count),
  )
})

async function startFollowed(...flags: string[]) {
  const server = await startWithCommands(...flags)
  const follow = (...words: string[]) =>
    start(['log', '--follow', ...words, '--server', server.url])
  return { ...server, follow }
}

async function end(log: Running): Promise<void> {
  log.kill('SIGINT')
  expect(await log.ended).toMatchObject({ code: 0, signal: null, stderr: '' })
}

const urlsOf = ({ output }: Running) =>
  output.stdout
    .trim()
    .split('\n')
    .map((line) => /(\/\S*)/.exec(line)?.[1])

test('log --follow prints past requests, then new ones as they come, and ends with 0 on Ctrl-C', async () => {
  const { call, follow } = await startFollowed()
  await call('/plants?limit=1')
  const log = follow()
  await log.untilPrinted(/limit=1/)
  for (const limit of [2, 3]) await call(`/plants?limit=${limit}`)
  await call('/~checkout/plants')
  await call('/plants?limit=4')
  await log.untilPrinted(/limit=4/)
  await end(log)
  expect(urlsOf(log)).toEqual([1, 2, 3, 4].map((limit) => `/plants?limit=${limit}`))
})

test('a delayed reply is printed once, when it was sent', async () => {
  const { call, follow, read } = await startFollowed('--scenario', 'slow:ms=40')
  const log = follow('--json')
  for (const limit of [1, 2]) {
    await call(`/plants?limit=${limit}`)
    await log.untilPrinted(new RegExp(`limit=${limit}`))
  }
  await end(log)
  expect(parseLines(log.output.stdout)).toEqual((await read('/worlds/default/journal')).data)
})

test('--all-worlds prints the requests of all, each with its world', async () => {
  const { call, follow } = await startFollowed()
  const log = follow('--all-worlds')
  await call('/plants?limit=1')
  await log.untilPrinted(/limit=1/)
  await call('/plants?limit=2', { headers: { 'x-greenhouse-world': 'new' } })
  await log.untilPrinted(/limit=2 .*world=new/)
  log.kill('SIGTERM')
  expect(await log.ended).toMatchObject({ code: 0, stderr: '' })
})

test('requests after a reset are printed, though the journal starts over', async () => {
  const { call, follow, print } = await startFollowed('--now', '2026-03-01T12:00:30Z', '--frozen')
  const log = follow()
  await call('/plants?limit=1')
  await log.untilPrinted(/limit=1/)
  await print('reset')
  await call('/plants?limit=2')
  await log.untilPrinted(/limit=2/)
  await end(log)
})

test('it may follow a world that is yet to be made', async () => {
  const { call, follow } = await startFollowed()
  const log = follow('--world', 'later')
  await call('/plants?limit=1')
  while (log.output.stdout === '') await call('/~later/plants?limit=2')
  expect(log.output.stdout).not.toContain('limit=1')
  await end(log)
})

test('when the server goes away it says so and ends with 1', async () => {
  const { url, call, follow, stop } = await startFollowed()
  const log = follow()
  await call('/plants?limit=1')
  await log.untilPrinted(/limit=1/)
  await stop()
  expect(await log.ended).toMatchObject({
    code: 1,
    signal: null,
    stderr: `The server at ${url} went away. With --wait, greenhouse-mock log --follow waits for it.\n`,
  })
})

test('with --wait it goes on when the server is back', async () => {
  const port = String(await findFreePort())
  const url = `http://127.0.0.1:${port}`
  const serveThere = async () => {
    const server = start(['serve', '--port', port, '--log', 'json'])
    await server.untilPrinted(/^\{.*\n/m)
    return server
  }
  const first = await serveThere()
  const log = start(['log', '--follow', '--wait', '--server', url])
  await fetch(`${url}/plants?limit=1`)
  await log.untilPrinted(/limit=1/)
  first.kill('SIGTERM')
  await first.ended
  await log.untilPrinted(/^Waiting for the server at .*\.\n/, 'stderr')
  await serveThere()
  // A connection to the first server that is about to be closed may be taken once more.
  const statusOf = () =>
    fetch(`${url}/plants?limit=2`).then(
      ({ status }) => status,
      () => 0,
    )
  await expect.poll(statusOf).toBe(401)
  await log.untilPrinted(/limit=2/)
  expect(log.output.stderr).toMatch(
    /^Waiting for the server at .*\.\nThe server at .* is back\.\n$/,
  )
  log.kill('SIGINT')
  expect((await log.ended).code).toBe(0)
  expect(urlsOf(log)).toEqual(['/plants?limit=1', '/plants?limit=2'])
})

test('when it fails to read the journal once, it prints those requests with the next one', async () => {
  const { url, call } = await startFollowed()
  await call('/plants?limit=1')
  let isCut = false
  const proxy = await answerUntilEnd((request, response) => {
    const { method, url: path = '', headers } = request
    if (!isCut && path.includes('/journal')) {
      isCut = true
      return request.socket.destroy()
    }
    const forwarded = sendRequest(new URL(path, url), { method: method!, headers }, (reply) => {
      response.writeHead(reply.statusCode!, reply.headers)
      reply.pipe(response)
    })
    request.pipe(forwarded.on('error', () => response.destroy()))
  })
  const log = start(['log', '--follow', '--server', proxy])
  await expect.poll(() => isCut).toBe(true)
  await call('/plants?limit=2')
  await log.untilPrinted(/limit=2/)
  await end(log)
  expect(urlsOf(log)).toEqual(['/plants?limit=1', '/plants?limit=2'])
})

test('without a server it fails, and with --wait it waits until Ctrl-C', async () => {
  await expectWrongUse(['log', '--follow', '--server', nobody], /^Failed to reach a Greenhouse/)
  const log = start(['log', '--follow', '--wait', '--server', nobody])
  await log.untilPrinted(/Waiting/, 'stderr')
  log.kill('SIGINT')
  expect(await log.ended).toMatchObject({
    code: 0,
    stderr: `Waiting for the server at ${nobody}.\n`,
  })
})

test('it ends with 0 when nobody reads it any more', async () => {
  const { url, call } = await startFollowed()
  const log = startCommand(['log', '--follow', '--server', url])
  await call('/plants?limit=1')
  while (!log.output.stdout.includes('limit=1')) await once(log.child.stdout!, 'data')
  log.child.stdout!.destroy()
  let isOver = false
  const ended = log.ended.finally(() => (isOver = true))
  while (!isOver) await call('/plants')
  expect(await ended).toMatchObject({ code: 0, signal: null, stderr: '' })
})

async function readAll(stream: ReadableStream<Uint8Array>): Promise<ServerEvent[]> {
  const all: ServerEvent[] = []
  for await (const events of readEvents(stream)) all.push(...events)
  return all
}

const read = (...chunks: string[]) => readAll(new Blob(chunks).stream())

test('events are read with type and data; ids, comments and cut ones are left out', async () => {
  expect(
    await read(
      ': hello\n\nid: a-1\nevent: request\ndata: {"id":1}\n\n',
      'data:one\ndata: two\nretry: 5\n\nid: a-2\n\ndata: never',
    ),
  ).toEqual([
    { type: 'request', data: '{"id":1}' },
    { type: 'message', data: 'one\ntwo' },
  ])
  expect(await read('event: request\r\ndata: x\r\n\r\n')).toEqual([{ type: 'request', data: 'x' }])
})

test('it is the same wherever the stream is cut into pieces', async () => {
  const text = 'id: a-1\r\nevent: request\r\ndata: {"name":"Bäumchen 🌱"}\r\n\r\n: \n\ndata: 2\n\n'
  const whole = await read(text)
  const bytes = new TextEncoder().encode(text)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 8 }), async (cuts) => {
      const places = [0, ...cuts.sort((one, other) => one - other), bytes.length]
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          places
            .slice(1)
            .forEach((end, place) => controller.enqueue(bytes.slice(places[place], end)))
          controller.close()
        },
      })
      expect(await readAll(stream)).toEqual(whole)
    }),
  )
})
