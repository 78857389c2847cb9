import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startProcess } from '../support/process.ts'
import { packedProject, root, toUserEnvironment } from '../package/packed.ts'
import { times } from '../support/soak.ts'
import { canRun } from '../browser/chromium.ts'
import { runPlaywright } from '../testing/run.ts'
import { liveOverHttp, liveThroughMsw } from '../../examples/a-clients-day.ts'

const rounds = times(10, 2)

// The example has its own package.json, so that only an installed package is found from there.
const project = packedProject('msw', 'vitest')
cpSync(join(root, 'examples/vitest'), join(project.folder, 'example'), { recursive: true })

async function runVitest(folder: string, ...args: string[]) {
  const command = join(root, 'node_modules/vitest/vitest.mjs')
  const { code, stdout, stderr } = await startProcess(
    process.execPath,
    [command, 'run', '--testTimeout', '150000', '--root', folder, ...args],
    { env: { ...toUserEnvironment(), NO_COLOR: '1' } },
  ).ended
  return { code, output: stdout + stderr }
}

test(`the Vitest example is green, also ${rounds} times in a row`, async () => {
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

const testInChromium = test.skipIf(!canRun)

// The example has its own package.json, so that only an installed package is found from there.
const browserProject = packedProject('@playwright/test')
cpSync(join(root, 'examples/playwright'), join(browserProject.folder, 'example'), {
  recursive: true,
})
browserProject.write(
  'playwright.config.ts',
  `import config from './example/playwright.config.ts'
export default { ...config, testDir: 'example', timeout: 150_000, expect: { timeout: 120_000 } }`,
)

testInChromium('the Playwright example is green', async () => {
  const { code, output, results } = await runPlaywright(browserProject.folder)
  expect(code, output).toBe(0)
  expect(results.map(({ status }) => status)).toEqual(['passed', 'passed', 'passed', 'passed'])
})

testInChromium(
  'each test has a world, only the server gets its header; a failing one attaches its journal',
  async () => {
    const { output, results } = await runPlaywright('test/examples/suites')
    expect(Object.fromEntries(results.map(({ title, status }) => [title, status])), output).toEqual(
      {
        'only the server gets the header: one': 'passed',
        'only the server gets the header: another': 'passed',
        'a test without a page has the bound URLs and keys': 'passed',
        fails: 'failed',
      },
    )
    const attached = results.map(
      ({ title, attachments }) =>
        [title, attachments.filter(({ name }) => name === 'greenhouse-journal.json')] as const,
    )
    expect(attached.filter(([, journals]) => journals.length > 0).map(([title]) => title)).toEqual([
      'fails',
    ])
    const [, [journal]] = attached.find(([title]) => title === 'fails')!
    expect(JSON.parse(Buffer.from(journal!.body!, 'base64').toString())).toEqual([
      expect.objectContaining({
        operation: 'apps.list',
        world: expect.stringMatching(/^fails-/),
        response: expect.objectContaining({ status: 200 }),
      }),
    ])
  },
)

test("a client's whole day is the same over HTTP and through MSW", async () => {
  const overHttp = await liveOverHttp()
  expect(await liveThroughMsw()).toEqual(overHttp)

  const replies = (pattern: RegExp) => overHttp.filter((line) => pattern.test(line))
  const received = overHttp.filter((line) => line.startsWith('received'))
  expect(received.map((line) => JSON.parse(line.slice(line.indexOf('{'))).type)).toEqual([
    'message.sent',
    'message.sent',
    'deployment.live',
    'subscription.updated',
    'credits.purchased',
    'subscription.updated',
    // One of the default world's, which waited for its certificate.
    'deployment.live',
    'subscription.canceled',
    'app.deleted',
  ])
  expect(replies(/^GET \/apps\/[^/]+\/deployments/)[0]).toContain('"state":"live"')
  expect(replies(/^GET \/account/)[0], 'the new plan, and its limits').toMatch(
    /-> 200 \[600\/\d+\] .*"plan":"pro_plus"/,
  )
  expect(replies(/^GET \/account/)[1], 'after the end of the period').toMatch(
    /-> 200 \[60\/\d+\] .*"plan":"free"/,
  )
  expect(replies(/pm_declined/)[0]).toMatch(/-> 400 .*payment_declined/)
  const afterDeletion = overHttp.slice(
    overHttp.findIndex((line) => line.startsWith('DELETE /apps/')),
  )
  expect(afterDeletion.filter((line) => line.includes('-> 404'))).toHaveLength(6)
})
