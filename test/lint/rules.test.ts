import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../package/packed.ts'
import { writeFolder } from '../support/folder.ts'

/**
 * A small tree laid out as the project is, with nothing wrong in it: each layer imports from those
 * below.
 */
const sound = {
  'src/core/time/system-time.ts':
    'export const { Date, setTimeout } = globalThis\nexport const systemNow = Date.now\nexport const now = () => performance.now()\n',
  'src/core/time/clock.ts':
    "import { setTimeout, systemNow } from './system-time.ts'\n\nexport const now = () => systemNow()\nexport const later = (run: () => void) => setTimeout(run, 10)\n",
  'src/core/time/random.ts':
    'export const chance = () => Math.random()\nexport const id = () => crypto.randomUUID()\n',
  'src/core/world/world.ts':
    "import { now } from '../time/clock.ts'\n\nexport class World {\n  at = now()\n}\n",
  'src/core/pipeline/exchange.ts':
    "import { World } from '../world/world.ts'\n\nexport const world = new World()\n",
  'src/data.ts': "export { Query } from '@msw/data'\n",
  'src/areas/plants/index.ts': "export { create } from './create.ts'\n",
  'src/areas/plants/create.ts': "export { now as create } from '../../core/time/clock.ts'\n",
  'src/areas/apps/index.ts': "export { list } from './apps/list.ts'\n",
  'src/areas/apps/apps/list.ts': "export { id as list } from '../../../core/time/random.ts'\n",
  'src/scenarios/language/bundled.ts':
    "import all from '../../scenarios/*.yaml'\n\nexport const scenarios = all\n",
  'src/fixtures/bundled.ts':
    "import documents from '../../fixtures/*.yaml'\n\nexport const fixtures = documents\n",
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

const faults: readonly [path: string, text: string, rule: string][] = [
  ['src/core/world/hidden.ts', "export type Run = import('../time/clock.ts').now\n", types],
  ['src/core/http/mock.ts', "export { http } from 'msw'\n", up],
  ['src/cli/mock.ts', "export { setupServer } from 'msw/node'\n", up],
  ['src/adapters/express.ts', "export { http } from 'msw'\n", up],
  ['src/core/store/store.ts', "export { Collection } from '@msw/data'\n", up],
  ['src/areas/apps/store.ts', "export { Collection } from '@msw/data'\n", up],
  [
    'src/adapters/msw.ts',
    "import { http } from 'msw'\nimport { Collection } from '@msw/data'\n\nexport const handlers = [http, Collection]\n",
    up,
  ],

  ['src/core/http/file.ts', "export { readFileSync } from 'node:fs'\n", builtin],
  ['src/core/http/bare-file.ts', "export { join } from 'path'\n", builtin],
  ['src/areas/apps/file.ts', "export { readFileSync } from 'node:fs'\n", builtin],
  ['src/scenarios/file.ts', "export { readFileSync } from 'node:fs'\n", builtin],
  ['src/fixtures/file.ts', "export { readFileSync } from 'node:fs'\n", builtin],
  ['src/index.ts', "export { Buffer } from 'node:buffer'\n", builtin],
  ['src/control/actions/file.ts', "export { readFileSync } from 'node:fs'\n", builtin],
  ['src/control/client/file.ts', "export { readFileSync } from 'node:fs'\n", builtin],
  ['src/control/actions/up.ts', "export { sendAnswer } from '../http/send.ts'\n", up],

  [
    'src/core/http/circle-a.ts',
    "import { b } from './circle-b.ts'\n\nexport const a = () => b\n",
    cycle,
  ],
  [
    'src/core/http/types-a.ts',
    "import type { B } from './types-b.ts'\n\nexport type A = { b: B }\n",
    cycle,
  ],
  [
    'src/areas/apps/ring-a.ts',
    "import { type B, b } from './ring-b.ts'\n\nexport const a = (): B => b\n",
    cycle,
  ],

  ['src/core/http/now.ts', 'export const now = () => Date.now()\n', global],
  ['src/areas/apps/date.ts', 'export const date = () => new Date()\n', global],
  ['src/core/http/hidden.ts', 'export const now = () => globalThis.Date.now()\n', global],
  ['src/api/timing.ts', 'export const now = () => performance.now()\n', global],
  [
    'src/scenarios/wait.ts',
    'export const wait = (run: () => void) => setTimeout(run, 10)\n',
    global,
  ],
  [
    'src/control/tick.ts',
    'export const tick = (run: () => void) => setInterval(run, 10)\n',
    global,
  ],
  ['src/adapters/soon.ts', 'export const soon = (run: () => void) => setImmediate(run)\n', global],
  ['src/core/time/clock.ts', 'export const now = () => Date.now()\n', global],
  ['src/files/stop.ts', 'export const stop = (timer: number) => clearTimeout(timer)\n', global],
  [
    'src/adapters/next.ts',
    'export const next = (run: () => void) => queueMicrotask(run)\n',
    global,
  ],
  ['src/adapters/tick.ts', 'export const next = () => process.nextTick(next)\n', property],
  ['src/core/http/real.ts', "export { setTimeout } from '../time/system-time.ts'\n", up],
  ['src/areas/real.ts', "export { systemNow } from '../core/time/system-time.ts'\n", up],
  ['src/scenarios/real.ts', "export { setTimeout } from '../core/time/system-time.ts'\n", up],
  ['src/adapters/real.ts', "export { systemNow } from '../core/time/system-time.ts'\n", up],
  ['src/node-http/server.ts', 'export const now = () => Date.now()\n', global],
  ['src/adapters/timers.ts', "export { setTimeout } from 'node:timers/promises'\n", up],
  ['src/core/http/chance.ts', 'export const chance = () => Math.random()\n', property],
  ['src/core/http/uuid.ts', 'export const id = () => crypto.randomUUID()\n', property],
  [
    'src/fixtures/bytes.ts',
    'export const bytes = () => globalThis.crypto.getRandomValues(new Uint8Array(8))\n',
    property,
  ],
  ['src/cli/loud.ts', "export const shout = () => process.stdout.write('!')\n", property],
  ['src/cli/ears.ts', "process.on('SIGINT', () => {})\n", property],
  ['src/cli/uuid.ts', "export { randomUUID } from 'node:crypto'\n", up],

  ['src/core/http/unused.ts', 'const unused = 1\nexport const used = 2\n', unused],
]

const beside = {
  'src/core/http/types-b.ts':
    "import type { A } from './types-a.ts'\n\nexport interface B {\n  a: A\n}\n",
  'src/core/http/circle-b.ts': "import { a } from './circle-a.ts'\n\nexport const b = () => a\n",
  'src/areas/apps/ring-b.ts':
    "import { c } from './ring-c.ts'\n\nexport type B = () => unknown\nexport const b: B = () => c\n",
  'src/areas/apps/ring-c.ts': "import { a } from './ring-a.ts'\n\nexport const c = () => a\n",
}

test('a tree without faults passes', () => {
  expect(lint(sound)).toEqual({ exitCode: 0, broken: {} })
})

test('in a tree with faults each is an error, and no other file is reported', () => {
  const faulty = Object.fromEntries(faults.map(([path, text]) => [path, text]))
  const { exitCode, broken } = lint({ ...sound, ...beside, ...faulty })
  expect(exitCode).toBe(1)
  for (const [path, text, rule] of faults)
    expect([path, text, broken[path]]).toEqual([path, text, [rule]])
  expect(Object.keys(broken).filter((path) => !(path in faulty) && !(path in beside))).toEqual([])
})

interface Rules {
  readonly overrides: readonly {
    readonly files: readonly string[]
    readonly excludeFiles?: readonly string[]
  }[]
}

test('every place that a rule of oxlint names has a file', () => {
  const { overrides } = parseRules(readFileSync(join(root, '.oxlintrc.json'), 'utf8'))
  const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n')
  const places = overrides.flatMap((rule) => [...rule.files, ...(rule.excludeFiles ?? [])])
  expect(places.length).toBeGreaterThan(15)
  expect(places.flatMap(toPatterns).filter((place) => !files.some(matcherOf(place)))).toEqual([])
})

/** The file is JSON with comments, each on lines of its own. */
const parseRules = (text: string) => JSON.parse(text.replaceAll(/^\s*\/\/.*$/gm, '')) as Rules

/** Returns the globs without braces: each alternative has to be there. */
function toPatterns(glob: string): string[] {
  const [whole, before, alternatives, after] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(glob) ?? []
  if (whole === undefined) return [glob]
  return alternatives!.split(',').flatMap((one) => toPatterns(before! + one + after!))
}

function matcherOf(glob: string): (file: string) => boolean {
  const pattern = glob
    .replaceAll('.', '\\.')
    .replaceAll('**', '.+')
    .replace(/(?<!\.)\*/g, '[^/]+')
  return (file) => new RegExp(`^${pattern}$`).test(file)
}

/**
 * Lints these files, by path, with the project's own rules. Returns the rules that each file
 * breaks, and the exit code.
 */
function lint(files: Readonly<Record<string, string>>) {
  const folder = writeFolder({
    ...files,
    '.oxlintrc.json': readFileSync(join(root, '.oxlintrc.json')),
  })
  const words = [join(root, 'node_modules/oxlint/bin/oxlint'), '--format', 'json']
  const { status, stdout } = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' })
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { code: string; filename: string }[]
  }
  const broken: Record<string, string[]> = {}
  for (const { code, filename } of diagnostics) {
    const rules = (broken[filename.replaceAll('\\', '/')] ??= [])
    if (!rules.includes(code)) rules.push(code)
  }
  return { exitCode: status, broken }
}
