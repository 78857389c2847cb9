// Runs the examples as examples/README.md says: each copied out of the clone, with the packed
// tarball.
//     node .ci/examples.mjs            all examples
//     node .ci/examples.mjs jest mocha only these
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { environment, execute } from './programs.mjs'

/**
 * The day whose newest versions are installed: a release after it fails nothing. What Dependabot
 * raises may need a later one.
 */
const day = '2026-11-27'

const root = fileURLToPath(new URL('..', import.meta.url))
const missingChromium = ({ CHROMIUM }) =>
  existsSync(CHROMIUM) ? undefined : `it needs Chromium at ${CHROMIUM}`

const missingDriver = (env) =>
  missingChromium(env) ??
  (existsSync('/usr/bin/chromedriver')
    ? undefined
    : 'it needs /usr/bin/chromedriver: apt-get install chromium-driver')

const missingRequests = () =>
  spawnSync('python3', ['-c', 'import requests']).status === 0
    ? undefined
    : 'it needs python3 and requests: apt-get install python3-requests'

/** The output of a failing test, with any runner. */
const journal =
  /Greenhouse world fails-and-prints-its-requests-\S+: 1 request\n\s+GET \/v1\/apps 500 apps\.list \[server-error\]/
const stray = /a request went astray\.\n\s+GET http:\/\/127\.0\.0\.1:\d+\/plants names no world/

const vitestJournal =
  /Greenhouse world fails-and-prints-its-requests-\S+: 1 request\n\s+GET \/v1\/apps 500/

/** Type-checks examples without their own TypeScript with ours. */
const typecheck = 'ROOT/node_modules/.bin/tsc --typeRoots ROOT/node_modules/@types'

/**
 * The steps of each example: commands in its folder, their exit codes, and what they must print.
 */
