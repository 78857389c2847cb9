import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { canRun } from '../browser/chromium.ts'
import { installPacked, root, type Project } from '../package/packed.ts'
import { runPlaywright } from '../testing/run.ts'

let project: Project

beforeAll(() => {
  // The example has its own package.json, so that only an installed package is found from there.
  project = installPacked({ beside: ['@playwright/test'] })
  cpSync(join(root, 'examples/playwright'), join(project.folder, 'example'), { recursive: true })
  project.write(
    'playwright.config.ts',
    `import config from './example/playwright.config.ts'
export default { ...config, testDir: 'example', timeout: 150_000, expect: { timeout: 120_000 } }`,
  )
})

afterAll(() => project.remove())

describe.skipIf(!canRun)('in Chromium', () => {
  test('the example is green', async () => {
    const { code, output, results } = await runPlaywright(project.folder)
    expect(code, output).toBe(0)
    expect(results.map(({ status }) => status)).toEqual(['passed', 'passed', 'passed', 'passed'])
  })

  test('each test has a world, only the server gets its header; a failing one attaches its journal', async () => {
    const { output, results } = await runPlaywright('test/examples/suites')
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
