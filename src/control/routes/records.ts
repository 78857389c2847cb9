import * as z from 'zod/mini'
import { toJson } from '../../core/http/json.ts'
import { toShape } from '../../core/store/validation-message.ts'
import type { RecordDifference } from '../../core/store/record-index.ts'
import { describeProblem, quote, suggest } from '../../core/text/messages.ts'
import { isSame } from '../../core/text/values.ts'
import type { World } from '../../api/world.ts'
import {
  allCollections,
  type Collection,
  collectionFacts,
  createHider,
  type ExportedFile,
  exportFile,
} from '../../api/inspect/collections.ts'
import { type Answer, changing, type Chunk, type ChunksAnswer, defineRoutes, done, ok } from '../answer.ts'
import type { CollectionComparison, FixtureFile, List, RecordComparison, RecordPage, WorldSummary } from '../answers.ts'
import { check, digits, goBackSchema, invalid, maxRecords, searchText, tooManyRecords } from '../body.ts'
import type { Call } from '../call.ts'
import { ControlError } from '../errors.ts'
import {
  changeRecord,
  createRecord,
  deleteRecord,
  findCollection,
  replaceRecords,
  showRecord,
  showRecords,
} from '../records.ts'
import { collectInTurns, joinChunks, readLimit, sortInTurns, toListChunks } from '../turns.ts'
import { showWorld } from '../views.ts'

type Fields = Readonly<Record<string, unknown>>

interface Query {
  readonly search: string | undefined
  readonly where: readonly (readonly [field: string, value: string])[]
  readonly sort: { readonly field: string; readonly sign: 1 | -1 } | undefined
  readonly offset: number
  readonly limit: number
  readonly withPlaces: boolean
}

async function listRecords(call: Call): Promise<ChunksAnswer<RecordPage>> {
  const { definition, records, show } = findCollection(call.world, call.param('collection'))
  const given = call.query
  const all = records.all()
  if (Object.keys(given).length === 0) return { chunks: toListChunks(all, show) }
  const query = readQuery(given, Object.keys(toShape(definition.schema) ?? {}))
  const { where, search, sort, offset, limit, withPlaces } = query
  // In collections with secrets, search and sort use the public form, which takes long to make.
  const shown = new Map<object, object>()
  const shownOf = (record: object) => {
    const known = shown.get(record) ?? show(record)
    shown.set(record, known)
    return known as Fields
  }
  const fieldsOf = definition.secrets ? shownOf : (record: object) => record as Fields
  const isWhole = where.length === 0 && search === undefined
  const found = isWhole ? all : await collectInTurns(all, (record) => matches(fieldsOf(record), query))
  const inOrder = (one: object, other: object) => compare(fieldsOf(one), fieldsOf(other), sort!)
  const sorted = sort ? await sortInTurns(found, inOrder, offset + limit) : found
  const page = sorted.slice(offset, offset + limit)
  let after = `,"total":${found.length}`
  if (withPlaces) after += `,"places":${JSON.stringify(page.map((record) => records.indexOf(definition.key(record))))}`
  return { chunks: toListChunks(page, show, after) }
}

function readQuery(given: Readonly<Record<string, string>>, fields: readonly string[]): Query {
  const isWhere = (name: string) => name.startsWith('where.')
  const entries = Object.entries(given)
  for (const [name] of entries) if (!isWhere(name) && !parameters.includes(name)) throw unknownParameter(name, fields)
  const { search, sort, limit, offset, places } = check(
    recordsQuerySchema,
    Object.fromEntries(entries.filter(([name]) => !isWhere(name))),
  )
  const where = entries
    .filter(([name]) => isWhere(name))
    .map(([name, value]) => [known(name.slice('where.'.length), fields), value] as const)
  const field = sort?.replace(/^-/, '')
  return {
    search: search?.toLowerCase(),
    where,
    sort: field === undefined ? undefined : { field: known(field, fields), sign: sort!.startsWith('-') ? -1 : 1 },
    offset: Number(offset ?? 0),
    limit: limit === undefined ? Infinity : Number(limit),
    withPlaces: places === 'true',
  }
}

const recordsQuerySchema = z.strictObject({
  search: searchText,
  sort: z.optional(z.string()),
  limit: z.optional(digits),
  offset: z.optional(digits),
  places: z.optional(z.enum(['true', 'false'])),
})

const parameters = Object.keys(recordsQuerySchema.shape)

