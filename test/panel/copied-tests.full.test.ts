import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { createGreenhouse, type Greenhouse } from 'greenhouse-mock'
import { serve } from 'greenhouse-mock/server'
import { expect, test } from 'vitest'
import { cases } from '../coverage/cases/index.ts'
import { toSent } from '../coverage/ways.ts'
import type { Prepared } from '../malformations/requests.ts'
import { packedProject, toUserEnvironment } from '../package/packed.ts'
import { control } from '../support/control.ts'
import { panelTest } from '../support/panel.ts'
import { createCaller, start, toInit } from '../support/test-api.ts'
import { situations } from './copied-situations.ts'
import { copyAs, openSent } from './page.ts'

const project = packedProject('vitest', '@playwright/test')

/** Sends a request to a world of its own, and returns the number of its entry. */
async function record(greenhouse: Greenhouse, url: string, name: string, ask: Prepared) {
  const send = (path: string, init?: RequestInit) => fetch(`${url}/~${name}${path}`, init)
  const world = greenhouse.world(name)
  const [method, path, options] = await toSent(ask, createCaller(send), world)
  const signal = AbortSignal.timeout(5_000)
  await send(path, { ...toInit(method, options), signal })
    .then((reply) => reply.text())
    .catch(() => undefined)
  const { id, response } = world.journal.calls().at(-1)!
  return { id: String(id), status: response.status }
}

const commands = {
  vitest: ['.test.mjs', 'node_modules/vitest/vitest.mjs', 'run'],
  // The matrix of runners has Jest; its globals are those of Playwright here.
  jest: ['.cjs', '--test', '--require', './globals.cjs'],
  playwright: ['.spec.mjs', 'node_modules/@playwright/test/cli.js', 'test'],
  node: ['.node.mjs', '--test'],
} as const

const globals = "Object.assign(globalThis, { test: require('node:test'), expect: require('@playwright/test').expect })"

/** Runs tests as they were copied, each in a file of its own, and returns how many passed and failed. */
async function runCopied(runner: keyof typeof commands, folder: string, tests: readonly string[]) {
  const [ending, ...words] = commands[runner]
  const files = tests.map((_, at) => `${folder}-${at}${ending}`)
  project.write('globals.cjs', globals)
  for (const [at, file] of files.entries()) project.write(file, tests[at]!)
  const environment = { ...toUserEnvironment(), NO_COLOR: '1' }
  const child = spawn(process.execPath, [...words, ...files], { cwd: project.folder, env: environment })
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const count = (what: string) => {
    const found = new RegExp(`Tests .*?(\\d+) ${what}ed|^# ${what} (\\d+)|^ +(\\d+) ${what}ed`, 'm').exec(output)
    return Number(found?.slice(1).find(Boolean) ?? 0)
  }
  return { passed: count('pass'), failed: count('fail'), output: output + errors }
}

test('a copied test passes as it stands, for each operation and status', async () => {
  using greenhouse = createGreenhouse({ now: start })
  await using server = await serve(greenhouse)
  // Tests of the same options fit in one file, with the head of the first.
  const byHead = new Map<string, string[]>()
  const incomplete: string[] = []
  let count = 0
  for (const [operation, ways] of Object.entries(cases))
    for (const [status, [way]] of Object.entries(ways)) {
      if (!way) continue
      const name = `w${count++}`
      greenhouse.world(name).clock.freeze()
      const entry = await record(greenhouse, server.url, name, way[1])
      expect([operation, entry.status]).toEqual([operation, Number(status)])
      const { body } = await control(server, 'GET', `/worlds/${name}/journal/${entry.id}/code?as=vitest`)
      greenhouse.deleteWorld(name)
      const [head, test] = body.text.split(/\n(?=test\()/)
      incomplete.push(...body.notes)
      const options = head.slice(head.indexOf('import'))
      byHead.set(options, [...(byHead.get(options) ?? []), test.replace("test('", `test('${name} ${operation}: `)])
    }
  expect(incomplete).toEqual(['The journal did not keep the body, which was too large: this one is, too.'])
  const files = Array.from(byHead, ([head, tests]) => [head, ...tests].join('\n'))
  const { passed, failed, output } = await runCopied('vitest', 'operation', files)
  expect([passed, failed], output.slice(-3_000)).toEqual([count, 0])
})

test.each(['vitest', 'node', 'jest', 'playwright'] as const)(
  'the copied test of each situation passes in %s, and fails without what it arranges',
  async (runner) => {
    using greenhouse = createGreenhouse({ now: start })
    await using server = await serve(greenhouse)
    const rows = runner === 'vitest' ? situations : situations.filter((_, at) => at % 6 === 0)
    const tests: string[] = []
    for (const [at, [what, status, ask, code = /./]] of rows.entries()) {
      const entry = await record(greenhouse, server.url, `s${at}`, ask)
      const { body } = await control(server, 'GET', `/worlds/s${at}/journal/${entry.id}/code?as=${runner}`)
      const isIncomplete = what.startsWith('a deletion after the')
      expect.soft([what, entry.status, body.text.startsWith('//')]).toEqual([what, status, isIncomplete])
      expect.soft(body.text, what).toMatch(code)
      tests.push(body.text)
    }
    const { passed, failed, output } = await runCopied(runner, 'situation', tests)
    expect([passed, failed], output.slice(-15_000)).toEqual([rows.length, 0])

    if (runner !== 'vitest') return
    const whole = tests.filter((_, at) => rows[at]![1] !== 0).slice(0, 20)
    const bare = whole.map((code) => code.replaceAll(/^ {2}world\.[^]*?\n(?= {2}const reply)/gm, ''))
    // A key that has expired gets the same reply as one that nobody has.
    const arranged = bare.filter((code, at) => code !== whole[at] && !/key_copied[^]*401/.test(code))
    expect(arranged.length).toBeGreaterThan(8)
    const less = await runCopied('vitest', 'bare', arranged)
    expect([less.passed, less.failed], less.output.slice(-5_000)).toEqual([0, arranged.length])
  },
)

panelTest('the page copies a request as the test that the control API gives', async () => {
  const { page, server } = await openSent('/plants?limit=1')
  const { body } = await control(server, 'GET', '/worlds/default/journal/1/code?as=vitest')
  expect(await copyAs(page, 'a test for Vitest')).toBe(body.text)
})
