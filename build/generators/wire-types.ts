import { fileURLToPath } from 'node:url'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { format } from 'oxfmt'
import * as z from 'zod/mini'
import { parseAst } from 'rolldown/parseAst'
import { eventTypes } from '../../src/areas/event-types.ts'
import { listSchema } from '../../src/areas/apps/declare.ts'
import { planNames, scopes } from '../../src/core/accounts/accounts.ts'
import { areas, definitions } from '../../src/catalogue/catalogue.ts'
import {
  caseContentSchema,
  caseRecordsSchema,
  caseReplySchema,
  caseSchema,
  caseStartSchema,
  caseStepSchema,
} from '../../src/cases/format.ts'
import { dueTime, storedTime } from '../../src/core/time/fixture-time.ts'

const none: SchemaComments = { fields: {} }
const sources = new Map<string, Source>()

const modules = import.meta.glob<Record<string, unknown>>(
  '../../src/areas/**/{schemas,errors,events,index}.ts',
  {
    eager: true,
  },
)

/** The schemas whose types have a name, in the order of their declarations. */
const schemas = `
  newPlant appFields newApp appChanges newConversation newMessage newWebhook webhookChanges branding
  newDeployment subscriptionChanges newPurchase plant plantError appError app user conversation
  message messageDelta dnsRecord deployment subscription plan credits purchase webhook
  webhookWithSecret shownAttempt delivery usageFigures usagePeriod usage accountUsage ownKey
  ownAccount aboutApp messageSent renewalFailed
`.match(/\w+/g)!

const otherNames: Readonly<Record<string, string>> = {
  appFields: 'AppFields',
  branding: 'NewBranding',
  messageDelta: 'MessageDelta',
  dnsRecord: 'DnsRecord',
  shownAttempt: 'AttemptReply',
  usageFigures: 'UsageFigures',
  usagePeriod: 'UsagePeriod',
  ownKey: 'KeyReply',
  ownAccount: 'AccountReply',
  aboutApp: 'AboutApp',
  messageSent: 'MessageSent',
  renewalFailed: 'FailedRenewal',
}

const toName = (schema: string) =>
  otherNames[schema] ??
  schema.replace(/^./, (letter) => letter.toUpperCase()) +
    (/^new|Changes$/.test(schema) ? '' : 'Reply')

interface Named {
  readonly name: string
  readonly schema: z.ZodMiniType
  readonly comments: SchemaComments
}

function readNamed(constant: string, name = ''): Named {
  const [path, module] = Object.entries(modules).find(([, exported]) => constant in exported)!
  const file = fileURLToPath(new URL(path, import.meta.url))
  return {
    name,
    schema: module[constant] as z.ZodMiniType,
    comments: readSchemaComments(file, constant),
  }
}

const named = schemas.map((schema) => readNamed(`${schema}Schema`, toName(schema)))

/** The types of stored records, by collection, and of their parts. */
const recordNames = {
  plants: 'Plant',
  apps: 'App',
  users: 'User',
  conversations: 'Conversation',
  messages: 'Message',
  deployments: 'Deployment',
  subscriptions: 'Subscription',
  credits: 'Credits',
  purchases: 'Purchase',
  webhooks: 'Webhook',
  deliveries: 'Delivery',
} as const

const recordTypes = [
  ...Object.entries(recordNames).map(([collection, name]) => {
    const path = Object.keys(modules).find((file) => collection in modules[file]!)!
    const file = fileURLToPath(new URL(path, import.meta.url))
    const comments = readSchemaComments(
      file,
      `${name[0]!.toLowerCase()}${name.slice(1)}RecordSchema`,
    )
    return { name, schema: definitions[collection as keyof typeof recordNames].schema, comments }
  }),
  readNamed('attemptSchema', 'Attempt'),
  readNamed('brandingSchema', 'Branding'),
] satisfies Named[]

const caseFile = fileURLToPath(new URL('../../src/cases/format.ts', import.meta.url))

const caseTypes = Object.entries({
  caseContentSchema,
  caseReplySchema,
  caseStepSchema,
  caseRecordsSchema,
  caseStartSchema,
  caseSchema,
}).map(([constant, schema]): Named => {
  const name = constant.replace(/^c/, 'C').replace('Schema', '')
  return { name, schema, comments: readSchemaComments(caseFile, constant) }
})

const idPrefixes: Readonly<Record<string, string>> = Object.assign(
  {},
  ...areas.map((area) => area.idPrefixes),
)

