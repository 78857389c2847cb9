import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createGreenhouse } from 'greenhouse-mock'
import { toCaseText } from 'greenhouse-mock'
import { loadCase } from 'greenhouse-mock/node'
import { serve } from 'greenhouse-mock/server'
import { expect, test } from 'vitest'
import { installPacked, toUserEnvironment } from '../package/packed.ts'
import { run } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'
import { toInit } from '../support/test-api.ts'

/**
 * Each runner's ending of files, its command, and how it says how many tests pass and fail. Jest
 * has the same globals as here.
 */
const runners = [
  [
    'vitest',
    '.test.mjs',
    ['node_modules/vitest/vitest.mjs', 'run'],
    /Tests .*?(\d+) passed/,
    /Tests .*?(\d+) failed/,
  ],
  [
    'playwright',
    '.spec.mjs',
    ['node_modules/@playwright/test/cli.js', 'test'],
    /^ +(\d+) passed/m,
    /^ +(\d+) failed/m,
  ],
  ['node', '.mjs', ['--test'], /^# pass (\d+)/m, /^# fail (\d+)/m],
  ['jest', '.cjs', ['--test', '--require', './globals.cjs'], /^# pass (\d+)/m, /^# fail (\d+)/m],
] as const

const globals =
  "Object.assign(globalThis, { test: require('node:test'), expect: require('@playwright/test').expect })"

test('for each scenario and runner, the test of a case passes, and fails when a byte differs', async () => {
  using known = createGreenhouse()
  const project = installPacked({ beside: ['vitest', '@playwright/test'] })
  const cases = await Promise.all(known.scenarios().map(live))
  try {
    project.write('globals.cjs', globals)
    const results = runners.map(async ([runner, ending, words, ...counts]) => {
      const tests = await Promise.all(
        cases.map((one, place) => write(`${place}.case.yaml`, one, runner)),
      )
      // The last byte that is expected; nothing is where no reply comes.
      const changed = tests
        .filter((code) => !code.includes('rejects'))
        .map((code) =>
          code.replace(/(?<!\\)\w(?=(\W|\\n)*\n {2}\} finally)/, (byte) =>
            byte === '1' ? '2' : '1',
          ),
        )
      const ends = [tests, changed].map(async (all, place) => {
        const isWrong = place === 1
        const file = `${isWrong ? 'wrong' : 'good'}${ending}`
        // Playwright starts a process anew after each test that fails, unless it is said to fail.
        const isToldToFail = isWrong && runner === 'playwright'
        const call = isToldToFail ? 'test.fail' : 'test'
        const [head] = tests
          .map((code) => code.split('\n\ntest(')[0]!)
          .sort((a, b) => b.length - a.length)
        const titled = all.map((code, id) =>
          code.slice(code.indexOf('\n\ntest(')).replace("test('", `${call}('${id} `),
        )
        project.write(file, [head, ...titled].join(''))
        const child = spawn(process.execPath, [...words, file], {
          cwd: project.folder,
          env: toUserEnvironment(),
        })
        const [output] = await Promise.all([text(child.stdout), once(child, 'close')])
        const ended = counts.map((pattern) => Number(pattern.exec(output)?.[1] ?? 0))
        return isToldToFail ? ended.toReversed() : ended
      })
      expect([runner, ...(await Promise.all(ends))]).toEqual([
        runner,
        [tests.length, 0],
        [0, changed.length],
      ])
    })
    await Promise.all(results)
  } finally {
    project.remove()
  }

  async function write(name: string, made: string, runner: string): Promise<string> {
    project.write(name, made)
    const { stdout, stderr } = await run([
      'case',
      'test',
      join(project.folder, name),
      '--runner',
      runner,
    ])
    expect(stderr).toBe('')
    return stdout
  }
}, 900_000)

const messages = '/v1/apps/app_ei7hiu7oakwdf7nn/conversations/conv_b5balhth5ea67ksu/messages'
const message = { method: 'POST', body: '{"content":"Hi","stream":true}' }

/**
 * Sends a request to a server in a situation, and returns the case. The world's clock ends what is
 * slow.
 */
async function live({
  name,
  acts_on,
}: {
  name: string
  acts_on: readonly string[]
}): Promise<string> {
  using greenhouse = createGreenhouse({ now: '2026-02-10T10:00:00Z' })
  const world = greenhouse.world()
  world.use(name as never)
  const server = await serve(greenhouse)
  const gone = new AbortController()
  let ticks = 0
  const timer = setInterval(() => {
    world.clock.advance('31s')
    // The patience of the client begins when its request has arrived, however busy the machine is.
    if (world.journal.size > 0 && ++ticks === 25) gone.abort()
  }, 200)
  const headers = { authorization: 'Bearer key_pro', 'content-type': 'application/json' }
  const [path, init] = name.startsWith('stream')
    ? [messages, message]
    : [acts_on.includes('plants') ? '/plants' : '/v1/apps']
  await fetch(server.url + path, { ...init, headers, signal: gone.signal })
    .then((reply) => reply.text())
    .catch(() => undefined)
  clearInterval(timer)
  const made = toCaseText(world.toCase())
  await server.close()
  return made
}

async function liveThroughADay(): Promise<string> {
  using greenhouse = createGreenhouse({ now: '2026-03-01T12:00:30Z', frozen: true, seed: 3 })
  const world = greenhouse.world()
  const ask = (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) =>
    greenhouse.fetch(
      new Request(`http://greenhouse.test${path}`, toInit(method, { body, headers })),
    )
  for (const id of [900, 901, 902]) await ask('POST', '/plants', { id, name: `Fern ${id}` })
  await ask('POST', '/plants', { id: 901, name: 'Again' })
  await ask('GET', '/v1/apps?limit=1')
  await ask('POST', '/v1/apps', { name: 'first' }, { 'idempotency-key': 'one' })
  await ask('POST', '/v1/apps', { name: 'second' }, { 'idempotency-key': 'one' })
  world.use('rate-limited-plan')
  await ask('GET', '/v1/apps?limit=1')
  world.clear()
  world.clock.advance('2h')
  await ask('GET', '/v1/apps?limt=1')
  world.assume('plants.delete.unknown', '204')
  await ask('DELETE', '/plants/77777')
  await ask('DELETE', '/plants/902')
  world.records.plants.update(900, { tag: 'renamed' })
  await ask('GET', '/plants?limit=100')
  world.use('expired-key')
  await ask('GET', '/v1/subscription')
  world.clear()
  world.use({ title: 'apps are down', respond: [{ on: 'apps.list', status: 503, times: 1 }] })
  await ask('GET', '/v1/apps')
  await ask('GET', '/v1/apps')
  await ask('PATCH', '/v1/subscription', { plan: 'gold' })
  await ask('GET', '/v1/nowhere')
  for (let count = 0; count < 5; count++) await ask('GET', '/plants?limit=1')
  return toCaseText(world.toCase('A long day'))
}

const reused = 'idempotency_conflict|idempotency_key_reused|status: 409\\n.*\\n.*idempot'

test.each<[bug: string, symptom: string, steps: readonly string[]]>([
  [
    'a plant that exists is created again',
    'exists already',
    ['request POST /plants', 'request POST /plants'],
  ],
  ['an Idempotency-Key is reused', reused, ['request POST /v1/apps', 'request POST /v1/apps']],
  [
    'the quota is used up',
    'apps.limit=1"\\n.*\\n +reply:\\n +status: 429',
    ['use', 'request GET /v1/apps?limit=1'],
  ],
  ['a parameter is misspelt', 'unknown-query', ['request GET /v1/apps?limt=1']],
  [
    'no plant is deleted',
    'DELETE /plants/77777[^]*?status: 204',
    ['assume', 'request DELETE /plants/77777'],
  ],
  [
    'a record was changed from outside',
    'reply:[^]*tag: renamed',
    ['put', 'request "GET /plants?limit=100"'],
  ],
  ['a key has expired', 'status: 401', ['use', 'request GET /v1/subscription']],
  ['apps are down', 'reply:\\n +status: 503', ['use', 'request GET /v1/apps']],
  ['a plan does not exist', 'plan: gold', ['request PATCH /v1/subscription']],
  ['a path does not exist', 'unknown-path', ['request GET /v1/nowhere']],
])('case shrink finds the steps of a bug in under 200 runs: %s', async (_, symptom, steps) => {
  const folder = writeFolder({ 'day.case.yaml': await liveThroughADay() })
  const file = join(folder, 'day.case.yaml')
  const check = `const text = require('node:fs').readFileSync(process.env.GREENHOUSE_CASE, 'utf8'); process.exit(new RegExp(process.argv[1]).test(text) ? 1 : 0)`
  const { code, stdout } = await run([
    'case',
    'shrink',
    file,
    '--',
    process.execPath,
    '-e',
    check,
    symptom,
  ])
  expect(code).toBe(0)
  expect(Number(/after (\d+) runs/.exec(stdout)![1])).toBeLessThan(200)
  const small = loadCase(join(folder, 'day.small.case.yaml')).steps!
  const toText = (step: object) => Object.keys(step).find((name) => name !== 'at')
  const left = small.map((step) =>
    step.request === undefined ? toText(step) : `request ${step.request}`,
  )
  expect(left).toEqual(steps.map((step) => step.replaceAll('"', '')))
})
