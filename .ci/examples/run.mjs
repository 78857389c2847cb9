// Runs the examples as examples/README.md says: each copied out of the clone, with the packed tarball.
//     node .ci/examples/run.mjs            all examples
//     node .ci/examples/run.mjs jest mocha only these
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { examples } from './examples.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !Object.hasOwn(examples, name))
if (unknown.length > 0) {
  console.error(`There is no example ${unknown.join(', ')}. There are: ${Object.keys(examples).join(', ')}.`)
  process.exit(2)
}

// Variables that npm and Vitest set for child processes would change how the examples run.
const env = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(npm_(?!config_cache$)|vitest|node_env$|node_options$)/i.test(name),
  ),
)
Object.assign(env, {
  NO_COLOR: '1',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
})
// Downloads only npm packages: no Cypress, no browsers and no drivers.
Object.assign(env, {
  CYPRESS_INSTALL_BINARY: '0',
  STORYBOOK_DISABLE_TELEMETRY: '1',
  CHROMIUM: env.CHROMIUM || '/usr/bin/chromium',
})

const work = mkdtempSync(join(tmpdir(), 'greenhouse-examples-'))
const startedAt = performance.now()
try {
  await run('npm', ['run', 'pack:examples'], root)
  const queue = Object.entries(examples).filter(([name]) => wanted.length === 0 || wanted.includes(name))
  const failures = []
  const lane = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift())
      await runExample(...next).catch((error) => failures.push(error))
  }
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, lane))
  for (const { message } of failures) console.error(`\n${message}`)
  console.log(`\n${seconds(startedAt)} s${failures.length > 0 ? `, ${failures.length} failed` : ''}`)
  if (failures.length > 0) process.exitCode = 1
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** Copies an example, installs its lock file's packages, and runs its steps. */
async function runExample(name, { missing, steps }) {
  const reason = missing?.(env)
  if (reason !== undefined) {
    if (process.env.CI) throw new Error(`${name}: ${reason}`)
    return console.log(`${name.padEnd(12)} left out: ${reason}`)
  }
  const folder = join(work, name)
  mkdirSync(folder)
  cpSync(join(root, 'examples', name), folder, { recursive: true, filter: (path) => !path.endsWith('node_modules') })
  const begun = performance.now()
  await run('npm', ['ci', '--ignore-scripts', '--prefer-offline'], folder)
  console.log(`${name.padEnd(12)} installed, ${seconds(begun)} s`)
  for (const { command, needsNode, code = 0, prints = [] } of steps) {
    if (needsNode !== undefined && !isAtLeast(process.versions.node, needsNode)) {
      console.log(`${name.padEnd(12)} ${command}: left out, needs Node ${needsNode}`)
      continue
    }
    const from = performance.now()
    const [program, ...args] = command.replaceAll('ROOT', root.replace(/\/$/, '')).split(' ')
    const ended = await run(program, args, folder, code)
    const output = ended.stdout + ended.stderr
    for (const wanted of prints)
      if (!wanted.test(output)) throw new Error(`${name}: ${command} did not print ${wanted}:\n${output}`)
    console.log(`${name.padEnd(12)} ${command}: ${code === 0 ? 'green' : 'fails as it should'}, ${seconds(from)} s`)
  }
}

/** Runs a program to its end. @throws Error with its output if the exit code is not `wanted` */
function run(program, args, cwd, wanted = 0) {
  return new Promise((resolve, reject) => {
    const path = `${join(cwd, 'node_modules/.bin')}:${env.PATH}`
    const child = spawn(program, args, { cwd, env: { ...env, PATH: path }, stdio: ['ignore', 'pipe', 'pipe'] })
    const output = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'])
      child[name].setEncoding('utf8').on('data', (text) => (output[name] += text))
    const timer = setTimeout(() => child.kill('SIGKILL'), 300_000)
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      if (code === wanted) resolve(output)
      else
        reject(
          new Error(
            `${cwd}: ${program} ${args.join(' ')} ended with ${signal ?? code}, not ${wanted}:\n${output.stdout}${output.stderr}`,
          ),
        )
    })
  })
}

function seconds(from) {
  return ((performance.now() - from) / 1_000).toFixed(1)
}

function isAtLeast(version, wanted) {
  const [major, minor] = version.split('.').map(Number)
  const [wantedMajor, wantedMinor = 0] = wanted.split('.').map(Number)
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)
}
