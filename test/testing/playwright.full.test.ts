import { describe, expect, test } from 'vitest'
import { canRun } from '../browser/chromium.ts'
import {
  asPromised,
  byTitle,
  type PageOutcome,
  type PageRun,
  type Run,
  runPlaywright,
} from './run.ts'

const messagesOf = ({ results }: Run) =>
  Object.fromEntries(
    results
      .filter(({ errors }) => errors.length > 0)
      .map(({ title, errors }) => [title, errors[0]]),
  )

const unknown = expect.stringContaining(
  'GET https://plants.example.com/plnts: no operation has this method and path.',
)

let ran: Promise<PageRun> | undefined

/**
 * Runs the tests of all pages, once: starting Playwright and a browser takes seconds. @param begin
 * how the names of the files begin whose results are returned
 */
async function resultsOf(...begin: string[]): Promise<Run<PageOutcome>> {
  const { results, errors, ...run } = await (ran ??= runPlaywright('test/testing/pages'))
  expect(errors, run.output).toEqual([])
  return {
    ...run,
    results: results.filter(({ file }) => begin.some((name) => file.startsWith(name))),
  }
}

const passed = (count: number) => Array(count).fill('passed')

describe.skipIf(!canRun)('in Chromium', () => {
  test("fixed base URLs are answered in the test's world, for every client", async () => {
    const { output, results } = await resultsOf('bases.page', 'served.page')
    expect(
      results.map(({ status }) => status),
      output,
    ).toEqual(passed(15))
  })

  test('strict tests fail for requests that went astray, and have the journal attached', async () => {
    const run = await resultsOf('strict')
    expect(run.results.map(byTitle), run.output).toEqual(asPromised(run.results))
    expect(run.results).toHaveLength(9)
    expect(messagesOf(run)).toEqual({
      'fails: a client created in the test names no world': expect.stringMatching(
        /GET http:\/\/127\.0\.0\.1:\d+\/v1\/apps names no world\./,
      ),
      'fails: a page asks for what no operation knows': expect.stringMatching(
        /\/v1\/aps: .*\n +Did you mean GET \/v1\/apps/,
      ),
      'fails: a request of the test before comes late': expect.stringMatching(
        /came after the end of the test that had the world passes-its-client-go/,
      ),
      'fails: what no operation knows does not leave for the network': unknown,
      'fails: nor does what no page sends': unknown,
    })
    const attached = run.results.filter(({ attachments }) =>
      attachments.some(({ name }) => name === 'greenhouse-journal.json'),
    )
    expect(attached.map(({ title }) => title)).toContain(
      'fails: a page asks for what no operation knows',
    )
  })

  test('the tests of the documentation pass', async () => {
    const { output, results } = await resultsOf('documented-')
    expect(
      results.map(({ status }) => status),
      output,
    ).toEqual(passed(5))
  })
})

test('misspelt options are rejected, in the configuration file too', async () => {
  const run = await runPlaywright('test/testing/misspelt')
  expect(messagesOf(run)).toEqual({
    option: expect.stringMatching(
      /greenhouseOptions\.sed: there is no such option; .*Did you mean "seed"\?/,
    ),
    base: expect.stringMatching(
      /greenhouseBases\.plant: there is no such option; .*Did you mean "plants"\?/,
    ),
    relative: expect.stringMatching(/greenhouseBases\.plants: expected an absolute URL/),
    check: expect.stringMatching(
      /greenhouseOptions\.strict\.worlds: there is no such option; .*Did you mean "world"\?/,
    ),
    fixture: expect.stringMatching(
      /greenhouseBase: there is no such option; .*Did you mean "greenhouseBases"\?/,
    ),
  })
})
