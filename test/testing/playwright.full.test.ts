import { describe, expect, test } from 'vitest'
import { canRun } from '../browser/chromium.ts'
import { asPromised, byTitle, runPlaywright, type Run } from './run.ts'

const messagesOf = ({ results }: Run) =>
  Object.fromEntries(
    results
      .filter(({ errors }) => errors.length > 0)
      .map(({ title, errors }) => [title, errors[0]]),
  )

const unknown = expect.stringContaining(
  'GET https://plants.example.com/plnts: no operation has this method and path.',
)

describe.skipIf(!canRun)('in Chromium', () => {
  test("fixed base URLs are answered in the test's world, for every client", async () => {
    const { code, output, results } = await runPlaywright(
      'test/testing/pages',
      '/bases.page',
      '/served.page',
    )
    expect(code, output).toBe(0)
    expect(results).toHaveLength(15)
  })

  test('strict tests fail for requests that went astray, and have the journal attached', async () => {
    const run = await runPlaywright('test/testing/pages', '/strict')
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
    const { code, output, results } = await runPlaywright('test/testing/pages', '/documented-')
    expect(code, output).toBe(0)
    expect(results).toHaveLength(5)
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
