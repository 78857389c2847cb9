import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../package/packed.ts'
import { writeFolder } from '../support/folder.ts'

/** A small tree laid out as the project is, with nothing wrong in it: each layer imports from those below. */
const sound = {
  'src/core/time/system-time.ts':
    'export const { Date, setTimeout } = globalThis\nexport const systemNow = Date.now\nexport const now = () => performance.now()\n',
  'src/core/time/clock.ts':
    "import { setTimeout, systemNow } from './system-time.ts'\n\nexport const now = () => systemNow()\nexport const later = (run: () => void) => setTimeout(run, 10)\n",
  'src/core/time/random.ts': 'export const chance = () => Math.random()\nexport const id = () => crypto.randomUUID()\n',
  'src/core/world/world.ts': "import { now } from '../time/clock.ts'\n\nexport class World {\n  at = now()\n}\n",
  'src/core/pipeline/exchange.ts':
    "import { World } from '../world/world.ts'\n\nexport class Exchange {\n  world = new World()\n}\n",
  'src/data.ts': "export { Query } from '@msw/data'\n",
  'src/areas/plants/index.ts': "export { create } from './operations/create.ts'\n",
  'src/areas/plants/operations/create.ts':
    "import { now } from '../../../core/time/clock.ts'\n\nexport const create = () => now()\n",
  'src/areas/apps/index.ts': "export { list } from './apps/list.ts'\n",
  'src/areas/apps/apps/list.ts':
    "import { id } from '../../../core/time/random.ts'\n\nexport const list = () => [id()]\n",
  'src/scenarios/language/bundled.ts':
    "import documents from '../../scenarios/*.yaml'\n\nexport const scenarios = documents\n",
  'src/fixtures/bundled.ts': "import documents from '../../fixtures/*.yaml'\n\nexport const fixtures = documents\n",
  'src/api/assembly/create.ts':
    "import { list } from '../areas/apps/index.ts'\nimport { create } from '../areas/plants/index.ts'\n\nexport const greenhouse = [create, list]\n",
  'src/index.ts': "export { greenhouse } from './api/create.ts'\n",
  'src/adapters/msw.ts':
    "import { http } from 'msw'\nimport { greenhouse } from '../api/create.ts'\n\nexport const handlers = [http, greenhouse]\n",
  'src/node-http/server.ts':
    "import { createServer } from 'node:http'\nimport { setTimeout } from '../core/time/system-time.ts'\n\nexport const close = () => setTimeout(() => createServer().close(), 1_000)\n",
  'src/cli/main.ts':
    "import { readFileSync } from 'node:fs'\nimport { close } from '../node-http/server.ts'\n\nexport const run = [readFileSync, close]\n",
}

const up = 'eslint(no-restricted-imports)'
const global = 'eslint(no-restricted-globals)'
const property = 'eslint(no-restricted-properties)'
const builtin = 'import(no-nodejs-modules)'
const cycle = 'import(no-cycle)'
const types = 'typescript(consistent-type-imports)'
const unused = 'eslint(no-unused-vars)'

