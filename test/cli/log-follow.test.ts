import { once } from 'node:events'
import { expect, test } from 'vitest'
import { firstLine, nobody, run, start, startServe } from '../support/cli.ts'

type Started = ReturnType<typeof start>

/** Waits until `greenhouse log` printed something. */
async function untilPrinted({ child, output }: Started, pattern: RegExp, name: 'stdout' | 'stderr' = 'stdout') {
  while (!pattern.test(output[name])) {
    await Promise.race([once(child[name]!, 'data'), once(child, 'close')])
    if (child.exitCode !== null && !pattern.test(output[name]))
      throw new Error(`It ended with ${child.exitCode}: ${output.stdout}${output.stderr}`)
  }
}

/** The URLs of the lines that were printed. */
const urlsOf = ({ output }: Started) =>
  output.stdout
    .trim()
    .split('\n')
    .map((line) => /(\/\S*)/.exec(line)?.[1])

test('log --follow prints what was answered, then each request as it comes, and ends with 0 on Ctrl-C', async () => {
  const { ready, call, stop } = await startServe()
  await call('/plants?limit=1')
  const log = start(['log', '--follow', '--server', ready.plants_url])
  await untilPrinted(log, /limit=1/)
  for (const limit of [2, 3]) await call(`/plants?limit=${limit}`)
  await call('/~checkout/plants')
  await call('/plants?limit=4')
  await untilPrinted(log, /limit=4/)
  log.child.kill('SIGINT')
  expect(await log.ended).toMatchObject({ code: 0, signal: null, stderr: '' })
  expect(urlsOf(log)).toEqual([1, 2, 3, 4].map((limit) => `/plants?limit=${limit}`))
  await stop()
})

test('a delayed reply is printed once, when it was sent', async () => {
  const { ready, call, stop } = await startServe(['--scenario', 'slow:ms=40'])
  const log = start(['log', '--follow', '--json', '--server', ready.plants_url])
  await call('/plants?limit=1')
  await untilPrinted(log, /limit=1/)
  await call('/plants?limit=2')
  await untilPrinted(log, /limit=2/)
  log.child.kill('SIGINT')
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
  // What was asked before is printed once the stream is open: what is asked again comes by it.
  for (let round = 0; round < 2; round++) {
    for (const { filter, log } of logs) {
      const { stdout: shown } = await run(['log', ...filter, ...at])
      await expect.poll(() => log.output.stdout, { timeout: 10_000, message: filter.join(' ') }).toBe(shown)
      expect(shown, filter.join(' ')).not.toBe('')
    }
    if (round === 0) await ask()
  }
  for (const { log } of logs) {
    log.child.kill('SIGINT')
    expect(await log.ended).toMatchObject({ code: 0, stderr: '' })
  }
  await stop()
})

test('--all-worlds prints the requests of all, each with its world', async () => {
  const { ready, call, stop } = await startServe()
  const log = start(['log', '--follow', '--all-worlds', '--server', ready.plants_url])
  await call('/plants?limit=1')
  await untilPrinted(log, /limit=1/)
  await call('/plants?limit=2', { headers: { 'x-greenhouse-world': 'new' } })
  await untilPrinted(log, /limit=2 .*world=new/)
  log.child.kill('SIGTERM')
  expect(await log.ended).toMatchObject({ code: 0, stderr: '' })
  await stop()
})

test('what comes after a reset is printed, though the journal begins anew', async () => {
  const { ready, call, stop } = await startServe(['--now', '2026-03-01T12:00:30Z', '--frozen'])
  const log = start(['log', '--follow', '--server', ready.plants_url])
  await call('/plants?limit=1')
  await untilPrinted(log, /limit=1/)
  await run(['reset', '--server', ready.plants_url])
  await call('/plants?limit=2')
  await untilPrinted(log, /limit=2/)
  log.child.kill('SIGINT')
  expect((await log.ended).code).toBe(0)
  await stop()
})

test('it may follow a world that is yet to be made', async () => {
  const { ready, call, stop } = await startServe()
  const log = start(['log', '--follow', '--world', 'later', '--server', ready.plants_url])
  await call('/plants?limit=1')
  while (log.output.stdout === '') await call('/~later/plants?limit=2')
  expect(log.output.stdout).not.toContain('limit=1')
  log.child.kill('SIGINT')
  expect((await log.ended).code).toBe(0)
  await stop()
})

test('when the server goes away it says so and ends with 1', async () => {
  const { ready, call, stop } = await startServe()
  const log = start(['log', '--follow', '--server', ready.plants_url])
  await call('/plants?limit=1')
  await untilPrinted(log, /limit=1/)
  await stop()
  expect(await log.ended).toMatchObject({
    code: 1,
    signal: null,
    stderr: `The server at ${ready.plants_url} went away. With --wait, greenhouse log --follow waits for it.\n`,
  })
})

test('with --wait it goes on when the server is back', async () => {
  const first = await startServe()
  const { port } = new URL(first.ready.plants_url)
  const log = start(['log', '--follow', '--wait', '--server', first.ready.plants_url])
  await first.call('/plants?limit=1')
  await untilPrinted(log, /limit=1/)
  await first.stop()
  await untilPrinted(log, /^Waiting for the server at .*\.\n/, 'stderr')
  const second = start(['serve', '--port', port, '--log', 'json'])
  const { plants_url } = JSON.parse(await firstLine(second.child, second.output, second.ended))
  await fetch(`${plants_url}/plants?limit=2`)
  await untilPrinted(log, /limit=2/)
  expect(log.output.stderr).toMatch(/^Waiting for the server at .*\.\nThe server at .* is back\.\n$/)
  log.child.kill('SIGINT')
  expect((await log.ended).code).toBe(0)
  expect(urlsOf(log)).toEqual(['/plants?limit=1', '/plants?limit=2'])
  second.child.kill()
  await second.ended
})

test('without a server it fails, and with --wait it waits until Ctrl-C', async () => {
  expect(await run(['log', '--follow', '--server', nobody])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^Failed to reach a Greenhouse/),
  })
  const log = start(['log', '--follow', '--wait', '--server', nobody])
  await untilPrinted(log, /Waiting/, 'stderr')
  log.child.kill('SIGINT')
  expect(await log.ended).toMatchObject({ code: 0, stderr: `Waiting for the server at ${nobody}.\n` })
})

test('it ends with 0 when nobody reads it any more', async () => {
  const { ready, call, stop } = await startServe()
  const log = start(['log', '--follow', '--server', ready.plants_url])
  await call('/plants?limit=1')
  await untilPrinted(log, /limit=1/)
  log.child.stdout!.destroy()
  let isOver = false
  const ended = log.ended.finally(() => (isOver = true))
  while (!isOver) await call('/plants')
  expect(await ended).toMatchObject({ code: 0, signal: null, stderr: '' })
  await stop()
})
