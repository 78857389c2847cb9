import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startProcess } from '../support/process.ts'
import { installPacked, root, toUserEnvironment, type Project } from '../package/packed.ts'
import { times } from '../support/soak.ts'

const rounds = times(10, 2)

let project: Project

beforeAll(() => {
  // The example has its own package.json, so that only an installed package is found from there.
  project = installPacked({ beside: ['msw', 'vitest'] })
  cpSync(join(root, 'examples/vitest'), join(project.folder, 'example'), { recursive: true })
})

afterAll(() => project.remove())

/** Runs Vitest on a folder. */
async function runVitest(folder: string, ...args: string[]) {
  const command = join(root, 'node_modules/vitest/vitest.mjs')
  const { code, stdout, stderr } = await startProcess(
    process.execPath,
    [command, 'run', '--testTimeout', '150000', '--root', folder, ...args],
    { env: { ...toUserEnvironment(), NO_COLOR: '1' } },
  ).ended
  return { code, output: stdout + stderr }
}

test(`the example is green, also ${rounds} times in a row`, async () => {
  for (let round = 0; round < rounds; round++) {
    const { code, output } = await runVitest(join(project.folder, 'example'))
    expect(output).toMatch(/Tests +7 passed \(7\)/)
    expect(code, output).toBe(0)
  }
})

test('worlds of concurrent tests, retries and intercepted base URLs do not affect each other', async () => {
  const { code, output } = await runVitest(join(root, 'test/examples/suites'), 'worlds')
  expect(output).toMatch(/Tests +73 passed \(73\)/)
  expect(code, output).toBe(0)
})

test('the error of a failing test lists the requests of that test and no others', async () => {
  const { code, output } = await runVitest(join(root, 'test/examples/suites'), 'failing')
  expect(code).toBe(1)
  expect(output).toMatch(/Tests +1 failed \| 1 passed \(2\)/)
  const lines = output.split('\n')
  const start = lines.findIndex((line) => line.startsWith('Greenhouse world '))
  expect(lines[start]).toMatch(/^Greenhouse world fails-after-three-requests-[\w.-]+: 3 requests$/)
  expect(lines.slice(start + 1, start + 5)).toEqual([
    '  GET /plants?limit=1 200 plants.list',
    '  GET /v1/apps 401 apps.list [expired-key]',
    expect.stringMatching(/^ {6}key_pro expired at .*, by the scenario expired-key$/),
    '  GET /v1/nothing 404 (no operation) [expired-key]',
  ])
  expect(lines.filter((line) => line.startsWith('Greenhouse world '))).toHaveLength(1)
})
