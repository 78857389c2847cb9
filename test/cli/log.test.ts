import { expect, test } from 'vitest'
import { start } from '../support/cli.ts'
import { parseLines, startWithCommands } from './server.ts'

async function startLogged() {
  const server = await startWithCommands('--now', '2026-03-01T12:00:30Z', '--scenario', 'slow:ms=1;on=apps.*')
  for (const path of ['/plants?limit=3', '/v1/apps', '/v1/apps/none', '/plants?limt=3', '/~checkout/plants'])
    await (await server.call(path)).text()
  const log = async (...words: string[]) => {
    const { code, stdout, stderr } = await server.command('log', ...words)
    expect([code, stderr], words.join(' ')).toEqual([0, stdout === '' ? 'No requests match.\n' : ''])
    return stdout
  }
  return { ...server, log }
}

test('log prints the requests of a world as serve does, the newest last', async () => {
  const { log } = await startLogged()
  expect((await log()).split('\n')).toEqual([
    expect.stringMatching(/^\d\d:\d\d:\d\d GET {4}200 +\d[\d.]* ms +\d+ B \/plants\?limit=3 +plants\.list$/),
    expect.stringMatching(/GET {4}200 .*\/v1\/apps +apps\.list +scenario=slow scenario slow delayed/),
    expect.stringMatching(/GET {4}404 .*\/v1\/apps\/none +apps\.get +.*"none" is not among the apps of acct_pro/),
    expect.stringMatching(/\/plants\?limt=3 +plants\.list +violation=/),
    '',
  ])
})

test('log shows those of one world or of all, and no more than --limit', async () => {
  const { log } = await startLogged()
  const urls = async (...words: string[]) => parseLines(await log(...words, '--json')).map(({ request }) => request.url)
  expect(await urls('--limit', '2')).toEqual(['/v1/apps/none', '/plants?limt=3'])
  expect(await urls('--world', 'checkout')).toEqual(['/~checkout/plants'])
  for (const nothing of [
    ['--status', '0'],
    ['--key', 'key_por'],
  ])
    expect(await urls(...nothing)).toEqual([])
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

const filters: [words: string[], ids: number[]][] = [
  [['--method', 'post'], [2]],
  [
    ['--path', '/v1/**'],
    [3, 4],
  ],
  [['--header', 'x-name=a=b'], [3]],
  [['--header', 'X-Name=null', '--path', '/v1/**'], [4]],
  [['--query', 'limit=*'], [1]],
  [['--body', 'name=Fern', '--body', 'id=9007199254740995'], [2]],
  [['--key', 'key_free'], [4]],
  [['--account', 'acct_free'], [4]],
  [
    ['--operation', 'plants.list'],
    [1, 5],
  ],
  [
    ['--status', '4xx'],
    [2, 3],
  ],
  [['--status', '404'], [3]],
  [
    ['--status', '200'],
    [1, 4, 5],
  ],
  [['--errors'], [2, 3]],
  [['--violations'], [2, 5]],
  [
    ['--scenario', 'slow'],
    [3, 4],
  ],
  [
    ['--scenario', '*'],
    [3, 4],
  ],
  [['--search', 'among APPS'], [3]],
  [['--search', 'get 404'], [3]],
]

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
  for (const [words, ids] of filters)
    expect([words, idsOf(await print('log', '--json', ...words))]).toEqual([words, ids])
  const following = filters.map(([words, ids]) => {
    const log = start(['log', '--follow', '--json', ...words, '--server', url])
    return { words, ids, log, until: (count: number) => log.untilPrinted(new RegExp(`^(.*\n){${count}}`)) }
  })
  // Earlier requests are printed when the stream is open; repeated ones come by the stream.
  for (const { ids, until } of following) await until(ids.length)
  await send()
  for (const { words, ids, log, until } of following) {
    await until(2 * ids.length)
    log.kill('SIGINT')
    expect([words, idsOf((await log.ended).stdout)]).toEqual([words, [...ids, ...ids.map((id) => id + 5)]])
  }
})

test('log says on stderr that there were more requests than the journal has', async () => {
  const { call, command } = await startWithCommands()
  for (let sent = 0; sent < 1_003; sent++) await (await call('/plants?limit=1')).text()
  const all = await command('log', '--limit', '5000')
  expect([all.code, all.stdout.trim().split('\n').length]).toEqual([0, 1_000])
  expect(all.stderr).toBe(
    'The journal of the world "default" dropped 3 older requests to make room, so fewer than --limit 5000 are shown.\n',
  )
  expect((await command('log', '--limit', '1000')).stderr).toBe('')
  expect((await command('log', '--limit', '5000', '--all-worlds')).stderr).toBe(all.stderr)
})

test('log shows no key, and nothing that drives a terminal', async () => {
  const { call, create, print } = await startWithCommands()
  await call('/plants?api_key=sk_live_123&limit=3')
  await call('/plants/%1b%5B2J?name=%E2%80%AE')
  await create('/plants', { id: 5000, name: '\u001b[2J\u009b31m\u202e' })
  for (const words of [[], ['--json'], ['--all-worlds']]) {
    const stdout = await print('log', ...words)
    expect(stdout).toMatch(/api_key=fp_[0-9a-f]{12}&limit=3/)
    // eslint-disable-next-line no-control-regex
    expect(stdout, words.join(' ')).not.toMatch(/sk_live|[\u001b\u009b\u202e]/)
  }
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
  expect(logged.map((violations) => violations?.length ?? 0)).toEqual(requests.map(([, count]) => count))
})
