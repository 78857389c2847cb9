// Runs the package as published with faked timers, and in page-like environments with their own globals: Vitest, Jest
// 29 and 30, node:test, Sinon's fake timers, jsdom, happy-dom. Takes some minutes and its own packages. After a build:
// `node .ci/environments/run.mjs [WORD…]` runs the cells whose names contain all words.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { home, install } from './install.mjs'

const modules = join(home, 'node_modules')
const faked = ['faked-after', 'faked-before']

const vitest = (environment, files, pool = 'forks') => ({
  name: `vitest 4, ${environment}, ${pool}`,
  args: [join(modules, 'vitest/vitest.mjs'), 'run', '--environment', environment, '--pool', pool, ...files],
  runner: 'vitest',
})

const jest = (version, environment, files) => ({
  name: `jest ${version}, ${environment}`,
  args: [
    '--experimental-vm-modules',
    join(modules, version === 30 ? 'jest' : 'jest-29', 'bin/jest.js'),
    '--env',
    environment === 'jsdom' && version === 29 ? 'jest-environment-jsdom-29' : environment,
    ...files,
  ],
  runner: 'jest',
})

const node = (name, runner, files, ...flags) => ({
  name,
  args: [...flags, '--test', ...files.map((file) => `tests/${file}.test.mjs`)],
  runner,
})

const cells = [
  vitest('node', faked),
  vitest('node', faked, 'threads'),
  vitest('jsdom', [...faked, 'page-like']),
  vitest('happy-dom', [...faked, 'page-like']),
  ...[30, 29].flatMap((version) => [
    jest(version, 'node', faked),
    jest(version, 'jest-fixed-jsdom', [...faked, 'page-like']),
    jest(version, 'jsdom', ['hidden']),
  ]),
  node('node:test, mock.timers', 'node-test', faked),
  node("sinon's fake timers", 'sinon', faked),
  node('jsdom, as globals', 'node-test', ['page-like'], '--import', './globals/jsdom.mjs'),
  node('happy-dom, as globals', 'node-test', ['page-like'], '--import', './globals/happy-dom.mjs'),
]

install()
const words = process.argv.slice(2)
let failed = 0
for (const { name, args, runner } of cells.filter(({ name }) => words.every((word) => name.includes(word)))) {
  const startedAt = Date.now()
  // A run that waits for a faked timer would never end.
  const { status, stdout, stderr, signal } = spawnSync(process.execPath, ['--no-warnings', ...args], {
    cwd: home,
    encoding: 'utf8',
    env: { ...process.env, RUNNER: runner, NO_COLOR: '1' },
    timeout: 300_000,
    killSignal: 'SIGKILL',
  })
  const seconds = Math.round((Date.now() - startedAt) / 1_000)
  console.log(`${status === 0 ? 'passes' : signal ? 'HANGS' : 'FAILS'}  ${name} (${seconds} s)`)
  if (status === 0) continue
  failed++
  console.log(stdout + stderr)
}
process.exit(failed === 0 ? 0 : 1)
