import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { replayCase } from 'greenhouse-mock'
import { loadCase } from 'greenhouse-mock/node'
import { expect, test } from 'vitest'
import { root } from '../package/packed.ts'
import { writeFolder } from '../support/folder.ts'
import { runSuite, asPromised, byTitle } from './run.ts'

test.each([
  [
    "a team's setupServer answers for both, keeps ours past resetHandlers, and rejects the rest",
    'joined',
    17,
  ],
  [
    "under 'error' a team's setupServer lets the tests' server and deliveries pass silently",
    'joined-served',
    6,
  ],
  ['a setupServer that does not listen does so while the tests run', 'unlistened', 2],
])('%s', async (_, name, count) => {
  const { code, output, results } = await runSuite(name)
  expect(code, output).toBe(0)
  expect(results).toHaveLength(count)
  if (name === 'joined-served') expect(output).not.toMatch(/\[MSW\]|stderr|warn/i)
})

test('a second setupServer, one not named, and two at one URL are rejected with what to do', async () => {
  const { results } = await runSuite('refused')
  const advice = /: .*Give it to createTest\({ server }\), or createWithWorld/.source
  const toFind = [
    [
      'a server that is not named refuses ours',
      `^Error: Failed to reach the tests' server${advice}`,
    ],
    [
      'a second server is refused, which would put the first out of work',
      `^Error: Failed to answer at the base URLs${advice}`,
    ],
    ['the first works'],
    [
      'the second is refused',
      '^Error: Failed to answer at https://api.example.com/v1: another createTest\\(\\)',
    ],
  ]
  expect(
    results.map(({ title, errors }) => [title, ...errors.map((error) => error.split('\n')[0])]),
  ).toEqual(
    toFind.map(([title, ...errors]) => [
      title,
      ...errors.map((error) => expect.stringMatching(new RegExp(error))),
    ]),
  )
})

test('strict tests fail for a request that names no world or no operation, and for no other', async () => {
  const { code, output, results } = await runSuite('strict')
  expect(code).toBe(1)
  expect(results.map(byTitle), output).toEqual(asPromised(results))
  expect(results).toHaveLength(13)
  const errorsOf = (title: string) => results.find((result) => result.title.includes(title))!.errors
  expect(
    errorsOf('no world is named').map((text) => text.replace(/\n {2}Does the client .*/, '')),
  ).toEqual([
    `StrayRequestError: Greenhouse: a request went astray.
  GET https://plants.example.com/garden/plants?limit=2 names no world.
    It got 400: without a world, all tests would share one. Give the client the base URLs of the fixture \`api\` (api.plantsUrl, api.appsUrl), or a key of this test's world: api.key('key_pro').

Greenhouse world ${/fails-no-world-is-named-\S+/.exec(errorsOf('no world is named')[0]!)?.[0]} 0 requests`,
  ])
  expect(errorsOf('no operation has the path')[0]).toMatch(
    /GET https:\/\/api\.example\.com\/v1\/aps: no operation has this method and path\.\n +Did you mean GET \/v1\/apps \(apps\.list\)/,
  )
  for (const title of ['it may be the one', 'so may this one'])
    expect(errorsOf(title)[0]).toContain(
      '2 tests ran at that time. Any of them may have sent it, so all of them fail.',
    )
})

test('a request without a world that comes while no test runs makes the file fail', async () => {
  const { code, results, fileErrors, output } = await runSuite('astray')
  expect(code).toBe(1)
  expect(results.map(({ status }) => status)).toEqual(['passed'])
  expect(fileErrors.join() + output).toMatch(
    /GET http:\/\/127\.0\.0\.1:\d+\/v1\/apps names no world\.\n.*\n +It arrived while no test was running\./,
  )
})

test("below the base URLs a team's own handlers answer what no operation knows", async () => {
  const { results, output } = await runSuite('strict-team')
  expect(results.map(byTitle), output).toEqual(asPromised(results))
  expect(results).toHaveLength(2)
})

test('the report of a failing test is with that test in JUnit, even when others run in parallel', async () => {
  const file = join(writeFolder({}), 'junit.xml')
  const { results, output } = await runSuite(
    'explained',
    '--reporter',
    'junit',
    '--outputFile.junit',
    file,
  )
  const statuses = results.map(({ status }) => status)
  expect(statuses, output).toEqual(['failed', 'passed', 'failed'])
  const [failed, passed, astray] = readFileSync(file, 'utf8').split('<testcase ').slice(1)
  expect(failed).toMatch(
    /GET \/plant 404 \(no operation\)\s+There is no path \/plant\. Did you mean GET, POST \/plants/,
  )
  const saved = /case show (\S+\.case\.yaml)/.exec(failed!)?.[1]
  const { greenhouse, requests, differences } = await replayCase(loadCase(resolve(root, saved!)))
  greenhouse.close()
  expect([requests > 0, differences]).toEqual([true, []])
  expect(passed).not.toContain('Greenhouse')
  expect(astray).toMatch(/GET http:\/\/127\.0\.0\.1:\d+\/plants names no world/)
  expect(output).not.toContain('stderr |')
})
