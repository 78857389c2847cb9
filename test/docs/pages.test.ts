import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type AssumptionChoices, createGreenhouse } from 'greenhouse-mock'
import { builtInCatalogue } from '../../src/catalogue/catalogue.ts'
import { validationRules } from '../../src/core/pipeline/validate/index.ts'
import { violationRules } from '../../src/core/journal/violation.ts'
import { createOpenApi } from '../../src/contract/document/index.ts'
import { readPage, toTable } from './table.ts'
import { controlActions } from '../../src/control/actions/index.ts'
import { createControlDocument } from '../../src/control/document.ts'
import { root } from '../package/packed.ts'

const greenhouse = createGreenhouse()
const code = (text: string) => `\`${text}\``

const builtPage = (name: string) => readFileSync(join(root, 'dist/docs', `${name}.md`), 'utf8')
const { paths } = await createControlDocument(controlActions, {
  server: '',
  catalogue: builtInCatalogue,
})

test.each<[page: string, names: readonly string[]]>([
  ['assumptions', greenhouse.assumptions().map(({ id }) => id)],
  ['scenario-library', greenhouse.scenarios().map(({ name }) => name)],
  ['operations', greenhouse.operations().map(({ id }) => id)],
  ['control-routes', controlActions.map(({ method, path }) => `${method} ${path}`)],
])('the build writes %s.md, with a row for each', (page, names) => {
  const text = builtPage(page)
  const rows = text.split('\n').filter((line) => line.startsWith('| `'))
  expect(names.filter((name) => !rows.some((row) => row.startsWith(`| \`${name}\``)))).toEqual([])
  const [first = ''] = rows
  const cells = first.split(/[^\\]\|/).length
  expect(
    rows.slice(0, names.length).filter((row) => row.split(/[^\\]\|/).length !== cells),
  ).toEqual([])
})

test.each([
  [
    'assumptions',
    '| `plants.delete.unknown` | Deletion of an id that does not exist | `404` | `400`, `204` | ours |',
  ],
  [
    'scenario-library',
    '| `expired-key` | Expired key | Sending the user to fetch a new key instead of retrying;',
  ],
  ['faults', '| `reset` | The connection is reset (TCP RST)'],
  ['operations', '| 404 | [PlantError](#planterror) | The resource does not exist. |'],
  ['operations', '```text\nDELETE /plants/101\n\n204\n```'],
])('the built %s.md has, as it stands here: %s', (page, text) => {
  expect(builtPage(page)).toContain(text)
})

test('operations.md has a section for every operation, with its replies, and every shape', async () => {
  const text = builtPage('operations')
  const { components } = await createOpenApi()
  for (const { id, title } of greenhouse.operations())
    expect(text).toContain(`## \`${id}\`: ${title}`)
  for (const shape of Object.keys(components['schemas'] as object))
    expect(text).toContain(`### ${shape}\n`)
  expect(text.match(/^\| status \| body \| when \|$/gm)).toHaveLength(
    greenhouse.operations().length,
  )
})

test('control-routes.md says what each route takes and answers', () => {
  const text = builtPage('control-routes')
  for (const { method, path, title, description } of controlActions) {
    expect(text).toContain(`${title}. ${description}`)
    expect(paths[path]![method.toLowerCase()]!.summary).toBe(title)
  }
  expect(text).toContain('| `PATCH /worlds/{world}/clock` | Move, freeze or start the clock.')
  expect(text).toContain('| `{now?, advance?, frozen?}` | `Clock` |')
})

test('docs/reference.md has a section for every page that the build writes', () => {
  const built = readdirSync(join(root, 'dist/docs')).map((file) => `\n\n\`${file}\`: `)
  expect(built).toHaveLength(8)
  expect(built.filter((start) => !readPage('reference.md').includes(start))).toEqual([])
})

test('docs/judging.md lists every rule once, and what breaks it', () => {
  const table = toTable(
    ['rule', 'what breaks it'],
    validationRules.map(({ id, finds }) => [code(id), finds]),
  )
  expect(readPage('judging.md')).toContain(table)
  expect(validationRules.map(({ id }) => id)).toEqual(violationRules)
})

test('the document has a field that an assumption adds', async () => {
  const fieldsOf = async (assumptions: AssumptionChoices) => {
    const { paths } = (await createOpenApi({ area: 'plants', assumptions, examples: false })) as any
    return Object.keys(
      paths['/plants'].get.responses['200'].content['application/json'].schema.items.properties ??
        {},
    )
  }
  expect(await fieldsOf({})).toEqual([])
  expect(await fieldsOf({ 'plants.body.includes-id': 'yes' })).toEqual(['name', 'tag', 'id'])
})