const meanings: Readonly<Record<string, string>> = {
  account: "The account's id.",
  app: "The app's id.",
  webhook: "The webhook's id.",
  conversation: "The conversation's id.",
}

const values: readonly (readonly [readonly string[], string])[] = [
  [eventTypes, 'EventType'],
  [planNames, 'PlanName'],
  [scopes, 'Scope'],
]

/** Fields whose schema says less than their type. */
const closer: Readonly<Record<string, string>> = {
  'DeliveryReply.payload': 'WebhookEvent',
  // An event is read with JSON.parse, which knows no bigint.
  'EventData.plant.created': "Omit<NewPlant, 'id'> & { id: number }",
  'Delivery.faults': 'DeliveryFault[] | undefined',
  'CaseStep.use': 'CaseScenario[] | undefined',
  'CaseStep.use_only': 'CaseScenario[] | undefined',
  'CaseStart.scenarios': 'CaseScenario[] | undefined',
}

/** A reply has fields of a request, but is not one. */
const isRequest = (name: string) => name.startsWith('New')
const isSame = (one: readonly unknown[], other: readonly unknown[]) => one.join() === other.join()
const quoted = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value))
const shapeOf = (schema: z.ZodMiniType) => (schema._zod.def as z.core.$ZodObjectDef).shape

/** Prints the type of a schema. @param own the name of the type, in its own declaration */
function print(
  schema: z.core.$ZodType,
  comments: SchemaComments | undefined,
  own = '',
  types = named,
): string {
  // A schema and its lazy proxy are two objects with one definition.
  const known = types.find((one) => one.schema._zod === schema._zod)
  if (known && known.name !== own) return known.name
  const { def } = schema._zod as unknown as { def: z.core.$ZodTypes['_zod']['def'] }
  const inner = (one: z.core.$ZodType) => print(one, comments, '', types)
  switch (def.type) {
    case 'object': {
      if (def.catchall && Object.keys(def.shape).length === 0) return 'Record<string, unknown>'
      const { bases, fields } = printObject(schema as z.ZodMiniType, comments, own, types)
      const lines = fields.includes('/**')
        ? `\n${fields}`
        : ` ${fields.trimEnd().replaceAll('\n', '; ')} `
      return [...bases, ...(fields ? [`{${lines}}`] : [])].join(' & ')
    }
    case 'optional': {
      const type = inner(def.innerType)
      return type === 'unknown' ? type : `${type} | undefined`
    }
    case 'nullable':
      return `${inner(def.innerType)} | null`
    case 'array': {
      const item = inner(def.element)
      return item.includes(' ') ? `(${item})[]` : `${item}[]`
    }
    case 'enum': {
      const all = Object.values(def.entries)
      return values.find(([known]) => isSame(known, all))?.[1] ?? all.map(quoted).join(' | ')
    }
    case 'literal':
      return def.values.map(quoted).join(' | ')
    case 'union': {
      // Editors complete the known values of an open list only beside `string & {}`.
      const isOpenList = def.options.some((option) => option._zod.def.type === 'enum')
      return def.options
        .map((option) =>
          isOpenList && option._zod.def.type === 'string' ? '(string & {})' : inner(option),
        )
        .join(' | ')
    }
    case 'pipe':
      return inner(def.in)
    case 'record':
      return `Record<${inner(def.keyType)}, ${inner(def.valueType)}>`
    case 'bigint':
    case 'number':
    case 'string':
    case 'boolean':
    case 'unknown':
      return def.type
    // The placeholder of a list's item.
    case 'symbol':
      return 'Item'
    default:
      throw new Error(`A schema of the type ${def.type} has no TypeScript type here.`)
  }
}

/** Returns what a field of a record means when its schema has no comment. */
function meaningOf(field: string, record: string): string | undefined {
  const prefix = idPrefixes[`${record.toLowerCase()}_id`]
  return field === 'id' && prefix ? `\`${prefix}_\` and 16 characters.` : meanings[field]
}