const examples = {
  vitest: {
    steps: [
      { command: 'npm test -- --testTimeout 120000', prints: [/Tests +7 passed/] },
      {
        command: 'npm run test:failing -- --testTimeout 120000',
        code: 1,
        prints: [/Tests +2 failed \| 1 passed/, vitestJournal, stray],
      },
      { command: typecheck },
    ],
  },
  'plug-in': {
    steps: [
      { command: 'npm test -- --testTimeout 120000', prints: [/Tests +4 passed/] },
      { command: typecheck },
    ],
  },
  playwright: {
    missing: missingChromium,
    steps: [
      { command: 'npm test -- --timeout 120000', prints: [/4 passed/] },
      {
        command: 'npm run test:failing -- --timeout 120000 --reporter json',
        code: 1,
        prints: [/greenhouse-journal\.json/],
      },
      { command: typecheck },
    ],
  },
  'node-test': {
    steps: [
      { command: 'npm test', prints: [/# pass [78]\n|pass [78]\n/] },
      {
        command: 'npm run test:failing',
        code: 1,
        prints: [/Greenhouse world fails-and-prints-its-requests-\S+: 1 request/, stray],
      },
      // Where Node runs TypeScript.
      ...(process.features.typescript
        ? [{ command: 'node --test typed.test.ts', prints: [/pass 1\n/] }]
        : []),
      { command: typecheck },
    ],
  },
  mocha: {
    steps: [
      { command: 'npm test', prints: [/8 passing/] },
      { command: 'npm run test:parallel', prints: [/8 passing/] },
      {
        command: 'npm run test:failing',
        code: 2,
        prints: [/1 passing/, /2 failing/, journal, stray],
      },
    ],
  },
  jest: {
    steps: [
      { command: 'npm test', prints: [/Tests: +13 passed, 13 total/] },
      {
        command: 'npm run test:failing',
        code: 1,
        prints: [/Tests: +2 failed, 1 passed, 3 total/, journal, stray],
      },
      { command: 'npm run typecheck' },
    ],
  },
  webdriverio: {
    missing: missingDriver,
    steps: [
      { command: 'npm test', prints: [/5 passing/] },
      {
        command: 'npm run test:failing',
        code: 1,
        prints: [
          /fails, and prints its requests: 1 request\n.*GET \S+\/plants 500 plants\.list server-error/,
          /Requests named no world: 1 request\n.*GET \/plants 200/,
        ],
      },
    ],
  },
  cypress: {
    steps: [
      { command: 'npm run typecheck' },
      { command: 'npm run test:tasks', prints: [/pass 3\n/] },
    ],
  },
  recipes: { steps: [{ command: 'npm test', prints: [/Tests +16 passed/] }] },
  storybook: {
    missing: missingChromium,
    steps: [{ command: 'npm run build' }, { command: 'npm test', prints: [/pass 4\n/] }],
  },
  python: {
    missing: missingRequests,
    steps: [
      { command: 'npm test', prints: [/Ran 5 tests/] },
      {
        command: 'npm run test:failing',
        code: 1,
        prints: [
          /failures=2/,
          /test_fails_and_prints_its_requests: 1 requests\n {2}GET \S+\/v1\/apps 500/,
          /These requests named no world: 1 requests\n {2}GET \/plants 200/,
        ],
      },
    ],
  },
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !Object.hasOwn(examples, name))
if (unknown.length > 0) {
  console.error(
    `There is no example ${unknown.join(', ')}. There are: ${Object.keys(examples).join(', ')}.`,
  )
  process.exit(2)
}

// Downloads only npm packages: no Cypress, no browsers and no drivers.
const env = {
  ...environment,
  CHROMIUM: environment.CHROMIUM || '/usr/bin/chromium',
  CYPRESS_INSTALL_BINARY: '0',
  NO_COLOR: '1',
  STORYBOOK_DISABLE_TELEMETRY: '1',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
}

const work = mkdtempSync(join(tmpdir(), 'greenhouse-examples-'))
const startedAt = performance.now()
try {
  await run('npm', ['run', 'pack:examples'], root)
  const queue = Object.entries(examples).filter(
    ([name]) => wanted.length === 0 || wanted.includes(name),
  )
  const failures = []
  const lane = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift())
      await runExample(...next).catch((error) => failures.push(error))
  }
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, lane))
  for (const { message } of failures) console.error(`\n${message}`)
  console.log(
    `\n${seconds(startedAt)} s${failures.length > 0 ? `, ${failures.length} failed` : ''}`,
  )
  if (failures.length > 0) process.exitCode = 1
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** Copies an example, installs its packages, and runs its steps. */
async function runExample(name, { missing, steps }) {
  const reason = missing?.(env)
  if (reason !== undefined) {
    if (process.env.CI) throw new Error(`${name}: ${reason}`)
    return console.log(`${name.padEnd(12)} left out: ${reason}`)
  }
  const folder = join(work, name)
  mkdirSync(folder)
  cpSync(join(root, 'examples', name), folder, {
    recursive: true,
    filter: (path) => !path.endsWith('node_modules'),
  })
  const begun = performance.now()
  await run(
    'npm',
    ['install', '--before', day, '--no-package-lock', '--ignore-scripts', '--prefer-offline'],
    folder,
  )
  console.log(`${name.padEnd(12)} installed, ${seconds(begun)} s`)
  for (const { command, code = 0, prints = [] } of steps) {
    const from = performance.now()
    const [program, ...args] = command.replaceAll('ROOT', root.replace(/\/$/, '')).split(' ')
    const output = await run(program, args, folder, code)
    for (const wanted of prints)
      if (!wanted.test(output))
        throw new Error(`${name}: ${command} did not print ${wanted}:\n${output}`)
    console.log(
      `${name.padEnd(12)} ${command}: ${code === 0 ? 'green' : 'fails as it should'}, ${seconds(from)} s`,
    )
  }
}

/**
 * Runs a program, and returns its output. @throws Error with that if the exit code is not `wanted`
 */
async function run(program, args, cwd, wanted = 0) {
  const PATH = `${join(cwd, 'node_modules/.bin')}:${env.PATH}`
  const { code, output } = await execute(program, args, {
    cwd,
    env: { ...env, PATH },
    timeout: 300_000,
  })
  if (code === wanted) return output
  throw new Error(
    `${cwd}: ${program} ${args.join(' ')} ended with ${code}, not ${wanted}:\n${output}`,
  )
}

function seconds(from) {
  return ((performance.now() - from) / 1_000).toFixed(1)
}
