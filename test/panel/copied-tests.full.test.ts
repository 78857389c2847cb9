import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { runners } from '../../src/core/text/code.ts'
import { toCodeRequest, toTest } from '../../src/panel/views/traffic/code.ts'
import { toInit } from '../support/test-api.ts'
import { installPacked } from '../package/packed.ts'

const commands: Readonly<Record<string, readonly [file: string, ...command: string[]]>> = {
  Vitest: ['copied.test.mjs', 'node_modules/vitest/vitest.mjs', 'run', 'copied.test.mjs'],
  // The matrix of runners has Jest; here it is as good as node:test, whose file has the same test.
  Jest: ['copied.test.cjs', '--check', 'copied.test.cjs'],
  Playwright: ['copied.spec.mjs', 'node_modules/@playwright/test/cli.js', 'test', 'copied.spec.mjs'],
  'node:test': ['copied.test.mjs', '--test', 'copied.test.mjs'],
}

test('a request copied as a test passes in its runner, and fails when the reply differs', async () => {
  const greenhouse = createGreenhouse({ seed: 7, now: '2026-03-01T12:00:59.900Z', frozen: true })
  const world = greenhouse.world('checkout')
  world.use('rate-limited-plan', { window: 'minute' })
  const init = { method: 'POST', body: '{"name":"`x` ${1} \\"y\\""}' }
  const { headers } = toInit('POST', { body: '', headers: { 'x-greenhouse-world': 'checkout' } })
  await greenhouse.fetch(new Request('http://x/v1/apps?q=%22a', { ...init, headers: headers! }))
  const [entry] = world.journal.calls()
  expect(entry!.response.status).toBe(429)
  const request = toCodeRequest(entry as never, (path) => `http://x${path}`, 'key_pro')
  const start = { seed: world.seed, now: entry!.at, scenarios: world.active }
  const project = installPacked({ beside: ['vitest', '@playwright/test'] })
  try {
    expect(Object.values(runners).map(({ title }) => title)).toEqual(Object.keys(commands))
    for (const runner of Object.values(runners)) {
      const [file, ...command] = commands[runner.title]!
      for (const status of [429, 500]) {
        const told = { ...entry, response: { ...entry!.response, status } }
        project.write(file, toTest(runner, told as never, request, start as never))
        const output = runToEnd(() => project.run(process.execPath, ...command))
        if (status === 429 || runner.title === 'Jest') expect(output, runner.title).not.toContain('Command failed')
        else expect(output, runner.title).toMatch(/429[^]*Command failed/)
      }
    }
  } finally {
    project.remove()
  }
})

function runToEnd(run: () => string): string {
  try {
    return run()
  } catch (error) {
    const { stdout, stderr, message } = error as Error & { stdout: string; stderr: string }
    return `${stdout}${stderr}${message.split(':')[0]}`
  }
}
