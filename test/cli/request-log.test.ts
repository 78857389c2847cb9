import { once } from 'node:events'
import { expect, test } from 'vitest'
import { run, start } from '../support/cli.ts'
import { startQuietServe, startServeProcess } from '../support/process.ts'

/** Runs `greenhouse-mock serve`, requests these paths with key_pro, stops it and returns the lines after the start. */
async function logOf(args: string[], ...paths: string[]): Promise<string[]> {
  const { output, kill, ended, untilPrinted } = start(['serve', '--port', '0', ...args])
  const [, url] = await untilPrinted(/(http:\/\/[^/"\s]+)[^]*(\/apps|\})\n/)
  const began = output.stdout.length
  for (const path of paths) await fetch(url + path, { headers: { authorization: 'Bearer key_pro' } })
  kill('SIGTERM')
  return (await ended).stdout.slice(began).split('\n').slice(0, -1)
}

test('--log pretty prints a line for every request', async () => {
  const lines = await logOf(
    ['--now', '2026-03-01T12:00:30Z', '--scenario', 'malformed-plant'],
    '/plants?limit=3',
    '/v1/apps/none',
    '/~checkout/v1/apps',
  )
  expect(lines).toEqual([
    expect.stringMatching(
      /^\d\d:\d\d:\d\d GET {4}200 +\d[\d.]* ms +\d+ B \/plants\?limit=3 +plants\.list +scenario=malformed-plant scenario malformed-plant made \/0\/name wrong/,
    ),
    expect.stringMatching(
      /^\d\d:\d\d:\d\d GET {4}404 +\d[\d.]* ms +\d+ B \/v1\/apps\/none +apps\.get +"none" is not among the apps of acct_pro$/,
    ),
    expect.stringMatching(/^\d\d:\d\d:\d\d GET {4}200 +\d[\d.]* ms +[\d.]+ kB \/~checkout\/v1\/apps +apps\.list$/),
  ])
})

test('a path that does not exist is printed with the ones that are close', async () => {
  const [line] = await logOf([], '/plant')
  expect(line).toMatch(/404 .*There is no path \/plant\. Did you mean GET, POST \/plants/)
})

test('--log json prints an object for every request, without bodies', async () => {
  const [listed, missed] = (await logOf(['--log', 'json'], '/plants?limit=3', '/plant')).map((line) => JSON.parse(line))
  expect(listed).toEqual({
    event: 'request',
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    id: 1,
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    operation: 'plants.list',
    world: 'default',
    request: { method: 'GET', url: '/plants?limit=3' },
    response: { status: 200 },
    bytes: expect.any(Number),
    scenarios: [],
    assumptions: expect.any(Array),
    ms: expect.any(Number),
  })
  expect(missed).toMatchObject({ response: { status: 404 } })
  expect(missed.near_misses[0]).toMatchObject({ operation: 'plants.list', method: 'GET', path: '/plants' })
})

test('no key is ever in the log', async () => {
  for (const log of ['pretty', 'json']) {
    const lines = await logOf(
      ['--log', log],
      '/plants?api_key=sk_live_123&limit=3',
      '/v1/apps?limit=1&token=sk_live_123',
    )
    expect(lines).toHaveLength(2)
    expect(lines.join('')).not.toMatch(/sk_live|key_pro/)
    expect(lines.join('')).toMatch(/api_key=fp_[0-9a-f]{12}&limit=3/)
  }
})

test('with --log silent requests print nothing', async () => {
  const { child, ended, url } = await startQuietServe(['--log', 'silent'])
  expect((await fetch(`${url}/plants`)).status).toBe(401)
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ stdout: '', stderr: '' })
})

test('run prints requests only when asked, apart from the output of the command', async () => {
  const { stdout, stderr } = await run([
    'run',
    '--log',
    'json',
    '--',
    process.execPath,
    '-e',
    `fetch(process.env.PLANTS_BASE_URL + '/plants').then(({ status }) => console.log(status))`,
  ])
  expect(stdout).toBe('401\n')
  expect(JSON.parse(stderr)).toMatchObject({ event: 'request', response: { status: 401 } })
})

test('a reader that does not read holds nothing up, and does not keep the server', async () => {
  const { child, call, ready, ended } = await startServeProcess()
  child.stdout!.pause()
  for (let round = 0; round < 40; round++)
    await Promise.all(Array.from({ length: 50 }, () => fetch(`${ready.plants_url}/plants?tag=${'x'.repeat(2_000)}`)))
  expect((await call('/plants')).status).toBe(200)
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  expect((await exited)[0]).toBe(0)
  child.stdout!.resume()
  await ended
})
