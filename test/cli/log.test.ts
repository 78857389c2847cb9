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

test('log shows those that fit', async () => {
  const { log } = await startLogged()
  const urls = async (...words: string[]) => parseLines(await log(...words, '--json')).map(({ request }) => request.url)
  for (const [words, expected] of [
    [
      ['--operation', 'plants.list'],
      ['/plants?limit=3', '/plants?limt=3'],
    ],
    [['--status', '4xx'], ['/v1/apps/none']],
    [['--status', '404'], ['/v1/apps/none']],
    [['--status', '0'], []],
    [['--key', 'key_por'], []],
    [['--errors'], ['/v1/apps/none']],
    [['--violations'], ['/plants?limt=3']],
    [
      ['--scenario', 'slow'],
      ['/v1/apps', '/v1/apps/none'],
    ],
    [['--search', 'among APPS'], ['/v1/apps/none']],
    [
      ['--limit', '2'],
      ['/v1/apps/none', '/plants?limt=3'],
    ],
    [['--world', 'checkout'], ['/~checkout/plants']],
  ])
    expect(await urls(...words!), words!.join(' ')).toEqual(expected)
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

test('log filters past and new requests by method, path, header, query, body and key', async () => {
  const { url, call, print } = await startWithCommands()
  const send = async () => {
    await call('/plants?limit=3')
    await call('/plants', { method: 'POST', body: '{"id":9007199254740995,"name":"Fern"}' })
    await call('/v1/apps/app_1', { headers: { 'X-Name': 'a=b' } })
    await call('/v1/apps', { key: 'key_free' })
  }
  await send()
  const filters: [line: string, ids: number[]][] = [
    ['--method post', [2]],
    ['--path /v1/**', [3, 4]],
    ['--header x-name=a=b', [3]],
    ['--header X-Name=null --path /v1/**', [4]],
    ['--query limit=*', [1]],
    ['--body name=Fern --body id=9007199254740995', [2]],
    ['--key key_free', [4]],
    ['--account acct_free', [4]],
  ]
  const idsOf = (stdout: string) => parseLines(stdout).map(({ id }) => id)
  for (const [line, ids] of filters)
    expect([line, idsOf(await print('log', '--json', ...line.split(' ')))]).toEqual([line, ids])
  const following = filters.map(([line, ids]) => {
    const log = start(['log', '--follow', '--json', ...line.split(' '), '--server', url])
    return { line, ids, log, until: (count: number) => log.untilPrinted(new RegExp(`^(.*\n){${count}}`)) }
  })
  for (const { ids, until } of following) await until(ids.length)
  await send()
  for (const { line, ids, log, until } of following) {
    await until(2 * ids.length)
    log.kill('SIGINT')
    expect([line, idsOf((await log.ended).stdout)]).toEqual([line, [...ids, ...ids.map((id) => id + 4)]])
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
