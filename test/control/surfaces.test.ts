import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { ControlAction } from '../../src/control/action.ts'
import { controlActions } from '../../src/control/actions/index.ts'
import { createControlDocument } from '../../src/control/document.ts'
import { readPage } from '../docs/table.ts'

interface Surface {
  /** Whether it has an action. */
  has(action: ControlAction): boolean
  /** The actions that it does not have, by id, with the reason. */
  readonly without: Readonly<Record<string, string>>
}

const root = new URL('../../', import.meta.url)
const { paths } = await createControlDocument(controlActions, { server: '' })
const page = readPage('control-api.md')

/** A surface that names routes as `'GET /worlds'`, in the files of a folder. @param reasons the ids that it lacks, by reason */
function inSources(folder: string, reasons: Readonly<Record<string, string>>): Surface {
  const files = readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
  const sources = files.filter((file) => /\.tsx?$/.test(file))
  const text = sources.map((file) => readFileSync(new URL(`${folder}/${file}`, root), 'utf8')).join('\n')
  return {
    // A path alone serves several methods.
    has: ({ method, path }) =>
      [`'${method} ${path}'`, `'${path.slice(1)}' as const`].some((route) => text.includes(route)),
    without: Object.fromEntries(
      Object.entries(reasons).flatMap(([reason, ids]) => ids.split(' ').map((id) => [id, reason])),
    ),
  }
}

/** Everything that follows from the table of actions. A new surface is a new row. */
const surfaces: Readonly<Record<string, Surface>> = {
  'the OpenAPI document': {
    has: ({ id, method, path }) => paths[path]?.[method.toLowerCase()]?.operationId === id,
    without: {},
  },
  'docs/control-api.md': {
    has: ({ method, path, title }) =>
      page.split('\n').some((row) => row.includes(`\`${method} ${path}\``) && row.includes(title)),
    without: {},
  },
  'the panel': inSources('src/panel', {
    'the panel asks /start': 'server.health',
    'the client reads streams': 'server.events journal.follow',
    'the panel shows the document of a world': 'server.document',
    'the panel changes one record at a time': 'records.replace',
    'a world lists its snapshots': 'snapshots.list snapshots.read',
  }),
  'a tool or resource for agents': inSources('src/control/mcp', {
    'an agent asks again, and follows nothing': 'server.events journal.follow',
    'the documents and `records` say it': 'operations.list worlds.document collections.list',
    'an agent works in one world, which it resets': 'worlds.list worlds.start worlds.delete',
    '`reset_world` goes back, to the start':
      'snapshots.list snapshots.read snapshots.save snapshots.delete snapshots.compare snapshots.restore',
    '`keys` and `change_records` change it': 'keys.delete accounts.list accounts.read accounts.change accounts.refill',
    '`records` shows deliveries, and webhooks are for people':
      'events.trigger webhooks.grade webhooks.examine deliveries.list deliveries.read deliveries.repeat',
    'what has been asked is evidence, which a tool does not remove or repeat': 'journal.clear journal.replay',
    'files are for people': 'journal.archive cases.open evidence.read records.export records.export-one',
  }),
}

test.each(Object.entries(surfaces))('every action is in %s, or the list says why not', (_, { has, without }) => {
  const missing = controlActions.filter((action) => !has(action)).map(({ id }) => id)
  expect(missing.sort()).toEqual(Object.keys(without).sort())
  for (const reason of Object.values(without)) expect(reason).toMatch(/^[a-z`].* .*[^.]$/)
})