function unknownParameter(name: string, fields: readonly string[]): ControlError {
  const filters = fields.map((field) => `where.${field}`)
  const suggestion = suggest(`where.${name}`, filters)
  return invalid(
    `There is no query parameter ${quote(name)}; expected one of ${parameters.join(', ')} and where.FIELD.${suggest(name, parameters) || suggestion}`,
  )
}

function known(field: string, fields: readonly string[]): string {
  if (fields.includes(field)) return field
  throw invalid(
    describeProblem(`The records have no field ${quote(field)}; they have ${fields.join(', ')}`, field, fields),
  )
}

/** A missing field is `null`, and one item of a list is enough. */
function matches(record: Fields, { where, search }: Query): boolean {
  return (
    where.every(([field, text]) => [record[field] ?? null].flat().some((item) => String(item) === text)) &&
    (search === undefined || Object.values(record).some((part) => holds(part, search)))
  )
}

function holds(part: unknown, text: string): boolean {
  if (part === null || part === undefined) return false
  if (typeof part === 'object') return Object.values(part).some((member) => holds(member, text))
  return String(part).toLowerCase().includes(text)
}

/** A missing value is less than any other, numbers go by size, lists and objects by their text. */
function compare(one: Fields, other: Fields, { field, sign }: NonNullable<Query['sort']>): number {
  const [left, right] = [comparable(one[field]), comparable(other[field])]
  if (left === right) return 0
  if (left === undefined || right === undefined) return left === undefined ? -sign : sign
  return left < right ? -sign : sign
}

function comparable(part: unknown): string | number | bigint | undefined {
  if (part === null || part === undefined) return undefined
  if (typeof part === 'string' || typeof part === 'number' || typeof part === 'bigint') return part
  return typeof part === 'boolean' ? Number(part) : JSON.stringify(part)
}

function exportWorld({ world }: Call): ChunksAnswer<List<FixtureFile>> {
  const live = world.core
  const now = live.clock.now()
  const files = allCollections(live).map((definition) => exportFile(live, definition, { now }))
  return { chunks: toFileChunks(files.filter(({ size }) => size > 0)) }
}

function exportCollection(call: Call): ChunksAnswer<List<FixtureFile>> {
  const { live, definition } = findCollection(call.world, call.param('collection'))
  return { chunks: toFileChunks([exportFile(live, definition)]) }
}

/** The extra work of a line, as if it were this many bytes of text: it is parsed again to check that nothing is lost. */
const workOfLine = 400

function* toFileChunks(files: readonly ExportedFile[]): Generator<Chunk> {
  let before = '{"data":['
  for (const exported of files) {
    yield [`${before}{"file":${JSON.stringify(exported.file)},"text":"`, 0]
    for (const line of exported.lines) yield [JSON.stringify(line).slice(1, -1), line.length + workOfLine]
    yield [`","records":${exported.size},"hidden":${exported.hidden}}`, 0]
    before = ','
  }
  yield [(before === ',' ? '' : before) + ']}', 0]
}

export const recordRoutes = defineRoutes({
  'GET /collections': ({ greenhouse }) => ok({ data: collectionFacts(greenhouse.catalogue) }),
  'GET /worlds/{world}/records': ({ world }) => {
    const live = world.core
    return ok({
      data: allCollections(live).map((one) => ({ name: one.name, size: live.collection(one).count() })),
    })
  },
  'GET /worlds/{world}/records/{collection}': { reads: 'query', handle: listRecords },
  'PUT /worlds/{world}/records/{collection}': changing('body', putRecords),
  'POST /worlds/{world}/records/{collection}': changing('both', createRecord, 201),
  'GET /worlds/{world}/records/{collection}/{id}': (call) => ok(showRecord(call)),
  'PATCH /worlds/{world}/records/{collection}/{id}': changing('body', changeRecord),
  'DELETE /worlds/{world}/records/{collection}/{id}': {
    reads: 'query',
    handle: (call) => call.change((world) => done(deleteRecord(world, call))),
  },
  'GET /worlds/{world}/export': exportWorld,
  'GET /worlds/{world}/export/{collection}': exportCollection,
})

const recordsSchema = z.pipe(
  z.union(
    [
      z.array(z.unknown()),
      z.pipe(
        z.strictObject({ data: z.array(z.unknown()) }),
        z.transform(({ data }) => data),
      ),
    ],
    'expected { "data": […] }',
  ),
  z.array(z.unknown()).check(z.maxLength(maxRecords, tooManyRecords)),
)

function putRecords(world: World, call: Call): List<object> {
  const name = call.param('collection')
  replaceRecords(world, name, check(recordsSchema, call.body))
  return { data: showRecords(world, name) }
}

const longestValue = 1_000

