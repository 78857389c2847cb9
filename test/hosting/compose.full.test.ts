import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { load } from 'js-yaml'
import { root } from '../package/packed.ts'
import { startServe } from '../support/cli.ts'
import { startProcess } from '../support/process.ts'
import { serveVariables } from './environment.ts'

const folder = join(root, 'examples/compose')
const { services } = load(readFileSync(join(folder, 'compose.yaml'), 'utf8')) as any
const { greenhouse, tests } = services
const container = readFileSync(join(folder, greenhouse.build.context, greenhouse.build.dockerfile), 'utf8')

const fill = (environment: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).map(([name, text]) => [name, text.replace(/\$\{GREENHOUSE_TOKEN:\?[^}]+\}/, 's3cret')]),
  )

test('the compose file says what the image and the command have', () => {
  for (const name of Object.keys(greenhouse.environment)) expect(serveVariables).toContain(name)
  expect(greenhouse.ports).toEqual([`127.0.0.1:4010:${/^EXPOSE (\d+)$/m.exec(container)![1]}`])
  expect(container).toMatch(/^HEALTHCHECK /m)
  expect(tests.depends_on).toEqual({ greenhouse: { condition: 'service_healthy' } })
  expect(fill(tests.environment)['GREENHOUSE_TOKEN']).toBe(fill(greenhouse.environment)['GREENHOUSE_TOKEN'])
  for (const volume of [...greenhouse.volumes, ...tests.volumes])
    expect(existsSync(join(folder, volume.split(':')[0])), volume).toBe(true)
})

test.skipIf(process.platform === 'win32')('its services do what they are for, as processes', async () => {
  const data = greenhouse.volumes[0].split(':')
  const variables = fill(greenhouse.environment)
  const GREENHOUSE_FIXTURES = variables['GREENHOUSE_FIXTURES']!.replace('/data/fixtures', join(folder, data[0]))
  const { ready, stop } = await startServe([], {
    env: { ...process.env, ...variables, GREENHOUSE_HOST: '0.0.0.0', GREENHOUSE_FIXTURES },
  })
  const { port } = new URL(ready.plants_url)
  const own = Object.entries(fill(tests.environment)).map(([name, text]) => [name, text.replace(':4010', `:${port}`)])
  const [program, script] = tests.command.split(' ')
  expect(program).toBe('node')
  const words = ['--import', join(root, 'test/hosting/names.mjs'), join(folder, script.replace('/tests/', ''))]
  const env = { ...process.env, ...Object.fromEntries(own) }
  const stdout = '{"plants":[{"name":"Ficus","tag":"tree"}],"apps":0,"version":"string"}\n'
  expect(await startProcess(process.execPath, words, { env }).ended).toMatchObject({ code: 0, stdout, stderr: '' })
  expect((await stop()).code).toBe(0)
})
