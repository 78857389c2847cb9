import * as z from 'zod/mini'
import { type Key, nameKey } from '../../core/accounts/accounts.ts'
import { sortAndSlice, type FindOptions } from '../../core/store/record-query.ts'
import { toTextTest } from '../../core/contract/expected.ts'
import { toShape } from '../../core/store/validation-message.ts'
import { fieldsBelow } from '../../core/journal/typed-query.ts'
import { describeProblem, quote } from '../../core/text/messages.ts'
import {
  allCollections,
  type CollectionFacts,
  collectionFacts,
  exportFile,
} from '../../catalogue/inspect/collections.ts'
import { defineAction, type Call, invalid } from '../call.ts'
import type { Fields, Texts } from '../../core/text/values.ts'
import {
  changeRecord,
  createRecord,
  deleteRecord,
  findCollection,
  replaceRecords,
  showRecord,
} from '../records.ts'
import {
  flagParameter,
  listOf,
  maxRecords,
  named,
  openQuery,
  pageFields,
  pageOf,
  schemaOf,
  searchText,
  toListPage,
  tooManyRecords,
} from '../shapes.ts'
import { anyInteger, anyText, described } from '../../core/contract/zod.ts'

const recordsQuery = openQuery(
  {
    search: described(searchText, 'Only records that contain this text'),
    sort: z.optional(described(anyText, 'A field; descending after a minus: -id')),
    ...pageFields,
  },
  ['where'],
  'where.FIELD=VALUE: a field as text; * is any value, null none',
)

const record = schemaOf<object>(
  z
    .looseObject({})
    .check(
      z.describe('A record as it is stored; keys and secrets are fingerprints'),
      z.meta({ id: 'StoredRecord' }),
    ),
)

const recordInput = z.unknown().check(
  z.meta({
    type: 'object',
    description: 'Fields as the store keeps them, or as fixture files write them',
  }),
)

const newRecords = z.pipe(
  z.union(
    [
      z.array(z.unknown()),
      z.pipe(
        // A list that was read has its total.
        z.strictObject({
          data: z.array(z.unknown()),
          total: z.optional(z.unknown()),
        }),
        z.transform(({ data }) => data),
      ),
    ],
    'expected { "data": […] }',
  ),
  z.array(z.unknown()).check(z.maxLength(maxRecords, tooManyRecords)),
)

const fixtureFile = named('FixtureFile', {
  file: anyText,
  text: described(anyText, 'YAML. Loaded at the time in its first line, it gives the same records'),
  records: anyInteger,
  hidden: described(anyInteger, 'How many secrets were replaced'),
})

