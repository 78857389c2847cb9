import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { layers, wrongArrows } from '../../build/arrows.mjs'
import { findCycles } from '../../build/cycles.mjs'
import { root } from '../package/packed.ts'
import { writeFolder } from '../support/folder.ts'

/** Forbidden imports: title, path, text, and message. */
const faults: readonly [title: string, path: string, text: string, told: string][] = [
  [
    'core imports an area',
    'core/world/up.ts',
    "export { create } from '../../areas/plants/index.ts'",
    'that points up, from core/world to areas/plants.',
  ],
  [
    'core imports a scenario for its type alone',
    'core/http/up.ts',
    "import type { Scenario } from '../../scenarios/schema.ts'",
    'from core/http to scenarios.',
  ],
  [
    'core imports an adapter lazily',
    'core/pipeline/up.ts',
    "export const load = () => import('../../adapters/server.ts')",
    'from core/pipeline to adapters.',
  ],
  [
    'core hides an import in a type',
    'core/store/up.ts',
    "export type Run = import('../world/world.ts').World",
    'from core/store to core/world.',
  ],
  [
    'the journal imports the pipeline',
    'core/journal/up.ts',
    "import type { Exchange } from '../pipeline/exchange.ts'",
    'from core/journal to core/pipeline.',
  ],
  [
    'Area A imports Area B',
    'areas/plants/operations/sideways.ts',
    "export { list } from '../../apps/apps/list.ts'",
    'that points sideways, from areas/plants to areas/apps.',
  ],
  [
    'Area B imports Area A',
    'areas/apps/apps/sideways.ts',
    "export { create } from '../../plants/index.ts'",
    'that points sideways',
  ],
  [
    'what both areas share imports one of them',
    'areas/up.ts',
    "export { plants } from './plants/schemas.ts'",
    'that points up, from areas to areas/plants.',
  ],
  [
    'an area imports scenarios',
    'areas/plants/sideways.ts',
    "export { bundled } from '../../scenarios/bundled.ts'",
    'that points sideways',
  ],
  [
    'scenarios import fixtures',
    'scenarios/sideways.ts',
    "export { bundled } from '../fixtures/bundled.ts'",
    'that points sideways',
  ],
  [
    'fixtures import what is made of them',
    'fixtures/up.ts',
    "export { create } from '../api/create.ts'",
    'from fixtures to api.',
  ],
  [
    'the control API imports an adapter',
    'control/up.ts',
    "export { serve } from '../adapters/server.ts'",
    'from control to adapters.',
  ],
  [
    'an adapter imports the command line',
    'adapters/up.ts',
    "export { run } from '../cli/main.ts'",
    'from adapters to cli.',
  ],
  [
    'a module imports an entry of the package',
    'api/up.ts',
    "export { createGreenhouse } from '../index.ts'",
    'to an entry of the package.',
  ],
  [
    'a file is in a folder that no layer has',
    'helpers/any.ts',
    'export const any = 1',
    'no layer has the folder "helpers"',
  ],
]

test.each(faults)('it is wrong when %s', (_title, path, text, told) => {
  const folder = writeFolder({ [path]: text })
  expect(wrongArrows(folder)).toEqual([expect.stringContaining(told)])
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
    some.map((folders) => folders.map((folder) => folder.replace(parent, '')).join(', ')).join(' → ')
  const isOfCore = ([folder]: readonly string[]) => folder!.startsWith('core/')
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
  expect(text).toContain(
    `${toArrows(
      layers.filter((layer) => !isOfCore(layer)),
      'areas/',
    )} → core\n`,
  )
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
