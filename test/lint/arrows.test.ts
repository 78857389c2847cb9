import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { layers, wrongArrows } from '../../build/arrows.mjs'
import { findCycles } from '../../build/cycles.mjs'
import { root } from '../package/packed.ts'
import { writeFolder } from '../support/folder.ts'

const faults: readonly [path: string, imported: string, message: string][] = [
  [
    'core/world/up.ts',
    '../../areas/plants/index.ts',
    'that points up, from core/world to areas/plants.',
  ],
  [
    'core/http/up.ts',
    "import type { Scenario } from '../../scenarios/schema.ts'",
    'from core/http to scenarios.',
  ],
  [
    'core/pipeline/up.ts',
    "export const load = () => import('../../adapters/server.ts')",
    'core/pipeline to adapters.',
  ],
  [
    'core/store/up.ts',
    "export type Run = import('../world/world.ts').World",
    'from core/store to core/world.',
  ],
  ['core/journal/up.ts', '../pipeline/exchange.ts', 'from core/journal to core/pipeline.'],
  [
    'areas/plants/x.ts',
    '../apps/apps/list.ts',
    'that points sideways, from areas/plants to areas/apps.',
  ],
  ['areas/apps/apps/sideways.ts', '../../plants/index.ts', 'that points sideways'],
  ['areas/up.ts', './plants/schemas.ts', 'that points up, from areas to areas/plants.'],
  ['areas/plants/sideways.ts', '../../scenarios/bundled.ts', 'that points sideways'],
  ['scenarios/sideways.ts', '../fixtures/bundled.ts', 'that points sideways'],
  ['fixtures/up.ts', '../api/create.ts', 'from fixtures to api.'],
  ['custom/up.ts', '../api/world.ts', 'that points up, from custom to api.'],
  [
    'cases/up.ts',
    "import type { World } from '../api/world.ts'",
    'that points up, from cases to api.',
  ],
  ['cases/sideways.ts', '../custom/definitions.ts', 'that points sideways'],
  ['catalogue/up.ts', '../custom/definitions.ts', 'from catalogue to custom.'],
  ['api/replay.ts', '../replay/replay.ts', 'that points up, from api to replay.'],
  ['control/up.ts', '../adapters/server.ts', 'from control to adapters.'],
  ['adapters/up.ts', '../cli/main.ts', 'from adapters to cli.'],
  ['api/up.ts', '../index.ts', 'to an entry of the package.'],
  ['helpers/any.ts', 'export const any = 1', 'no layer has the folder "helpers"'],
]

test.each(faults)('%s must not have %s: %s', (path, imported, message) => {
  const text = imported.startsWith('.') ? `export { one } from '${imported}'` : imported
  expect(wrongArrows(writeFolder({ [path]: text }))).toEqual([expect.stringContaining(message)])
})

test('down, within a folder and from an entry everything may be imported', () => {
  const folder = writeFolder({
    'index.ts': "export { create } from './api/create.ts'",
    'api/create.ts':
      "import type { World } from '../core/world/world.ts'\nimport { other } from './other.ts'\nimport { http } from 'msw'\nexport const create: World = [other, http]",
    'api/other.ts': "export const other = () => import('../core/contract/errors.ts')",
  })
  expect(wrongArrows(folder)).toEqual([])
})

test('no import of the project points up or sideways', () => {
  expect(wrongArrows(join(root, 'src'))).toEqual([])
})

test('ARCHITECTURE.md draws the same arrows', () => {
  const toArrows = (some: readonly (readonly string[])[], parent: string) =>
    some
      .map((folders) => folders.map((folder) => folder.replace(parent, '')).join(', '))
      .join(' → ')
  const isOfCore = ([folder]: readonly string[]) => folder!.startsWith('core/')
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
  const others = layers.filter((layer) => !isOfCore(layer))
  expect(text).toContain(`${toArrows(others, 'areas/')} → core\n`)
  expect(text).toContain(`core:  ${toArrows(layers.filter(isOfCore), 'core/')}\n`)
})

test('a circle of imports is reported, even one of types or of lazy imports', () => {
  const folder = writeFolder({
    'cli/log.ts': "export const run = () => import('./log/show.ts')",
    'cli/log/show.ts': "import { read } from './read.ts'",
    'cli/log/read.ts': "import type { Arguments } from '../log.ts'",
    'cli/alone.ts': "import './log.ts'",
  })
  expect(findCycles(folder)).toEqual([
    'These files import each other: src/cli/log.ts → src/cli/log/show.ts → src/cli/log/read.ts → src/cli/log.ts.',
  ])
  expect(findCycles(join(root, 'src'))).toEqual([])
})