export const recordActions = [
  defineAction('collections.list', 'GET /collections', {
    title: 'List the collections',
    commands: { 'records collections': 'Show what fields and relations the records have' },
    description: 'Each with its key field, its relations, and the JSON Schema of a stored record.',
    output: listOf(
      schemaOf<CollectionFacts>(
        named('Collection', {
          name: anyText,
          title: anyText,
          id: described(anyText, 'The key field'),
          schema: described(z.looseObject({}), 'JSON Schema, with the format unix-ms for times'),
          relations: z.record(anyText, anyText),
          has_secrets: z.boolean(),
        }),
      ),
    ),
    run: ({ greenhouse }) => ({ data: collectionFacts(greenhouse.catalogue) }),
  }),
  defineAction('records.count', 'GET /worlds/{world}/records', {
    title: 'Count the records',
    isDefault: true,
    description: 'Answers how many records each collection has.',
    output: listOf(
      z.object({
        name: anyText,
        size: anyInteger,
      }),
    ),
    run({ world }) {
      const live = world.core
      return {
        data: allCollections(live).map((one) => ({
          name: one.name,
          size: live.collection(one).count(),
        })),
      }
    },
  }),
  defineAction('records.list', 'GET /worlds/{world}/records/{collection}', {
    title: 'List records',
    whenEmpty: 'There is no such record.',
    description:
      'Those of a collection, or those with all `where.FIELD=value` and the text `search`; sorted by a field, `limit` from `offset`.',
    input: recordsQuery,
    prefixes: { where: '{"tag": "tree"}: only records with these values' },
    output: pageOf(record),
    run: listRecords,
  }),
  defineAction('records.replace', 'PUT /worlds/{world}/records/{collection}', {
    title: 'Replace all records of a collection',
    description:
      'Takes stored records or those of fixtures. A fingerprint that you send back keeps its secret.',
    destructive: true,
    input: newRecords,
    output: listOf(record),
    run: replaceRecords,
  }),
  defineAction('records.create', 'POST /worlds/{world}/records/{collection}', {
    title: 'Create a record',
    description: 'It is the newest of its collection.',
    input: recordInput,
    output: record,
    status: 201,
    run: createRecord,
  }),
  defineAction('records.read', 'GET /worlds/{world}/records/{collection}/{id}', {
    title: 'Show a record',
    description:
      'The id is the key of the record; that of an API key is its fingerprint, or its name: key_pro.',
    output: record,
    run: showRecord,
  }),
  defineAction('records.change', 'PATCH /worlds/{world}/records/{collection}/{id}', {
    title: 'Change a record',
    description:
      'Changes the fields that you send; null removes an optional field that cannot be null.',
    input: recordInput,
    output: record,
    run: changeRecord,
  }),
  defineAction('records.delete', 'DELETE /worlds/{world}/records/{collection}/{id}', {
    title: 'Delete a record',
    description:
      'Other records that refer to it are an error, unless `cascade=true` deletes them, too, or `keep=true` leaves them alone.',
    destructive: true,
    input: z.strictObject({
      cascade: z._default(flagParameter, false),
      keep: z._default(flagParameter, false),
    }),
    run: deleteRecord,
  }),
  defineAction('records.export', 'GET /worlds/{world}/export', {
    title: 'Export the records as fixtures',
    description: 'Answers a YAML file for each collection that is not empty.',
    output: listOf(fixtureFile),
    run({ world: { core: live } }) {
      const now = live.clock.now()
      const files = allCollections(live).map((definition) => exportFile(live, definition, { now }))
      return { data: files.filter(({ records }) => records > 0) }
    },
  }),
  defineAction('records.export-one', 'GET /worlds/{world}/export/{collection}', {
    title: 'Export a collection as a fixture',
    description: 'Answers a YAML file, also if the collection is empty.',
    output: listOf(fixtureFile),
    run(call) {
      const { live, definition } = findCollection(call.world, call.param('collection'))
      return { data: [exportFile(live, definition)] }
    },
  }),
] as const

function listRecords(call: Call, { search, sort, limit, offset }: z.infer<typeof recordsQuery>) {
  const { definition, records, show } = findCollection(call.world, call.param('collection'))
  const { name, schema } = definition
  const names = Object.keys(toShape(schema))
  const where = readWhere(call.query, names)
  const field = sort === undefined ? undefined : known(sort.replace(/^-/, ''), names)
  const all = records.all()
  if (!where && search === undefined && field === undefined)
    return toListPage(all, { limit, offset }, show)
  // Search and sort use the public form, which takes long to make in collections with secrets.
  const shown = all.map(show)
  const text = search?.toLowerCase() ?? ''
  const found = shown.filter((record, index) => {
    // People search keys by what they call them, which is no secret.
    const called = name === 'keys' && nameKey(call.world.core, (all[index] as Key).secret)
    return (!where || where(record)) && [record, called].some((one) => hasText(one, text))
  })
  const orderBy = field && { [field]: sort?.startsWith('-') ? 'desc' : 'asc' }
  const data = sortAndSlice(
    found as Fields[],
    {
      orderBy,
      skip: offset,
      take: limit,
    } as FindOptions<Fields>,
    name,
    names,
  )
  return {
    data,
    total: found.length,
  }
}

/** Reads the parameters `where.FIELD`, or `where.FIELD.FIELD` for a field of an object. */
function readWhere(query: Texts, names: readonly string[]) {
  const fields = fieldsBelow('where', query).map(([path, text]) => {
    const [field = '', ...inner] = names.includes(path) ? [path] : path.split('.')
    return [[known(field, names), ...inner], text] as const
  })
  if (fields.length > 0) return toTextTest(fields)
  return undefined
}

function known(field: string, names: readonly string[]): string {
  if (names.includes(field)) return field
  throw invalid(
    describeProblem(
      `The records have no field ${quote(field)}; they have ${names.join(', ')}`,
      field,
      names,
    ),
  )
}

function hasText(value: unknown, text: string): boolean {
  if (value === null || value === undefined) return false
  if (typeof value === 'object') return Object.values(value).some((member) => hasText(member, text))
  return String(value).toLowerCase().includes(text)
}
