import { expect, test } from 'vitest'
import { run, startServe } from '../support/cli.ts'

const narrow = { isTTY: true, columns: 80, env: { ...process.env, FORCE_COLOR: '0' } }

const widest = (text: string) => Math.max(...text.split('\n').map((line) => line.length))

test.each([['scenario', 'list'], ['scenario', 'show', 'malformed-plant'], ['assumptions']])(
  '%s %s %s fits into a terminal of 80 columns, and nothing is left out',
  async (...args) => {
    const wide = await run(args.filter(Boolean))
    const { code, stdout } = await run(args.filter(Boolean), narrow)
    expect(code).toBe(0)
    expect(widest(wide.stdout)).toBeGreaterThan(80)
    expect(widest(stdout)).toBeLessThanOrEqual(80)
    expect(stdout.split(/\s+/).sort()).toEqual(wide.stdout.split(/\s+/).sort())
  },
)

test('log puts what has no room into the next line', async () => {
  const { ready, call, stop } = await startServe([])
  await call('/plants', { key: 'key_pro' })
  await call('/plants', { method: 'POST', key: 'key_pro', body: '{"id":"x","name":5}' })
  const { stdout } = await run(['log', '--server', ready.plants_url], narrow)
  const [sound, wrong, ...below] = stdout.trimEnd().split('\n')
  expect(sound).toMatch(/ \/plants +plants\.list$/)
  expect(wrong).toMatch(/ \/plants +plants\.create$/)
  expect(below).toEqual([
    '         violation=invalid-body name must be a string. id must be an integer of',
    '         64 bits.',
  ])
  const piped = (await run(['log', '--server', ready.plants_url])).stdout
  expect(piped.trimEnd().split('\n')).toHaveLength(2)
  await stop()
})

test('clock due --limit lists the next few', async () => {
  const { ready, stop } = await startServe([])
  const due = (...args: string[]) => run(['clock', 'due', ...args, '--server', ready.plants_url])
  expect((await due()).stdout.trimEnd().split('\n').length).toBeGreaterThan(3)
  expect((await due('--limit', '2')).stdout.trimEnd().split('\n')).toHaveLength(3)
  expect(await due('--limit', 'x')).toMatchObject({ code: 2, stderr: expect.stringContaining('--limit x: expected') })
  await stop()
})
