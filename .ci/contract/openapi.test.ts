import { spawnSync } from 'node:child_process'
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { validate } from '@readme/openapi-parser'
import { Validator } from '@seriousme/openapi-schema-validator'
import spectral from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { afterEach, expect, test, vi } from 'vitest'
import { writeFolder } from '../../test/support/folder.ts'
import { startServeProcess } from '../../test/support/process.ts'
import { checkTypes, makeProject, printOpenApi, run, runCommand } from './programs.ts'

afterEach(() => void vi.unstubAllEnvs())

test.each([
  ['both areas', []],
  ['the control API', ['--area', 'control']],
])('two validators and a linter find nothing in the document of %s', async (_, flags) => {
  const folder = writeFolder({ 'openapi.json': await printOpenApi(...flags) })
  const file = join(folder, 'openapi.json')
  expect(await new Validator().validate(file)).toMatchObject({ valid: true })
  expect(await validate(file)).toMatchObject({ valid: true, warnings: [] })
  vi.stubEnv('REDOCLY_TELEMETRY', 'off')
  vi.stubEnv('REDOCLY_SUPPRESS_UPDATE_NOTICE', 'true')
  const found = await runCommand(`redocly lint ${file} --format=json --extends=recommended`, folder)
  // Errors and warnings.
  expect(JSON.parse(found).problems).toEqual([])
})

// Its rules want descriptions that the reference does not give, so it reads no other document.
test('Spectral finds nothing in the document of the control API', async () => {
  const linter = new spectral.Spectral()
  linter.setRuleset(rulesets.oas)
  expect(await linter.run(JSON.parse(await printOpenApi('--area', 'control')))).toEqual([])
})

test('typed clients compile in strict mode, and get what their types promise', async () => {
  const folder = makeProject()
  const copy = (name: string) => copyFileSync(new URL(name, import.meta.url), join(folder, name))
  for (const area of ['plants', 'apps', 'control']) {
    const types = astToString(await openapiTypescript(await printOpenApi('--area', area)))
    writeFileSync(join(folder, `${area}-api.d.ts`), types)
  }
  ;['client.ts', 'control.ts'].forEach(copy)
  await checkTypes(folder)
  const { ready } = await startServeProcess()
  vi.stubEnv('PLANTS_BASE_URL', ready.plants_url)
  vi.stubEnv('APPS_BASE_URL', ready.apps_url)
  await import(join(folder, 'client.ts'))
  await import(join(folder, 'control.ts'))
})

/** CI reaches no Python packages: `pip install openapi-python-client` makes this run. */
const hasGenerator = spawnSync('openapi-python-client', ['--version']).status === 0

test.skipIf(!hasGenerator)(
  'a Python client of the control API gets what its types promise',
  async () => {
    const folder = writeFolder({ 'control.json': await printOpenApi('--area', 'control') })
    const { ready } = await startServeProcess()
    await run(
      'openapi-python-client',
      ['generate', '--path', 'control.json', '--output-path', 'python'],
      folder,
    )
    const script = fileURLToPath(new URL('control.py', import.meta.url))
    await run('python3', [script, ready.plants_url], folder, { PYTHONPATH: join(folder, 'python') })
  },
)
