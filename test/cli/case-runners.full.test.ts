import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { toCaseText } from 'greenhouse-mock/case'
import { serve } from 'greenhouse-mock/server'
import { run } from '../support/cli.ts'
import { installPacked, toUserEnvironment } from '../package/packed.ts'

/** Each runner's ending of files, its command, and how it says how many tests pass and fail. Jest has the same globals as here. */
const runners = [
  ['vitest', '.test.mjs', ['node_modules/vitest/vitest.mjs', 'run'], /Tests .*?(\d+) passed/, /Tests .*?(\d+) failed/],
  ['playwright', '.spec.mjs', ['node_modules/@playwright/test/cli.js', 'test'], /^ +(\d+) passed/m, /^ +(\d+) failed/m],
  ['node', '.mjs', ['--test'], /^# pass (\d+)/m, /^# fail (\d+)/m],
  ['jest', '.cjs', ['--test', '--require', './globals.cjs'], /^# pass (\d+)/m, /^# fail (\d+)/m],
] as const

const globals = "Object.assign(globalThis, { test: require('node:test'), expect: require('@playwright/test').expect })"

test('for each scenario and runner, the test of a case passes, and fails when a byte differs', async () => {
  using known = createGreenhouse()
  const project = installPacked({ beside: ['vitest', '@playwright/test'] })
  const cases: string[] = []
  for (const scenario of known.scenarios()) cases.push(await live(scenario))
  try {
    project.write('globals.cjs', globals)
    const results = runners.map(async ([runner, ending, words, ...counts]) => {
      const tests = await Promise.all(cases.map((one, place) => write(`${place}.case.yaml`, one, runner)))
      // The last byte that is expected; nothing is where no reply comes.
      const changed = tests
        .filter((code) => !code.includes('rejects'))
        .map((code) => code.replace(/(?<!\\)\w(?=(\W|\\n)*\n {2}\} finally)/, (byte) => (byte === '1' ? '2' : '1')))
      const ends = [tests, changed].map(async (all, place) => {
        const file = `${['good', 'wrong'][place]}${ending}`
        const [head] = tests.map((code) => code.split('\n\ntest(')[0]!).sort((a, b) => b.length - a.length)
        const titled = all.map((code, id) => code.slice(code.indexOf('\n\ntest(')).replace("test('", `test('${id} `))
        project.write(file, [head, ...titled].join(''))
        const child = spawn(process.execPath, [...words, file], { cwd: project.folder, env: toUserEnvironment() })
        const [output] = await Promise.all([text(child.stdout), once(child, 'close')])
        return counts.map((pattern) => Number(pattern.exec(output)?.[1] ?? 0))
      })
      expect([runner, ...(await Promise.all(ends))]).toEqual([runner, [tests.length, 0], [0, changed.length]])
    })
    await Promise.all(results)
  } finally {
    project.remove()
  }

  async function write(name: string, made: string, runner: string): Promise<string> {
    project.write(name, made)
    const { stdout, stderr } = await run(['case', 'test', join(project.folder, name), '--runner', runner])
    expect(stderr).toBe('')
    return stdout
  }
}, 900_000)

const messages = '/v1/apps/app_ei7hiu7oakwdf7nn/conversations/conv_b5balhth5ea67ksu/messages'
const message = { method: 'POST', body: '{"content":"Hi","stream":true}' }

/** Sends a request to a server in a situation, and returns the case. The world's clock ends what is slow. */
async function live({
  name,
  acts_on,
}: {
  readonly name: string
  readonly acts_on: readonly string[]
}): Promise<string> {
  using greenhouse = createGreenhouse({ now: '2026-02-10T10:00:00Z' })
  const world = greenhouse.world()
  world.use(name as never)
  const server = await serve(greenhouse)
  const timer = setInterval(() => world.clock.advance('31s'), 200)
  const headers = { authorization: 'Bearer key_pro', 'content-type': 'application/json' }
  const [path, init] = name.startsWith('stream')
    ? [messages, message]
    : [acts_on.includes('plants') ? '/plants' : '/v1/apps']
  await fetch(server.url + path, { ...init, headers, signal: AbortSignal.timeout(5_000) })
    .then((reply) => reply.text())
    .catch(() => undefined)
  clearInterval(timer)
  const made = toCaseText(world.toCase())
  await server.close()
  return made
}
