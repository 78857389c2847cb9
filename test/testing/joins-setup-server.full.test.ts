import { expect, test } from 'vitest'
import { runSuite } from './run.ts'

test("a team's setupServer answers for both, keeps ours past resetHandlers, and refuses the rest", async () => {
  const { code, output, results } = await runSuite('joined')
  expect(code, output).toBe(0)
  expect(results).toHaveLength(17)
})

test("under 'error' a team's setupServer lets the tests' server and its deliveries pass silently", async () => {
  const { code, output, results } = await runSuite('joined-served')
  expect(code, output).toBe(0)
  expect(results).toHaveLength(6)
  expect(output).not.toMatch(/\[MSW\]|stderr|warn/i)
})

test('a setupServer that does not listen does so while the tests run', async () => {
  const { code, output, results } = await runSuite('unlistened')
  expect(code, output).toBe(0)
  expect(results).toHaveLength(2)
})

test('a second setupServer, one not named, and two at one URL are refused with what to do', async () => {
  const { results } = await runSuite('refused')
  expect(results.map(({ title, errors }) => [title, errors.map((error) => error.split('\n')[0])])).toEqual([
    [
      'a server that is not named refuses ours',
      [
        expect.stringMatching(
          /^Error: Failed to reach the tests' server: .*Give it to createTest\({ server }\), or createWithWorld/,
        ),
      ],
    ],
    [
      'a second server is refused, which would put the first out of work',
      [
        expect.stringMatching(
          /^Error: Failed to answer at the base URLs: .*Give it to createTest\({ server }\), or createWithWorld/,
        ),
      ],
    ],
    ['the first works', []],
    [
      'the second is refused',
      [expect.stringMatching(/^Error: Failed to answer at https:\/\/api.example.com\/v1: another createTest\(\)/)],
    ],
  ])
})