/** One fault each: what is wrong, in which file, its text, and the rule that must say so. */
const faults: readonly [title: string, path: string, text: string, rule: string][] = [
  [
    'an import hidden in a type',
    'src/core/world/hidden.ts',
    "export type Run = import('../time/clock.ts').now\n",
    types,
  ],
  ['core imports msw', 'src/core/http/mock.ts', "export { http } from 'msw'\n", up],
  ['the command line imports msw', 'src/cli/mock.ts', "export { setupServer } from 'msw/node'\n", up],
  ['another adapter imports msw', 'src/adapters/express.ts', "export { http } from 'msw'\n", up],
  ['core imports @msw/data', 'src/core/store/store.ts', "export { Collection } from '@msw/data'\n", up],
  ['an area imports @msw/data', 'src/areas/apps/store.ts', "export { Collection } from '@msw/data'\n", up],
  [
    'the MSW adapter imports @msw/data',
    'src/adapters/msw.ts',
    "import { http } from 'msw'\nimport { Collection } from '@msw/data'\n\nexport const handlers = [http, Collection]\n",
    up,
  ],

  ['core imports a module of Node', 'src/core/http/file.ts', "export { readFileSync } from 'node:fs'\n", builtin],
  ['core imports a module without node:', 'src/core/http/bare-file.ts', "export { join } from 'path'\n", builtin],
  ['an area imports a module of Node', 'src/areas/apps/file.ts', "export { readFileSync } from 'node:fs'\n", builtin],
  ['scenarios import a module of Node', 'src/scenarios/file.ts', "export { readFileSync } from 'node:fs'\n", builtin],
  ['fixtures import a module of Node', 'src/fixtures/file.ts', "export { readFileSync } from 'node:fs'\n", builtin],
  ['the public entry imports a module of Node', 'src/index.ts', "export { Buffer } from 'node:buffer'\n", builtin],

  [
    'two modules in a circle',
    'src/core/http/circle-a.ts',
    "import { b } from './circle-b.ts'\n\nexport const a = () => b\n",
    cycle,
  ],
  [
    'a circle of types alone',
    'src/core/http/types-a.ts',
    "import type { B } from './types-b.ts'\n\nexport type A = { b: B }\n",
    cycle,
  ],
  [
    'three modules in a circle',
    'src/areas/apps/ring-a.ts',
    "import { type B, b } from './ring-b.ts'\n\nexport const a = (): B => b\n",
    cycle,
  ],

  ['Date.now()', 'src/core/http/now.ts', 'export const now = () => Date.now()\n', global],
  ['new Date()', 'src/areas/apps/date.ts', 'export const date = () => new Date()\n', global],
  ['Date of globalThis', 'src/core/http/hidden.ts', 'export const now = () => globalThis.Date.now()\n', global],
  ['performance.now()', 'src/api/timing.ts', 'export const now = () => performance.now()\n', global],
  ['setTimeout', 'src/scenarios/wait.ts', 'export const wait = (run: () => void) => setTimeout(run, 10)\n', global],
  ['setInterval', 'src/control/tick.ts', 'export const tick = (run: () => void) => setInterval(run, 10)\n', global],
  ['setImmediate', 'src/adapters/soon.ts', 'export const soon = (run: () => void) => setImmediate(run)\n', global],
  ['Date.now() in the clock', 'src/core/time/clock.ts', 'export const now = () => Date.now()\n', global],
  ['clearTimeout', 'src/files/stop.ts', 'export const stop = (timer: number) => clearTimeout(timer)\n', global],
  ['queueMicrotask', 'src/adapters/next.ts', 'export const next = (run: () => void) => queueMicrotask(run)\n', global],
  ['process.nextTick()', 'src/adapters/tick.ts', 'export const next = () => process.nextTick(next)\n', property],
  ['real time in core', 'src/core/http/real.ts', "export { setTimeout } from '../time/system-time.ts'\n", up],
  ['real time in an area', 'src/areas/real.ts', "export { systemNow } from '../core/time/system-time.ts'\n", up],
  ['real time in scenarios', 'src/scenarios/real.ts', "export { setTimeout } from '../core/time/system-time.ts'\n", up],
  ['real time in an adapter', 'src/adapters/real.ts', "export { systemNow } from '../core/time/system-time.ts'\n", up],
  ['the time of day in the server', 'src/node-http/server.ts', 'export const now = () => Date.now()\n', global],
  ['timers of Node', 'src/adapters/timers.ts', "export { setTimeout } from 'node:timers/promises'\n", up],
  ['Math.random()', 'src/core/http/chance.ts', 'export const chance = () => Math.random()\n', property],
  ['crypto.randomUUID()', 'src/core/http/uuid.ts', 'export const id = () => crypto.randomUUID()\n', property],
  [
    'crypto.getRandomValues()',
    'src/fixtures/bytes.ts',
    'export const bytes = () => globalThis.crypto.getRandomValues(new Uint8Array(8))\n',
    property,
  ],
  ['a command that prints', 'src/cli/loud.ts', "export const shout = () => process.stdout.write('!')\n", property],
  ['a command that hears signals of the process', 'src/cli/ears.ts', "process.on('SIGINT', () => {})\n", property],
  ['randomUUID of Node', 'src/cli/uuid.ts', "export { randomUUID } from 'node:crypto'\n", up],

  ['something unused', 'src/core/http/unused.ts', 'const unused = 1\nexport const used = 2\n', unused],
]

const beside = {
  'src/core/http/types-b.ts': "import type { A } from './types-a.ts'\n\nexport interface B {\n  a: A\n}\n",
  'src/core/http/circle-b.ts': "import { a } from './circle-a.ts'\n\nexport const b = () => a\n",
  'src/areas/apps/ring-b.ts':
    "import { c } from './ring-c.ts'\n\nexport type B = () => unknown\nexport const b: B = () => c\n",
  'src/areas/apps/ring-c.ts': "import { a } from './ring-a.ts'\n\nexport const c = () => a\n",
}

test('a tree without faults passes', () => {
  expect(lint(sound)).toEqual({ exitCode: 0, broken: {} })
})

test('in a tree with faults each is an error, and no other file is reported', () => {
  const faulty = Object.fromEntries(faults.map(([, path, text]) => [path, text]))
  const { exitCode, broken } = lint({ ...sound, ...beside, ...faulty })
  expect(exitCode).toBe(1)
  for (const [title, path, , rule] of faults) expect([title, broken[path]]).toEqual([title, [rule]])
  expect(Object.keys(broken).filter((path) => !(path in faulty) && !(path in beside))).toEqual([])
})

/** Lints these files, by path, with the project's own rules. Returns the rules that each file breaks, and the exit code. */
function lint(files: Readonly<Record<string, string>>) {
  const folder = writeFolder({ ...files, '.oxlintrc.json': readFileSync(join(root, '.oxlintrc.json')) })
  const words = [join(root, 'node_modules/oxlint/bin/oxlint'), '--format', 'json']
  const { status, stdout } = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' })
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] }
  const broken: Record<string, string[]> = {}
  for (const { code, filename } of diagnostics) {
    const rules = (broken[filename.replaceAll('\\', '/')] ??= [])
    if (!rules.includes(code)) rules.push(code)
  }
  return { exitCode: status, broken }
}
