import { once } from 'node:events'
import { expect, test } from 'vitest'
import { nobody, run, start, startServe, type Running } from '../support/cli.ts'
import { startCommand } from '../support/process.ts'

/** The URLs of the lines that were printed. */
const urlsOf = ({ output }: Running) =>
  output.stdout
    .trim()
    .split('\n')
    .map((line) => /(\/\S*)/.exec(line)?.[1])

test('log --follow prints past requests, then new ones as they come, and ends with 0 on Ctrl-C', async () => {
  const { ready, call, stop } = await startServe()
  await call('/plants?limit=1')
  const log = start(['log', '--follow', '--server', ready.plants_url])
  await log.untilPrinted(/limit=1/)
  for (const limit of [2, 3]) await call(`/plants?limit=${limit}`)
  await call('/~checkout/plants')
  await call('/plants?limit=4')
  await log.untilPrinted(/limit=4/)
  log.kill('SIGINT')
  expect(await log.ended).toMatchObject({ code: 0, signal: null, stderr: '' })
  expect(urlsOf(log)).toEqual([1, 2, 3, 4].map((limit) => `/plants?limit=${limit}`))
  await stop()
})

test('a delayed reply is printed once, when it was sent', async () => {
  const { ready, call, stop } = await startServe(['--scenario', 'slow:ms=40'])
  const log = start(['log', '--follow', '--json', '--server', ready.plants_url])
  await call('/plants?limit=1')
  await log.untilPrinted(/limit=1/)
  await call('/plants?limit=2')
  await log.untilPrinted(/limit=2/)
  log.kill('SIGINT')
  const entries = (await log.ended).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const journal = await fetch(`${ready.plants_url}/__greenhouse/worlds/default/journal`)
  expect(entries).toEqual(((await journal.json()) as { data: object[] }).data)
  await stop()
})

test('the filters hold for what comes too', async () => {
  const { ready, call, stop } = await startServe(['--scenario', 'slow:ms=1;on=apps.*'])
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
  const at = ['--server', ready.plants_url]
  const logs = filters.map((filter) => ({ filter, log: start(['log', '--follow', ...filter, ...at]) }))
  // Earlier requests are printed when the stream is open; repeated ones come by the stream.
  for (let round = 0; round < 2; round++) {
    for (const { filter, log } of logs) {
      const { stdout: shown } = await run(['log', ...filter, ...at])
      await expect.poll(() => log.output.stdout, { timeout: 10_000, message: filter.join(' ') }).toBe(shown)
      expect(shown, filter.join(' ')).not.toBe('')
    }
    if (round === 0) await ask()
  }
  for (const { log } of logs) {
    log.kill('SIGINT')
    expect(await log.ended).toMatchObject({ code: 0, stderr: '' })
  }
  await stop()
})

test('--all-worlds prints the requests of all, each with its world', async () => {
  const { ready, call, stop } = await startServe()
  const log = start(['log', '--follow', '--all-worlds', '--server', ready.plants_url])
  await call('/plants?limit=1')
  await log.untilPrinted(/limit=1/)
  await call('/plants?limit=2', { headers: { 'x-greenhouse-world': 'new' } })
  await log.untilPrinted(/limit=2 .*world=new/)
  log.kill('SIGTERM')
  expect(await log.ended).toMatchObject({ code: 0, stderr: '' })
  await stop()
})

test('requests after a reset are printed, though the journal starts over', async () => {
  const { ready, call, stop } = await startServe(['--now', '2026-03-01T12:00:30Z', '--frozen'])
  const log = start(['log', '--follow', '--server', ready.plants_url])
  await call('/plants?limit=1')
  await log.untilPrinted(/limit=1/)
  await run(['reset', '--server', ready.plants_url])
  await call('/plants?limit=2')
  await log.untilPrinted(/limit=2/)
  log.kill('SIGINT')
  expect((await log.ended).code).toBe(0)
  await stop()
})

test('it may follow a world that is yet to be made', async () => {
  const { ready, call, stop } = await startServe()
  const log = start(['log', '--follow', '--world', 'later', '--server', ready.plants_url])
  await call('/plants?limit=1')
  while (log.output.stdout === '') await call('/~later/plants?limit=2')
  expect(log.output.stdout).not.toContain('limit=1')
  log.kill('SIGINT')
  expect((await log.ended).code).toBe(0)
  await stop()
})

test('when the server goes away it says so and ends with 1', async () => {
  const { ready, call, stop } = await startServe()
  const log = start(['log', '--follow', '--server', ready.plants_url])
  await call('/plants?limit=1')
  await log.untilPrinted(/limit=1/)
  await stop()
  expect(await log.ended).toMatchObject({
    code: 1,
    signal: null,
    stderr: `The server at ${ready.plants_url} went away. With --wait, greenhouse-mock log --follow waits for it.\n`,
  })
})

test('with --wait it goes on when the server is back', async () => {
  const first = await startServe()
  const { port } = new URL(first.ready.plants_url)
  const log = start(['log', '--follow', '--wait', '--server', first.ready.plants_url])
  await first.call('/plants?limit=1')
  await log.untilPrinted(/limit=1/)
  await first.stop()
  await log.untilPrinted(/^Waiting for the server at .*\.\n/, 'stderr')
  const second = start(['serve', '--port', port, '--log', 'json'])
  const { plants_url } = JSON.parse((await second.untilPrinted(/^\{.*\n/m))[0])
  // A connection to the first server that is about to be closed may be taken once more.
  await expect
    .poll(() =>
      fetch(`${plants_url}/plants?limit=2`).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(401)
  await log.untilPrinted(/limit=2/)
  expect(log.output.stderr).toMatch(/^Waiting for the server at .*\.\nThe server at .* is back\.\n$/)
  log.kill('SIGINT')
  expect((await log.ended).code).toBe(0)
  expect(urlsOf(log)).toEqual(['/plants?limit=1', '/plants?limit=2'])
  second.kill('SIGTERM')
  await second.ended
})

test('without a server it fails, and with --wait it waits until Ctrl-C', async () => {
  expect(await run(['log', '--follow', '--server', nobody])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^Failed to reach a Greenhouse/),
  })
  const log = start(['log', '--follow', '--wait', '--server', nobody])
  await log.untilPrinted(/Waiting/, 'stderr')
  log.kill('SIGINT')
  expect(await log.ended).toMatchObject({ code: 0, stderr: `Waiting for the server at ${nobody}.\n` })
})

test('it ends with 0 when nobody reads it any more', async () => {
  const { ready, call, stop } = await startServe()
  const log = startCommand(['log', '--follow', '--server', ready.plants_url])
  await call('/plants?limit=1')
  while (!log.output.stdout.includes('limit=1')) await once(log.child.stdout!, 'data')
  log.child.stdout!.destroy()
  let isOver = false
  const ended = log.ended.finally(() => (isOver = true))
  while (!isOver) await call('/plants')
  expect(await ended).toMatchObject({ code: 0, signal: null, stderr: '' })
  await stop()
})
