import { expect, test } from 'vitest'
import { asPromised, byTitle, runSuite } from './run.ts'

test('strict tests fail for a request that names no world or no operation, and for no other', async () => {
  const { code, output, results } = await runSuite('strict')
  expect(code).toBe(1)
  expect(results.map(byTitle), output).toEqual(asPromised(results))
  expect(results).toHaveLength(13)
  const errorsOf = (title: string) => results.find((result) => result.title.includes(title))!.errors
  expect(errorsOf('no world is named')).toEqual([
    `StrayRequestError: Greenhouse: a request went astray (strict).
  GET https://plants.example.com/garden/plants?limit=2 names no world.
    Give the client the base URLs of the fixture \`api\` (api.plantsUrl, api.appsUrl), or a key of it: api.key('key_pro').`,
  ])
  expect(errorsOf('no operation has the path')[0]).toMatch(
    /GET https:\/\/api\.example\.com\/v1\/aps: no operation has this method and path\.\n +Did you mean GET \/v1\/apps \(apps\.list\)/,
  )
  for (const title of ['it may be the one', 'so may this one'])
    expect(errorsOf(title)[0]).toContain('2 tests ran at that time. Any of them may have sent it, so all of them fail.')
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
