import { expect, test } from 'vitest'
import { run, start, startServe } from '../support/cli.ts'

test('log filters past and new requests by method, path, header, query, body and key', async () => {
  const { ready, call, stop } = await startServe()
  const send = async () => {
    await call('/plants?limit=3')
    await call('/plants', { method: 'POST', body: '{"id":9007199254740995,"name":"Fern"}' })
    await call('/v1/apps/app_1', { headers: { 'X-Name': 'a=b' } })
    await call('/v1/apps', { key: 'key_free' })
  }
  await send()
  const expected: [words: string[], places: number[]][] = [
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
  ]
  const places = (stdout: string) =>
    stdout
      .trim()
      .split('\n')
      .map((line) => (line === '' ? 0 : JSON.parse(line).id))
  for (const [words, ids] of expected) {
    const { stdout, stderr } = await run(['log', '--json', ...words, '--server', ready.plants_url])
    expect([words, places(stdout), stderr]).toEqual([words, ids, ''])
  }
  const following = expected.map(([words]) =>
    start(['log', '--follow', '--json', ...words, '--server', ready.plants_url]),
  )
  const until = async (count: (place: number) => number) => {
    for (const [place, { untilPrinted }] of following.entries())
      await untilPrinted(new RegExp(`^(.*\n){${count(place)}}`))
  }
  await until((place) => expected[place]![1].length)
  await send()
  await until((place) => 2 * expected[place]![1].length)
  for (const [place, { kill, ended }] of following.entries()) {
    kill('SIGINT')
    const [words, ids] = expected[place]!
    expect([words, places((await ended).stdout)]).toEqual([words, [...ids, ...ids.map((id) => id + 4)]])
  }
  await stop()
})

test('a mistake in a filter is reported with exit code 2', async () => {
  const { ready, stop } = await startServe()
  for (const [words, message] of [
    [['--path', 'plants'], /Did you mean "\/plants"\?/],
    [['--method', 'GTE'], /there is no method "GTE"\. Did you mean "GET"\?/],
    [['--body', 'name'], /--body name: expected FIELD=VALUE, such as --body name=Fern\./],
    [['--follow', '--path', 'plants'], /Did you mean "\/plants"\?/],
  ] as const)
    expect(await run(['log', ...words, '--server', ready.plants_url])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(message),
    })
  await stop()
})
