import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { load } from 'js-yaml'
import { pack, root, unpackInto } from '../package/packed.ts'
import { lacks } from '../support/lacks.ts'
import { startProcess } from '../support/process.ts'
import { writeFolder } from '../support/folder.ts'
import { environmentFor } from './environment.ts'

interface Step {
  readonly id: string
  readonly shell: string
  readonly env: Readonly<Record<string, string>>
  readonly run: string
}

interface Action {
  readonly inputs: Readonly<Record<string, { description: string; default: string }>>
  readonly outputs: Readonly<Record<string, { value: string }>>
  readonly runs: { using: string; steps: readonly Step[] }
}

const action = load(readFileSync(join(root, 'action.yml'), 'utf8')) as Action
let tarball: string

beforeAll(() => {
  tarball = pack().file
})

/** `NAME=value` lines, as GitHub reads its files. */
function readPairs(file: string): Record<string, string> {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
}

function makeJob(): string {
  return writeFolder({ env: '', 'package.json': '{}' })
}

function installIn(job: string, ...path: string[]): void {
  unpackInto(join(job, ...path, 'node_modules'))
}

/**
 * Runs the steps of the action as a runner does: each in a separate shell, with what it says of
 * expressions put in.
 */
async function runAction(
  given: Record<string, string>,
  env: NodeJS.ProcessEnv = {},
  folder = makeJob(),
) {
  const inputs = Object.fromEntries(
    Object.entries(action.inputs).map(([name, { default: value }]) => [name, value]),
  )
  const steps: Record<string, Record<string, string>> = {}
  const fill = (text: string) =>
    text.replace(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => {
      const [, input] = /^inputs\.([\w-]+)$/.exec(expression) ?? []
      const [, step, output] = /^steps\.([\w-]+)\.outputs\.([\w-]+)$/.exec(expression) ?? []
      const value = input === undefined ? steps[step!]?.[output!] : { ...inputs, ...given }[input]
      if (value === undefined) throw new Error(`The expression ${expression} has no value.`)
      return value
    })
  let printed = ''
  let code: number | null = 0
  for (const step of action.runs.steps) {
    const files = writeFolder({ 'step.sh': step.run, output: '' })
    const own = Object.fromEntries(
      Object.entries(step.env).map(([name, text]) => [name, fill(text)]),
    )
    const github = {
      RUNNER_TEMP: folder,
      GITHUB_ENV: join(folder, 'env'),
      GITHUB_OUTPUT: join(files, 'output'),
    }
    const { ended } = startProcess(
      'bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', join(files, 'step.sh')],
      {
        cwd: folder,
        env: { ...environmentFor(folder), ...env, ...github, ...own },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    const result = await ended
    printed += result.stdout + result.stderr
    code = result.code
    steps[step.id] = readPairs(github.GITHUB_OUTPUT)
    if (code !== 0) break
  }
  const outputs =
    code === 0 ? Object.entries(action.outputs).map(([name, { value }]) => [name, fill(value)]) : []
  return {
    code,
    printed,
    folder,
    env: readPairs(join(folder, 'env')),
    outputs: Object.fromEntries(outputs),
  }
}

/** Runs steps that must succeed, and ends their server after the test. */
async function start(...given: Parameters<typeof runAction>) {
  const started = await runAction(...given)
  expect(started.code, started.printed).toBe(0)
  onTestFinished(() => void process.kill(Number(started.outputs['pid']), 'SIGKILL'))
  return started
}

test('GitHub can read the action', () => {
  expect(action.runs.using).toBe('composite')
  for (const { shell, run } of action.runs.steps) {
    expect(shell).toBe('bash')
    // User input reaches scripts as variables, never as text.
    expect(run).not.toContain('${{')
  }
  for (const { description } of Object.values(action.inputs)) expect(description).toMatch(/^[A-Z]/)
})

describe.skipIf(lacks.sh)('the steps of the action', () => {
  test('install the package, start the server for the steps that follow, and tell them where it is', async () => {
    const { folder, env, outputs } = await start(
      {
        version: `file:${tarball}`,
        port: '9',
        arguments: '--seed 7 --strict --log pretty --port 0',
      },
      { GREENHOUSE_SCENARIO: 'expired-key' },
    )
    expect(env).toEqual({
      GREENHOUSE_URL: outputs['url'],
      PLANTS_BASE_URL: outputs['url'],
      APPS_BASE_URL: outputs['apps-url'],
      GREENHOUSE_KEY_FREE: 'key_free',
      GREENHOUSE_KEY_LITE: 'key_lite',
      GREENHOUSE_KEY_PRO: 'key_pro',
      GREENHOUSE_KEY_PRO_PLUS: 'key_pro_plus',
    })
    expect(new URL(outputs['url']).port).not.toBe('9')
    // A later step, after those shells have ended.
    expect((await fetch(`${env['GREENHOUSE_URL']}/__greenhouse/health`)).status).toBe(200)
    const reply = await fetch(`${env['APPS_BASE_URL']}/apps`, {
      headers: { authorization: 'Bearer key_pro' },
    })
    expect([reply.status, reply.headers.get('x-greenhouse')]).toEqual([
      401,
      expect.stringContaining('expired-key'),
    ])
    expect(outputs['log']).toContain(folder)
    await expect.poll(() => readFileSync(outputs['log'], 'utf8')).toContain('"apps.list"')
  })

  test('find the package in or above the working directory of a monorepo, and resolve paths there', async () => {
    const job = makeJob()
    installIn(job, 'packages', 'web')
    const own = await start({ 'working-directory': 'packages/web', port: '0' }, {}, job)
    expect(own.printed).not.toContain('added 1 package')

    const hoisted = makeJob()
    installIn(hoisted)
    mkdirSync(join(hoisted, 'packages/web/scenarios'), { recursive: true })
    const scenario = 'title: T\ndescription: D\ncovers: C\nrespond: [{ status: 418 }]\n'
    writeFileSync(join(hoisted, 'packages/web/scenarios/teapot.yaml'), scenario)
    const given = {
      'working-directory': 'packages/web',
      port: '0',
      arguments: '--scenarios scenarios --cors *',
    }
    const { outputs } = await start(given, { GREENHOUSE_SCENARIO: 'teapot' }, hoisted)
    const reply = await fetch(`${outputs['url']}/plants`, {
      headers: { origin: 'https://a.example' },
    })
    expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([
      418,
      expect.any(String),
    ])
  })

  test("find the package of the workspace's root by Yarn, with Plug'n'Play", async () => {
    const yarn = `#!/bin/sh\n[ "$2" = -T ] || exit 1\nshift 3\nexec node '${join(root, 'dist/greenhouse.cjs')}' "$@"\n`
    const job = writeFolder({
      env: '',
      '.pnp.cjs': '',
      'packages/web/package.json': '{}',
      'bin/yarn': yarn,
    })
    chmodSync(join(job, 'bin/yarn'), 0o755)
    const PATH = `${join(job, 'bin')}:${process.env['PATH']}`
    const given = { 'working-directory': 'packages/web', port: '0' }
    const { code, printed, outputs } = await runAction(given, { PATH }, job)
    expect(code, printed).toBe(0)
    process.kill(Number(outputs['pid']), 'SIGTERM')
  })

  test('fail where the project does not have the package, and install no other', async () => {
    const { code, printed } = await runAction({ port: '0' })
    expect(code).toBe(1)
    expect(printed).toContain('::error::greenhouse-mock is not installed in "." or above.')
    expect(printed).not.toContain('npm error')
  })

  test('have a log for each use in a job', async () => {
    const job = makeJob()
    installIn(job)
    const uses = [await start({ port: '0' }, {}, job), await start({ port: '0' }, {}, job)]
    for (const { outputs } of uses)
      expect(readFileSync(outputs['log'], 'utf8')).toContain(`"plants_url":"${outputs['url']}"`)
    expect(uses[0]!.outputs['log']).not.toBe(uses[1]!.outputs['log'])
  })

  test('tell later steps the token, and hide it in the log of the job', async () => {
    const job = makeJob()
    installIn(job)
    const { printed, env, outputs } = await start(
      { port: '0' },
      { GREENHOUSE_TOKEN: 's3cret' },
      job,
    )
    expect(env['GREENHOUSE_TOKEN']).toBe('s3cret')
    expect(printed).toContain('::add-mask::s3cret\n')
    const headers = { authorization: `Bearer ${env['GREENHOUSE_TOKEN']}` }
    expect((await fetch(`${outputs['url']}/__greenhouse/worlds`)).status).toBe(401)
    expect((await fetch(`${outputs['url']}/__greenhouse/worlds`, { headers })).status).toBe(200)
  })

  test.each(['latest', '0.2.0', '^0.2'])(
    'install nothing by a name that nobody owns: %s',
    async (version) => {
      const { code, printed } = await runAction({ version, port: '0' })
      expect([code, printed]).toEqual([
        1,
        expect.stringContaining(`not "${version}": greenhouse-mock is not on npm yet.`),
      ])
    },
  )

  test('fail with the reason where the server does not start', async () => {
    const given = { version: `file:${tarball}`, port: '0', arguments: '--prot 1' }
    const { code, printed, env } = await runAction(given)
    expect(code).toBe(1)
    expect(printed).toContain('::error::Greenhouse did not start.')
    expect(printed).toContain('--prot: there is no such flag. Did you mean "--port"?')
    expect(env).toEqual({})
  })
})
