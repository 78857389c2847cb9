import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { pack, root } from '../package/packed.ts'
import { type Ready } from '../support/cli.ts'
import { lacks } from '../support/lacks.ts'
import { firstLine, startProcess } from '../support/process.ts'
import { writeFolder } from '../support/folder.ts'
import { environmentFor } from './environment.ts'

const text = readFileSync(join(root, 'examples/container/Containerfile'), 'utf8')
const instructions = text
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)] as const)
const all = (name: string) =>
  instructions.filter(([instruction]) => instruction === name).map(([, rest]) => rest)
const variables = Object.fromEntries(all('ENV').map((pair) => pair.split('=') as [string, string]))
const words = [...all('ENTRYPOINT'), ...all('CMD')].flatMap((list) => JSON.parse(list) as string[])
const health = JSON.parse(all('HEALTHCHECK')[0]!.replace(/^.*? CMD /, '')) as string[]

/** The container engine; a client without an engine does not count. */
const engine = ['docker', 'podman'].find(
  (name) =>
    spawnSync(name, ['version', '--format', '{{.Server.Version}}'], { stdio: 'ignore' }).status ===
    0,
)

let tarball: string

beforeAll(() => {
  tarball = pack().file
})

/**
 * Does what the image's build does in a folder instead of the image's root, and gives the folder of
 * its programs.
 */
function installPlainly(): { bin: string; env: NodeJS.ProcessEnv } {
  const folder = writeFolder({ 'tmp/package/Containerfile': text })
  copyFileSync(tarball, join(folder, 'tmp/package/greenhouse-mock.tgz'))
  mkdirSync(join(folder, 'usr'))
  const env = {
    ...environmentFor(folder),
    npm_config_prefix: join(folder, 'usr'),
    VERSION: 'latest',
  }
  const step = all('RUN')[0]!.replaceAll('/tmp/package', join(folder, 'tmp/package'))
  execFileSync('sh', ['-ec', step.replace('npm cache clean', 'npm cache verify #')], {
    env,
    stdio: 'pipe',
  })
  const bin = join(folder, 'usr/bin')
  const PATH = `${bin}:${process.env['PATH']}`
  return { bin, env: { ...environmentFor(folder), ...variables, PATH, GREENHOUSE_PORT: '0' } }
}

test('the image runs without a shell, without root, on an image of Node that is small', () => {
  expect(all('FROM')).toEqual(['node:24-slim'])
  expect(all('USER')).toEqual(['node'])
  expect(words).toEqual(['greenhouse', 'serve'])
  expect(all('EXPOSE')).toEqual([variables['GREENHOUSE_PORT']])
})

describe.skipIf(lacks.sh)('the steps of the image, in a plain folder', () => {
  test('install a server that requires a token, answers its health check and ends on SIGTERM', async () => {
    const { bin, env } = installPlainly()
    const [program, ...args] = [join(bin, words[0]!), ...words.slice(1)] as [string, ...string[]]
    const rejected = await startProcess(program, args, { env }).ended
    expect(rejected).toMatchObject({ code: 2, stdout: '' })
    expect(rejected.stderr).toContain(
      '--host 0.0.0.0 lets other machines reach this server, its control API included. Set a secret with --token or GREENHOUSE_TOKEN',
    )

    const { child, output, ended } = startProcess(program, args, {
      env: { ...env, GREENHOUSE_TOKEN: 's3cret' },
    })
    const { plants_url } = JSON.parse(await firstLine(child, output, ended)) as Ready
    expect(plants_url).toMatch(/^http:\/\/0\.0\.0\.0:/)
    const { port } = new URL(plants_url)
    const proxy = {
      NODE_USE_ENV_PROXY: '1',
      HTTP_PROXY: 'http://127.0.0.1:4',
      GREENHOUSE_PORT: port,
    }
    const check = async () =>
      (await startProcess(health[0]!, health.slice(1), { env: { ...env, ...proxy } }).ended).code
    expect(await check()).toBe(0)
    // Commands in the container find the server by the same variables.
    const told = await startProcess(join(bin, 'greenhouse'), ['status'], {
      env: { ...env, GREENHOUSE_PORT: port, GREENHOUSE_TOKEN: 's3cret' },
    }).ended
    expect(told).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`http://127.0.0.1:${port}`),
    })
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0, signal: null, stderr: '' })
    expect(await check()).toBe(1)
  })

  const canUnshare =
    spawnSync('unshare', ['--fork', '--pid', '--kill-child', 'true'], { stdio: 'ignore' })
      .status === 0
  test.skipIf(!canUnshare)('end on SIGTERM also as the first process of a container', async () => {
    const { bin, env } = installPlainly()
    const args = ['--fork', '--pid', '--kill-child', join(bin, words[0]!), ...words.slice(1)]
    const { child, output, ended } = startProcess('unshare', args, {
      env: { ...env, GREENHOUSE_TOKEN: 's3cret' },
    })
    await firstLine(child, output, ended)
    const first = Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8'))
    expect(readFileSync(`/proc/${first}/status`, 'utf8')).toMatch(/^NSpid:\t\d+\t1$/m)
    process.kill(first, 'SIGTERM')
    expect(await ended).toMatchObject({ code: 0, signal: null, stderr: '' })
  })
})

test.skipIf(engine === undefined)(
  `the image can be built and run${engine === undefined ? ' (there is no engine of docker or podman here)' : ''}`,
  async () => {
    const folder = writeFolder({ Containerfile: text })
    copyFileSync(tarball, join(folder, 'greenhouse-mock.tgz'))
    const tag = `greenhouse-test-${process.pid}`
    const run = (...args: string[]) =>
      execFileSync(engine!, args, { encoding: 'utf8', stdio: 'pipe' }).trim()
    run('build', '--tag', tag, '--file', join(folder, 'Containerfile'), folder)
    onTestFinished(() => void run('rmi', '--force', tag))
    const id = run(
      'run',
      '--detach',
      '--rm',
      '--env',
      'GREENHOUSE_TOKEN=s3cret',
      '--publish',
      '127.0.0.1::4010',
      tag,
    )
    onTestFinished(() => void spawnSync(engine!, ['rm', '--force', id], { stdio: 'ignore' }))
    const address = run('port', id, '4010').split('\n')[0]!
    const isHealthy = () =>
      fetch(`http://${address}/__greenhouse/health`).then(
        ({ ok }) => ok,
        () => false,
      )
    await expect.poll(isHealthy).toBe(true)
    expect(run('exec', id, 'greenhouse', 'status')).toContain('http://127.0.0.1:4010, version')
    expect(run('exec', id, 'id', '-u')).toBe('1000')
    run('stop', '--time', '10', id)
  },
)