function printObject(
  schema: z.ZodMiniType,
  comments: SchemaComments | undefined,
  own: string,
  types = named,
) {
  const shape = shapeOf(schema)
  const isContained = (one: Named) => {
    if (one.schema === schema || one.schema._zod.def.type !== 'object') return false
    const fields = Object.entries(shapeOf(one.schema))
    return (
      fields.length > 1 &&
      !isRequest(one.name) &&
      fields.every(([field, type]) => shape[field] === type)
    )
  }
  const contained = types === recordTypes ? [] : types.filter(isContained)
  const size = (one: Named) => Object.keys(shapeOf(one.schema)).length
  const largest = contained.sort((one, other) => size(other) - size(one)).slice(0, 1)
  const isPrinted = (field: string) => largest.every((one) => !(field in shapeOf(one.schema)))
  const fields = Object.entries(shape)
    .filter(([field]) => isPrinted(field))
    .map(([field, type]) => {
      const optional = type._zod.def.type === 'optional' ? '?' : ''
      const printed = closer[`${own}.${field}`] ?? print(type, comments?.fields[field], '', types)
      const meaning =
        types === recordTypes ? meaningOf(field, own) : types === named ? '' : descriptionOf(type)
      const comment = comments?.fields[field]?.comment ?? meaning
      return `${toComment(comment, unitOf(type))}${field}${optional}: ${printed}\n`
    })
    .join('')
  return { bases: largest.map(({ name }) => name), fields }
}

/** Returns what `z.describe` says of a field, as a sentence. */
function descriptionOf(schema: z.core.$ZodType): string | undefined {
  const { innerType } = schema._zod.def as { readonly innerType?: z.core.$ZodType }
  const { description } = z.globalRegistry.get(schema) ?? {}
  return description === undefined ? innerType && descriptionOf(innerType) : `${description}.`
}

/** Returns how a time is written; `undefined` for another type. */
function unitOf(schema: z.core.$ZodType): string | undefined {
  const def = schema._zod.def as { readonly innerType?: z.core.$ZodType; readonly format?: string }
  if (def.innerType) return unitOf(def.innerType)
  if ([storedTime, dueTime].some((time) => time._zod === schema._zod))
    return 'In milliseconds since 1970'
  return def.format === 'datetime' ? 'ISO 8601' : undefined
}

function toComment(text = '', unit?: string): string {
  const plain = text.replace(' (stated)', '')
  if (unit === undefined) return plain && `/** ${plain} */\n`
  // "`null` until it is live." becomes "ISO 8601; `null` until it is live."
  return `/** ${plain === '' ? `${unit}.` : plain.startsWith('`') ? `${unit}; ${plain}` : `${plain} ${unit}.`} */\n`
}

function declare({ name, schema, comments }: Named, types = named): string {
  const { bases, fields } = printObject(schema, comments, name, types)
  return `${toComment(comments.comment)}export interface ${name} ${bases.length > 0 ? `extends ${bases.join(', ')} ` : ''}{\n${fields}}\n`
}

function declareList(): string {
  const comments = readSchemaComments(
    fileURLToPath(new URL('../../src/areas/apps/declare.ts', import.meta.url)),
    'listSchema',
  )
  return printObject(listSchema(z.symbol()), comments, 'ListReply').fields
}

const eventSchemas = Object.assign(
  {},
  ...areas.toReversed().map((area) => area.eventSchemas),
) as Record<string, z.ZodMiniType>

function declareEvent(type: string): string {
  const schema = eventSchemas[type]!
  const constant = Object.values(modules)
    .flatMap(Object.entries)
    .find(([, value]) => value === schema)?.[0]
  const isNamed = named.some((one) => one.schema === schema)
  const comments = constant === undefined || isNamed ? undefined : readNamed(constant).comments
  return `${toComment(comments?.comment)}'${type}': ${closer[`EventData.${type}`] ?? print(schema, comments)}\n`
}

/** The types of requests, replies and events. */
export function toWireTypes(): Promise<string> {
  const text = `// The types of requests, replies and events. Generated by \`npm run generate\`: do not edit.
import type { EventType } from '../../areas/event-types.ts'
import type { PlanName, Scope } from '../../catalogue/records.ts'

${named.map((one) => declare(one)).join('\n')}
/** A page of a list, the newest first. */
export interface ListReply<Item> {
${declareList()}}

/** The \`data\` of an event, by the event's type. */
export interface EventData {
${eventTypes.map(declareEvent).join('')}}

/**
 * The body of a webhook's request: a union by \`type\`.
 * @example
 * const event: WebhookEvent = JSON.parse(body)
 * if (event.type === 'message.sent') console.log(event.data.conversation.last_message)
 */
export type WebhookEvent = {
  [Type in keyof EventData]: {
    type: Type
    /** When the event happened, on the world's clock: ISO 8601. */
    timestamp: string
    data: EventData[Type]
  }
}[keyof EventData]
`
  return toFormatted('wire-types.ts', text)
}

