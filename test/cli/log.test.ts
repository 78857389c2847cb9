import { expect, test } from 'vitest'
import { run, startServe } from '../support/cli.ts'

/** Starts a server, lets it answer some requests, and gives what `greenhouse-mock log` prints. */
async function startLogged() {
  const { ready, call, stop } = await startServe(['--now', '2026-03-01T12:00:30Z', '--scenario', 'slow:ms=1;on=apps.*'])
  for (const path of ['/plants?limit=3', '/v1/apps', '/v1/apps/none', '/plants?limt=3', '/~checkout/plants'])
    await (await call(path)).text()
  const log = async (...words: string[]) => {
    const { code, stdout, stderr } = await run(['log', ...words, '--server', ready.plants_url])
    expect([code, stderr], words.join(' ')).toEqual([0, stdout === '' ? 'No requests match.\n' : ''])
    return stdout
  }
  return { ready, log, stop }
}

test('log prints the requests of a world as serve does, the newest last', async () => {
  const { log, stop } = await startLogged()
  expect((await log()).split('\n')).toEqual([
    expect.stringMatching(/^\d\d:\d\d:\d\d GET {4}200 +\d[\d.]* ms +\d+ B \/plants\?limit=3 +plants\.list$/),
    expect.stringMatching(/GET {4}200 .*\/v1\/apps +apps\.list +scenario=slow scenario slow delayed/),
    expect.stringMatching(/GET {4}404 .*\/v1\/apps\/none +apps\.get +.*"none" is not among the apps of acct_pro/),
    expect.stringMatching(/\/plants\?limt=3 +plants\.list +violation=/),
    '',
  ])
  await stop()
})

test('log shows those that fit', async () => {
  const { log, stop } = await startLogged()
  const urls = async (...words: string[]) =>
    (await log(...words, '--json'))
      .trim()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line).request.url)
  expect(await urls('--operation', 'plants.list')).toEqual(['/plants?limit=3', '/plants?limt=3'])
  expect(await urls('--status', '4xx')).toEqual(['/v1/apps/none'])
  expect(await urls('--status', '404')).toEqual(['/v1/apps/none'])
  expect(await urls('--status', '0')).toEqual([])
  expect(await urls('--key', 'key_por')).toEqual([])
  expect(await urls('--errors')).toEqual(['/v1/apps/none'])
  expect(await urls('--violations')).toEqual(['/plants?limt=3'])
  expect(await urls('--scenario', 'slow')).toEqual(['/v1/apps', '/v1/apps/none'])
  expect(await urls('--search', 'among APPS')).toEqual(['/v1/apps/none'])
  expect(await urls('--limit', '2')).toEqual(['/v1/apps/none', '/plants?limt=3'])
  expect(await urls('--world', 'checkout')).toEqual(['/~checkout/plants'])
  // Their clocks began one after the other at the same time, so whose is first is open.
  expect((await urls('--all-worlds', '--operation', 'plants.list')).sort()).toEqual([
    '/plants?limit=3',
    '/plants?limt=3',
    '/~checkout/plants',
  ])
  expect(await urls('--all-worlds', '--limit', '1')).toHaveLength(1)
  await stop()
})

test("log --json prints the journal's entries, each on a line", async () => {
  const { ready, log, stop } = await startLogged()
  const journal = await fetch(`${ready.plants_url}/__greenhouse/worlds/default/journal`)
  const { data } = (await journal.json()) as { data: object[] }
  expect(
    (await log('--json'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(data)
  await stop()
})

test('log says what is wrong, with exit code 2', async () => {
  const { ready, stop } = await startServe()
  const failures: [words: string[], message: RegExp][] = [
    [['--operation', 'plants.lst'], /There is no operation "plants.lst"\. Did you mean "plants\.list"\?/],
    [['--all-worlds', '--operation', 'plants.lst'], /There is no operation "plants.lst"/],
    [['--scenario', 'slw'], /There is no scenario "slw".*Did you mean "slow"\?/],
    [['--status', '40x'], /--status 40x: expected a status or a class of statuses, such as --status 4xx\./],
    [['--limit', '-1'], /--limit/],
    [['--world', 'defalt'], /There is no world "defalt"/],
    [['--world', 'default', '--all-worlds'], /--world and --all-worlds exclude each other/],
    [['--wait'], /--wait works only with --follow/],
    [['--folow'], /Unknown flag: --folow\. Did you mean "--follow"\?/],
  ]
  for (const [words, message] of failures)
    expect(await run(['log', ...words, '--server', ready.plants_url]), words.join(' ')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(message),
    })
  await stop()
})

test('log shows no key, and nothing that drives a terminal', async () => {
  const { ready, call, stop } = await startServe()
  await call('/plants?api_key=sk_live_123&limit=3')
  await call('/plants/%1b%5B2J?name=%E2%80%AE')
  await call('/plants', { method: 'POST', body: JSON.stringify({ id: 5000, name: '\u001b[2J\u009b31m\u202e' }) })
  for (const words of [[], ['--json'], ['--all-worlds']]) {
    const { stdout } = await run(['log', ...words, '--server', ready.plants_url])
    expect(stdout).toMatch(/api_key=fp_[0-9a-f]{12}&limit=3/)
    // eslint-disable-next-line no-control-regex
    expect(stdout, words.join(' ')).not.toMatch(/sk_live|[\u001b\u009b\u202e]/)
  }
  await stop()
})
