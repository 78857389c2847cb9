import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { pack, root } from '../package/packed.ts'
import { lacks } from '../support/lacks.ts'
import { startProcess } from '../support/process.ts'
import { writeFolder } from '../support/folder.ts'
import { findFreePort } from '../support/free-port.ts'
import { environmentFor } from './environment.ts'

const folder = join(root, 'examples/devcontainer/.devcontainer')
const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'))
const container = read('devcontainer.json')
const feature = read('greenhouse/devcontainer-feature.json')

test('the container uses the feature next to it, and forwards the port that the feature names', () => {
  const [[path, options]] = Object.entries(container.features) as [[string, object]]
  expect(existsSync(join(folder, path, 'devcontainer-feature.json'))).toBe(true)
  expect(path).toBe(`./${feature.id}`)
  for (const option of Object.keys(options)) expect(Object.keys(feature.options)).toContain(option)
  const { GREENHOUSE_URL, PLANTS_BASE_URL, APPS_BASE_URL } = feature.containerEnv
  expect([PLANTS_BASE_URL, APPS_BASE_URL]).toEqual([GREENHOUSE_URL, `${GREENHOUSE_URL}/v1`])
  expect(container.forwardPorts).toEqual([Number(new URL(GREENHOUSE_URL).port)])
})

test.skipIf(lacks.sh)('the feature installs the command, and starts the server once', async () => {
  const tarball = pack().file
  const place = writeFolder({})
  const bin = join(place, 'bin')
  mkdirSync(bin)
  const port = await findFreePort()
  const env = {
    ...environmentFor(place),
    npm_config_prefix: place,
    PATH: `${bin}:${process.env['PATH']}`,
    TMPDIR: place,
    BIN: bin,
    VERSION: `file:${tarball}`,
  }
  const installed = await startProcess('sh', [join(folder, 'greenhouse/install.sh')], { env }).ended
  expect(installed.code, installed.stderr).toBe(0)

  const url = feature.containerEnv.GREENHOUSE_URL.replace('4010', String(port))
  const begin = () =>
    startProcess(join(bin, feature.postStartCommand), [], {
      env: { ...env, GREENHOUSE_URL: url, GREENHOUSE_PORT: String(port) },
      detached: true,
    })
  const first = begin()
  onTestFinished(() => void process.kill(-first.child.pid!, 'SIGKILL'))
  expect(await first.ended).toMatchObject({ code: 0, stdout: '', stderr: '' })
  expect((await fetch(`${url}/__greenhouse/health`)).status).toBe(200)
  // When the container restarts, or a user runs it.
  expect(await begin().ended).toMatchObject({ code: 0, stdout: '', stderr: '' })
  expect(
    readFileSync(join(place, 'greenhouse.log'), 'utf8').match(/"event":"ready"/g),
  ).toHaveLength(1)
})