/** The types of stored records. */
export function toRecordTypes(): Promise<string> {
  const text = `// The types of stored records. Generated by \`npm run generate\`: do not edit.
import type { PlanName } from '../../core/accounts/accounts.ts'
import type { DeliveryFault } from '../../core/world/effective-settings.ts'
import type { EventType } from '../event-types.ts'

${recordTypes.map((one) => declare(one, recordTypes)).join('\n')}`
  return toFormatted('records.ts', text)
}

/** The types of a case file. */
export function toCaseTypes(): Promise<string> {
  const text = `// The types of a case file. Generated by \`npm run generate\`: do not edit.

/** ${readSchemaComments(caseFile, 'caseScenarioSchema').comment} */
type CaseScenario = string | Record<string, unknown>

${caseTypes.map((one) => declare(one, caseTypes)).join('\n')}`
  return toFormatted('case.ts', text)
}

async function toFormatted(name: string, text: string): Promise<string> {
  const options = { semi: false, singleQuote: true, printWidth: 100 }
  return (await format(name, text, options)).code
}

/** The schemas whose types have a name. */
export const namedSchemas = named.map(({ schema }) => schema)

interface SchemaComments {
  readonly comment?: string | undefined
  readonly fields: Readonly<Record<string, SchemaComments>>
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: any
}

interface Source {
  readonly file: string
  readonly text: string
  readonly declared: ReadonlyMap<
    string,
    { readonly node: Node; readonly comment: string | undefined }
  >
  readonly imported: ReadonlyMap<string, { readonly file: string; readonly name: string }>
}

function readSchemaComments(file: string, name: string): SchemaComments {
  const source = sources.get(file) ?? readSource(file)
  sources.set(file, source)
  const from = source.imported.get(name)
  if (from) return readSchemaComments(from.file, from.name)
  const declared = source.declared.get(name)
  return declared ? { ...commentsOf(declared.node, source), comment: declared.comment } : none
}

function readSource(file: string): Source {
  const text = readFileSync(file, 'utf8')
  const declared = new Map<string, { node: Node; comment: string | undefined }>()
  const imported = new Map<string, { file: string; name: string }>()
  let end = 0
  for (const statement of parseAst(text, { lang: 'ts' }).body as unknown as Node[]) {
    const comment = lastComment(text.slice(end, statement.start))
    end = statement.end
    const node: Node = statement['declaration'] ?? statement
    if (node.type === 'FunctionDeclaration')
      declared.set(node['id'].name, { node: node['body'].body.at(-1).argument, comment })
    for (const { id, init } of node['declarations'] ?? [])
      if (init) declared.set(id.name, { node: init, comment })
    if (node.type === 'ImportDeclaration' && node['source'].value.startsWith('.'))
      for (const { local, imported: from } of node['specifiers'])
        imported.set(local.name, {
          file: join(dirname(file), node['source'].value),
          name: from?.name,
        })
  }
  return { file, text, declared, imported }
}

function commentsOf(node: Node | undefined, source: Source): SchemaComments {
  switch (node?.type) {
    case 'Identifier':
      return readSchemaComments(source.file, node['name'])
    // `schema.shape` has the fields of `schema`.
    case 'MemberExpression':
      return commentsOf(node['object'], source)
    case 'ObjectExpression':
      return { fields: commentsOfFields(node, source) }
    // `z.object(fields)`, `z.extend(schema, fields)`, `z.array(schema)` and the like. Checks have
    // no fields.
    case 'CallExpression':
      return {
        fields: Object.assign(
          {},
          ...node['arguments'].map((argument: Node) => commentsOf(argument, source).fields),
        ),
      }
    default:
      return none
  }
}

function commentsOfFields(object: Node, source: Source): Record<string, SchemaComments> {
  const fields: Record<string, SchemaComments> = {}
  let end = object.start
  for (const property of object['properties'] as Node[]) {
    const comment = lastComment(source.text.slice(end, property.start))
    end = property.end
    if (property.type === 'SpreadElement')
      Object.assign(fields, commentsOf(property['argument'], source).fields)
    else fields[property['key'].name] = { ...commentsOf(property['value'], source), comment }
  }
  return fields
}

function lastComment(text: string): string | undefined {
  return text
    .match(/\/\*\*[^]*?\*\//g)
    ?.at(-1)
    ?.slice(3, -2)
    .replace(/\s*\n\s*\*\s*/g, ' ')
    .trim()
}
