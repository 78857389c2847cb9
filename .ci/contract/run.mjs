// Uses the OpenAPI document with third-party packages. Run it after a build:
//     node .ci/contract/run.mjs            two validators, two linters, typed clients (that of the control API in Python, too),
//                                          Prism as a mock server, Prism as a proxy that validates each reply of the API suite;
//                                          and `verify` against json-server
//     node .ci/contract/run.mjs clients    clients from three generators, which call every operation of both areas
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { compareWithJsonServer } from './json-server.mjs'

const home = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))
const greenhouse = join(root, 'dist/greenhouse.cjs')
const folder = mkdtempSync(join(tmpdir(), 'greenhouse-contract-'))
const file = join(folder, 'openapi.json')

if (!existsSync(join(home, 'node_modules/.package-lock.json')))
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: home })
const test = process.argv[2]
try {
  if (test !== undefined) runTests(test)
  else await runAll()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function runAll() {
  for (const args of [[], ['--area', 'control']]) {
    writeFileSync(
      file,
      run(process.execPath, [greenhouse, 'openapi', ...args], { stdio: ['ignore', 'pipe', 'inherit'] }),
    )
    await validate()
    lint()
  }
  await lintControl()
  await useClients()
  await compareWithJsonServer()
  runTests('prism')
}

function runTests(name) {
  run('npx', ['vitest', 'run', '--config', join(home, 'vitest.config.ts'), name], { cwd: root })
}

async function validate() {
  const { Validator } = await import('@seriousme/openapi-schema-validator')
  const one = await new Validator().validate(file)
  if (!one.valid) throw new Error(`@seriousme/openapi-schema-validator: ${JSON.stringify(one.errors)}`)
  const { validate } = await import('@readme/openapi-parser')
  const other = await validate(file)
  if (!other.valid || other.warnings.length > 0) throw new Error(`@readme/openapi-parser: ${JSON.stringify(other)}`)
  console.log('Two validators find nothing.')
}

/** Lints the document of the control API with Spectral, whose rules want descriptions that the reference does not give. */
async function lintControl() {
  const { Spectral } = (await import('@stoplight/spectral-core')).default
  const { oas } = (await import('@stoplight/spectral-rulesets')).default
  const spectral = new Spectral()
  spectral.setRuleset(oas)
  const found = await spectral.run(JSON.parse(readFileSync(file, 'utf8')))
  if (found.length > 0)
    throw new Error(`Spectral: ${found.map(({ path, message }) => `${path.join('/')}: ${message}`).join('\n')}`)
  console.log('Spectral finds nothing in the document of the control API.')
}

/** Lints the document. Errors and warnings both count. */
function lint() {
  const program = join(home, 'node_modules/@redocly/cli/bin/cli.js')
  const text = run(process.execPath, [program, 'lint', file, '--format=json', '--extends=recommended'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  })
  const { problems } = JSON.parse(text)
  if (problems.length > 0) throw new Error(`Redocly: ${problems.map(({ message }) => message).join('\n')}`)
  console.log('The linter finds nothing.')
}

/** Generates clients, compiles what uses them, and runs that against a server. */
async function useClients() {
  const { default: openapiTypescript, astToString } = await import('openapi-typescript')
  const { default: typescript } = await import('typescript')
  for (const area of ['plants', 'apps', 'control']) {
    const document = run(process.execPath, [greenhouse, 'openapi', '--area', area], { stdio: 'pipe' })
    writeFileSync(join(home, `node_modules/${area}.d.ts`), astToString(await openapiTypescript(document)))
  }
  run(process.execPath, [join(home, 'node_modules/typescript/bin/tsc'), '--project', home])
  const users = ['client', 'control']
  for (const name of users) {
    const { outputText } = typescript.transpileModule(readFileSync(join(home, `${name}.ts`), 'utf8'), {
      compilerOptions: { module: typescript.ModuleKind.ESNext, target: typescript.ScriptTarget.ES2022 },
    })
    writeFileSync(join(home, `node_modules/${name}.mjs`), outputText)
  }
  const server = spawn(process.execPath, [greenhouse, 'serve', '--port', '0', '--log', 'json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [line] = await once(createInterface({ input: server.stdout }), 'line')
    server.stdout.resume()
    const { plants_url, apps_url } = JSON.parse(line)
    for (const name of users) run(process.execPath, [join(home, `node_modules/${name}.mjs`), plants_url, apps_url])
    usePythonClient(plants_url)
  } finally {
    server.kill()
  }
}

/** Generates a Python client of the control API, where its generator is installed: CI reaches no Python packages. */
function usePythonClient(url) {
  if (spawnSync('openapi-python-client', ['--version']).status !== 0)
    return console.log('Left out: a Python client. It takes `pip install openapi-python-client`.')
  run('openapi-python-client', ['generate', '--path', file, '--output-path', join(folder, 'python')])
  run('python3', [join(home, 'control.py'), url], { env: { ...process.env, PYTHONPATH: join(folder, 'python') } })
}

function run(command, args, options = {}) {
  const { status, stdout, error } = spawnSync(command, args, {
    stdio: 'inherit',
    maxBuffer: 2 ** 26,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    ...options,
  })
  if (error) throw error
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}.`)
  return stdout
}
