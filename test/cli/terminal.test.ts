import { expect, test } from 'vitest'
import { run, startServe } from '../support/cli.ts'

const widest = (text: string) => Math.max(...text.split('\n').map((line) => line.length))

test('help is as wide as the terminal, and no wider than 80 columns', async () => {
  const narrow = await run(['flip', '--help'], { isTTY: true, columns: 60 })
  expect(narrow.code).toBe(0)
  expect(widest(narrow.stdout)).toBeLessThanOrEqual(60)
  const wide = await run(['flip', '--help'], { isTTY: true, columns: 200 })
  expect(widest(wide.stdout)).toBeLessThanOrEqual(80)
  expect(wide.stdout).toBe((await run(['flip', '--help'])).stdout)
})

test('a table has the columns that a terminal has room for, and all of them elsewhere', async () => {
  const { ready } = await startServe()
  const words = ['records', 'apps', '--limit', '2', '--server', ready.plants_url]
  const { stdout } = await run(words, { isTTY: true, columns: 40 })
  const [, rest] = stdout.split('\n\n')
  expect(widest(stdout.split('\n\n')[0]!)).toBeLessThanOrEqual(40)
  expect(rest).toMatch(/Fields not shown: .*\. --json shows them\.\n/)
  expect((await run(words, { columns: 40 })).stdout).not.toContain('Fields not shown')
})

test('log has colours in a terminal, and none where NO_COLOR stands', async () => {
  const { ready, call } = await startServe()
  await call('/plants')
  const { NO_COLOR: _, FORCE_COLOR: __, ...others } = process.env
  const env = { ...others, TERM: 'xterm' }
  const words = ['log', '--server', ready.plants_url]
  expect((await run(words, { env, isTTY: true })).stdout).toContain('\x1b[32m200\x1b[39m')
  expect((await run(words, { env: { ...env, NO_COLOR: '1' }, isTTY: true })).stdout).not.toContain('\x1b')
  expect((await run(words, { env })).stdout).not.toContain('\x1b')
})

test('a command leaves console output as it was', async () => {
  const { error, warn } = console
  const servers = await Promise.all([startServe(), startServe()])
  expect(console.error).not.toBe(error)
  for (const { stop } of servers) await stop()
  expect([console.error, console.warn]).toEqual([error, warn])
})
