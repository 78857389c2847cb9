import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { ControlAction } from '../../src/control/call.ts'
import { controlActions } from '../../src/control/actions/index.ts'
import { createControlDocument } from '../../src/control/document.ts'

interface Surface {
  /** Whether it has an action. */
  has(action: ControlAction): boolean
  /** The actions that it does not have, by id, with the reason. */
  readonly without: Readonly<Record<string, string>>
}

const root = new URL('../../', import.meta.url)
const { paths } = await createControlDocument(controlActions, { server: '' })
const page = readFileSync(new URL('../../dist/docs/control-routes.md', import.meta.url), 'utf8')

/** A surface that names routes as `'GET /worlds'`, in the files of a folder. @param reasons the ids that it lacks, by reason */
function inSources(folder: string, reasons: Readonly<Record<string, string>>): Surface {
  const files = readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
  const sources = files.filter((file) => /\.tsx?$/.test(file))
  const text = sources.map((file) => readFileSync(new URL(`${folder}/${file}`, root), 'utf8')).join('\n')
  return {
    // A path alone serves several methods.
    has: ({ method, path }) =>
      [`'${method} ${path}'`, `'${path.slice(1)}' as const`].some((route) => text.includes(route)),
    without: byId(reasons),
  }
}

function byId(reasons: Readonly<Record<string, string>>): Surface['without'] {
  return Object.fromEntries(
    Object.entries(reasons).flatMap(([reason, ids]) => ids.split(' ').map((id) => [id, reason])),
  )
}

/** Everything that follows from the table of actions. A new surface is a new row. */
const surfaces: Readonly<Record<string, Surface>> = {
  'the OpenAPI document': {
    has: ({ id, method, path }) => paths[path]?.[method.toLowerCase()]?.operationId === id,
    without: {},
  },
  'the page control-routes.md': {
    has: ({ method, path, title }) =>
      page.split('\n').some((row) => row.includes(`\`${method} ${path}\``) && row.includes(title)),
    without: {},
  },
  'the client': inSources('src/control/client', {
    'the collection deliveries has them': 'deliveries.list deliveries.read',
    'a world in code has no such name, and the client has the names of World':
      'accounts.refill quotas.list clock.due clock.next deliveries.repeat journal.code journal.read journal.replay snapshots.delete',
    'the command line writes files': 'cases.open evidence.read journal.archive records.export records.export-one',
    'people read it': 'server.document server.problems worlds.document',
    'code changes it back': 'worlds.undo',
    'code writes files itself': 'scenarios.check scenarios.save',
    'another call answers it': 'records.count server.health snapshots.list snapshots.read',
  }),
  'the panel': inSources('src/panel', {
    'the panel asks /start': 'server.health',
    'the client reads streams': 'server.events journal.follow',
    'the panel shows the document of a world': 'server.document',
    'the panel changes one record at a time': 'records.replace',
    'a world lists its snapshots': 'snapshots.list snapshots.read',
  }),
  MCP: inSources('src/control/mcp', {
    'a call has one answer': 'server.events journal.follow',
    'the resources have the documents of both areas': 'worlds.document operations.list collections.list',
    'replies show quotas, and the clock refills them': 'accounts.refill quotas.list',
    'change_records and use_scenario change it back': 'worlds.undo',
    'reset_world and the argument world do it': 'worlds.list worlds.start worlds.delete journal.clear',
    'a case has all of it': 'journal.archive records.export records.export-one evidence.read',
    'more than fifteen tools crowd an agent':
      'scenarios.check scenarios.save cases.open journal.replay snapshots.list snapshots.read snapshots.save snapshots.restore snapshots.delete',
    'records show deliveries, and the app causes them':
      'events.trigger deliveries.list deliveries.read deliveries.repeat webhooks.examine webhooks.grade',
  }),
}

test.each(Object.entries(surfaces))('every action is in %s, or the list says why not', (_, { has, without }) => {
  const missing = controlActions.filter((action) => !has(action)).map(({ id }) => id)
  expect(missing.sort()).toEqual(Object.keys(without).sort())
  for (const reason of Object.values(without)) expect(reason).toMatch(/^[a-z`].* .*[^.]$/)
})
