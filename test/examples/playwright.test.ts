import { describe, expect, test } from 'vitest'
import { canRun } from '../browser/chromium.ts'
import { runPlaywright } from '../testing/run.ts'

describe.skipIf(!canRun)('in Chromium', () => {
  test('each test has its world, which only the server is told of; the one that fails attaches its journal', async () => {
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
