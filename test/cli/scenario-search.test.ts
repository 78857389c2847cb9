import { expect, test } from 'vitest'
import { run } from '../support/cli.ts'

test('scenario list --search lists what it finds, the nearest first', async () => {
  const { code, stdout } = await run(['scenario', 'list', '--search', '429 day'])
  expect(code).toBe(0)
  expect(stdout.split('\n')[1]).toMatch(/^rate-limited-day /)
})

test('scenario list --search says plainly that nothing was found, and what was probably meant', async () => {
  const { code, stdout } = await run(['scenario', 'list', '--search', 'retyr'])
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(
      /^No scenario has "retyr"\. Did you mean "retry"\? "greenhouse-mock scenario list" shows all \d+\.\n$/,
    ),
  ])
})

test('scenario show suggests a scenario of whose name a part was given', async () => {
  const { code, stderr } = await run(['scenario', 'show', 'expired'])
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining(
      'Failed to show the scenario "expired": there is no such scenario. Did you mean "expired-key"?',
    ),
  ])
})

test('scenario show prints what an option takes and what the scenario acts on', async () => {
  const { stdout } = await run(['scenario', 'show', 'slow'])
  expect(stdout).toContain('Acts on: plants, apps\n')
  expect(stdout).toMatch(/ms +How long: a whole number of milliseconds, 0 or more; 1000 by default\n/)
  expect((await run(['scenario', 'show', 'plan-upgrade'])).stdout).toContain('Acts on: apps\n')
  expect((await run(['scenario', 'show', 'webhook-lost'])).stdout).toContain('Acts on: webhooks\n')
})
