import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { canRun } from '../browser/chromium.ts'
import { startProcess } from '../support/cli.ts'
import { installPacked, root, toUserEnvironment, type Project } from '../package/packed.ts'
import { writeFolder } from '../support/folder.ts'

/** What Playwright's JSON reporter tells, as far as it is looked at. */
interface Report {
  suites: {
    specs: {
      title: string
      ok: boolean
      tests: { results: { status: string; attachments: { name: string; body?: string }[] }[] }[]
    }[]
  }[]
}

let project: Project

beforeAll(() => {
  // The example has a package.json of its own, so that only an installed package is found from there.
  project = installPacked({ beside: ['@playwright/test', 'playwright', 'playwright-core'] })
  cpSync(join(root, 'examples/playwright'), join(project.folder, 'example'), { recursive: true })
  project.write(
    'example/patient.config.ts',
    `import config from './playwright.config.ts'\nexport default { ...config, timeout: 150_000, expect: { timeout: 120_000 } }\n`,
  )
})

afterAll(() => project.remove())

/** Runs Playwright on a folder, and reads its report. */
async function runPlaywright(
  folder: string,
  config = 'playwright.config.ts',
): Promise<{
  code: number | null
  output: string
  results: { title: string; status: string; attachments: { name: string; body?: string }[] }[]
}> {
  const modules = folder.startsWith(project.folder) ? project.folder : root
  const command = join(modules, 'node_modules/@playwright/test/cli.js')
  const args = ['test', '--config', join(folder, config), '--reporter', 'json', '--output', writeFolder({})]
  const { code, stdout, stderr } = await startProcess(process.execPath, [command, ...args], {
    cwd: folder,
    env: { ...toUserEnvironment(), NO_COLOR: '1' },
  }).ended
  const { suites } = JSON.parse(stdout) as Report
  const results = suites.flatMap(({ specs }) =>
    specs.map(({ title, tests }) => ({ title, ...tests[0]!.results.at(-1)! })),
  )
  return { code, output: stdout + stderr, results }
}

describe.skipIf(!canRun)('in Chromium', () => {
  test('the example is green', async () => {
    const { code, output, results } = await runPlaywright(join(project.folder, 'example'), 'patient.config.ts')
    expect(code, output).toBe(0)
    expect(results.map(({ status }) => status)).toEqual(['passed', 'passed', 'passed', 'passed'])
  })

  test('each test has its world, which only the server is told of; the one that fails attaches its journal', async () => {
    const { output, results } = await runPlaywright(join(root, 'test/examples/suites'))
    expect(Object.fromEntries(results.map(({ title, status }) => [title, status])), output).toEqual({
      'only the server gets the header: one': 'passed',
      'only the server gets the header: another': 'passed',
      'what is no page has the bound URLs and keys': 'passed',
      fails: 'failed',
    })
    const attached = results.map(
      ({ title, attachments }) =>
        [title, attachments.filter(({ name }) => name === 'greenhouse-journal.json')] as const,
    )
    expect(attached.filter(([, journals]) => journals.length > 0).map(([title]) => title)).toEqual(['fails'])
    const [, [journal]] = attached.find(([title]) => title === 'fails')!
    expect(JSON.parse(Buffer.from(journal!.body!, 'base64').toString())).toEqual([
      expect.objectContaining({
        operation: 'apps.list',
        world: expect.stringMatching(/^fails-/),
        response: expect.objectContaining({ status: 200 }),
      }),
    ])
  })
})
