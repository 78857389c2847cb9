import { once } from 'node:events'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readEvents, type ServerEvent } from '../../src/core/http/read-events.ts'
import { nobody, start, type Running } from '../support/cli.ts'
import { startCommand } from '../support/process.ts'
import { expectWrongUse, parseLines, startWithCommands } from './server.ts'

async function startFollowed(...flags: string[]) {
  const server = await startWithCommands(...flags)
  const follow = (...words: string[]) => start(['log', '--follow', ...words, '--server', server.url])
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

test('the filters hold for what comes too', async () => {
  const { call, follow, print } = await startFollowed('--scenario', 'slow:ms=1;on=apps.*')
  const paths = ['/plants?limit=1', '/v1/apps', '/v1/apps/none', '/plants?limt=3', '/appz', '/plants?limit=9']
  const filters = [
    ['--operation', 'plants.list'],
    ['--status', '4xx'],
    ['--status', '200'],
    ['--errors'],
    ['--violations'],
    ['--scenario', 'slow'],
    ['--scenario', '*'],
    ['--search', 'among APPS'],
    ['--search', 'get 404'],
  ]
  const ask = async () => {
    for (const path of paths) await (await call(path)).text()
  }
  await ask()
  const logs = filters.map((filter) => ({ filter, log: follow(...filter) }))
  // Earlier requests are printed when the stream is open; repeated ones come by the stream.
  for (let round = 0; round < 2; round++) {
    for (const { filter, log } of logs) {
      const shown = await print('log', ...filter)
      await expect.poll(() => log.output.stdout, { timeout: 10_000, message: filter.join(' ') }).toBe(shown)
      expect(shown, filter.join(' ')).not.toBe('')
    }
    if (round === 0) await ask()
  }
  for (const { log } of logs) await end(log)
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
  const { url, call, follow, stop } = await startFollowed()
  const log = follow('--wait')
  await call('/plants?limit=1')
  await log.untilPrinted(/limit=1/)
  await stop()
  await log.untilPrinted(/^Waiting for the server at .*\.\n/, 'stderr')
  await start(['serve', '--port', new URL(url).port, '--log', 'json']).untilPrinted(/^\{.*\n/m)
  // A connection to the first server that is about to be closed may be taken once more.
  const statusOf = () =>
    fetch(`${url}/plants?limit=2`).then(
      ({ status }) => status,
      () => 0,
    )
  await expect.poll(statusOf).toBe(401)
  await log.untilPrinted(/limit=2/)
  expect(log.output.stderr).toMatch(/^Waiting for the server at .*\.\nThe server at .* is back\.\n$/)
  log.kill('SIGINT')
  expect((await log.ended).code).toBe(0)
  expect(urlsOf(log)).toEqual(['/plants?limit=1', '/plants?limit=2'])
})

test('without a server it fails, and with --wait it waits until Ctrl-C', async () => {
  await expectWrongUse(['log', '--follow', '--server', nobody], /^Failed to reach a Greenhouse/)
  const log = start(['log', '--follow', '--wait', '--server', nobody])
  await log.untilPrinted(/Waiting/, 'stderr')
  log.kill('SIGINT')
  expect(await log.ended).toMatchObject({ code: 0, stderr: `Waiting for the server at ${nobody}.\n` })
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

test('an event has an id, a type and data; comments and what is not whole are left out', async () => {
  expect(
    await read(
      ': hello\n\nid: a-1\nevent: request\ndata: {"id":1}\n\n',
      'data:one\ndata: two\nretry: 5\n\nid: a-2\n\ndata: never',
    ),
  ).toEqual([
    { id: 'a-1', type: 'request', data: '{"id":1}' },
    { id: undefined, type: 'message', data: 'one\ntwo' },
  ])
  expect(await read('event: request\r\ndata: x\r\n\r\n')).toEqual([{ id: undefined, type: 'request', data: 'x' }])
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
          places.slice(1).forEach((end, place) => controller.enqueue(bytes.slice(places[place], end)))
          controller.close()
        },
      })
      expect(await readAll(stream)).toEqual(whole)
    }),
  )
})