async function compareWithSnapshot(call: Call): Promise<ChunksAnswer<List<CollectionComparison>>> {
  const limit = readLimit(call.query)
  const snapshot = findSnapshot(call)
  const live = call.world.core
  const all: Shown[] = []
  // May include records that were changed back.
  const since = allCollections(live).map((one) => ({ definition: one, changes: live.changesSince(snapshot, one) }))
  for (const { definition, changes } of since) {
    const found = await collectInTurns(changes)
    const inOrder = await sortInTurns(found, (one, other) => one.sequence - other.sequence)
    all.push({ definition, changes: inOrder, show: createHider(live, definition) })
  }
  return { chunks: joinChunks('{"data":[', compareAll(all, limit), ']}', (chunk) => chunk) }
}

function findSnapshot({ world, snapshot }: Call): string {
  if (world.snapshots.includes(snapshot)) return snapshot
  throw new ControlError(
    404,
    'unknown_snapshot',
    describeProblem(`The world "${world.name}" has no snapshot "${snapshot}"`, snapshot, world.snapshots),
  )
}

interface Shown {
  readonly definition: Collection
  readonly changes: readonly RecordDifference<object>[]
  readonly show: (record: object) => object
}

function* compareAll(all: readonly Shown[], limit: number): Generator<Chunk> {
  for (const collection of all) {
    const lists = createLists(collection, limit)
    for (const change of collection.changes) {
      lists.add(change)
      yield ['', 500]
    }
    const compared = lists.end()
    if (compared) yield [toJson(compared), 0]
  }
}

function createLists({ definition, show }: Shown, limit: number) {
  const added: string[] = []
  const removed: string[] = []
  const changed: RecordComparison[] = []
  const more = { added: 0, removed: 0, changed: 0 }
  const idOf = (record: object) => String(definition.key(show(record)))
  return {
    add({ before, after }: RecordDifference<object>): void {
      if (!before) put('added', added, () => idOf(after!))
      else if (!after) put('removed', removed, () => idOf(before))
      else {
        const fields = differingFields(before, after)
        if (fields.length > 0) put('changed', changed, () => compareFields(before, after, fields))
      }
    },
    end(): CollectionComparison | undefined {
      const isSame = added.length + removed.length + changed.length + more.added + more.removed + more.changed === 0
      return isSame ? undefined : { collection: definition.name, added, removed, changed, more }
    },
  }

  function put<T>(name: keyof typeof more, list: T[], make: () => T): void {
    if (list.length < limit) list.push(make())
    else more[name]++
  }

  function compareFields(before: object, after: object, fields: readonly string[]): RecordComparison {
    const [one, other] = [show(before), show(after)] as Record<string, unknown>[]
    return {
      id: idOf(after),
      fields: fields.map((field) => ({ field, before: toShort(one![field]), after: toShort(other![field]) })),
    }
  }
}

function toShort(value: unknown): unknown {
  if (value === undefined) return null
  const text = typeof value === 'string' ? value : toJson(value)
  return text.length <= longestValue ? value : text.slice(0, longestValue) + '…'
}

function differingFields(before: object, after: object): string[] {
  const [one, other] = [before, after] as Record<string, unknown>[]
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !isSame(one![name], other![name]),
  )
}

export const snapshotRoutes = defineRoutes({
  'GET /worlds/{world}/snapshots': ({ world }) => ok({ data: world.snapshots.map((name) => ({ name })) }),
  'GET /worlds/{world}/snapshots/{snapshot}': (call) => ok({ name: findSnapshot(call) }),
  'PUT /worlds/{world}/snapshots/{snapshot}': (call) =>
    call.change((world) => (world.snapshot(call.snapshot), ok({ name: call.snapshot }))),
  'DELETE /worlds/{world}/snapshots/{snapshot}': (call) => done(call.world.core.deleteSnapshot(findSnapshot(call))),
  'GET /worlds/{world}/snapshots/{snapshot}/compare': { reads: 'query', handle: compareWithSnapshot },
  'POST /worlds/{world}/snapshots/{snapshot}/restore': { reads: 'body', handle: restoreSnapshot },
})

function restoreSnapshot(call: Call): Answer<WorldSummary> {
  const { world } = call
  const name = findSnapshot(call)
  const { snapshot } = check(goBackSchema, call.body)
  if (snapshot === name)
    throw invalid('snapshot: expected a name other than that of the snapshot to restore, which would be overwritten')
  if (snapshot !== undefined) world.snapshot(snapshot)
  world.restore(name)
  return ok(showWorld(world))
}
