import { fileURLToPath } from 'node:url'
import { format } from 'oxfmt'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { eventTypes } from '../../src/areas/event-types.ts'
import { listSchema } from '../../src/areas/apps/list-reply.ts'
import { planNames, scopes } from '../../src/core/accounts/accounts.ts'
import { areas } from '../../src/api/assembly/catalogue.ts'
import { readSchemaComments, type SchemaComments } from './schema-comments.ts'

const modules = import.meta.glob<Record<string, unknown>>(
  '../../src/areas/**/{schemas,errors,message,conversation,events,subscription,purchase,credits,plan,webhook,attempt,delivery}.ts',
  { eager: true },
)

/** The schemas whose types have a name. */
const names = {
  newPlantSchema: 'NewPlant',
  appFieldsSchema: 'AppFields',
  newAppSchema: 'NewApp',
  appChangesSchema: 'AppChanges',
  newConversationSchema: 'NewConversation',
  newMessageSchema: 'NewMessage',
  newWebhookSchema: 'NewWebhook',
  webhookChangesSchema: 'WebhookChanges',
  brandingSchema: 'NewBranding',
  newDeploymentSchema: 'NewDeployment',
  subscriptionChangesSchema: 'SubscriptionChanges',
  newPurchaseSchema: 'NewPurchase',
  plantSchema: 'PlantReply',
  plantErrorSchema: 'PlantErrorReply',
  appErrorSchema: 'AppErrorReply',
  appSchema: 'AppReply',
  userSchema: 'UserReply',
  conversationSchema: 'ConversationReply',
  messageSchema: 'MessageReply',
  messageDeltaSchema: 'MessageDelta',
  dnsRecordSchema: 'DnsRecord',
  deploymentSchema: 'DeploymentReply',
  subscriptionSchema: 'SubscriptionReply',
  planSchema: 'PlanReply',
  creditsSchema: 'CreditsReply',
  purchaseSchema: 'PurchaseReply',
  webhookSchema: 'WebhookReply',
  webhookWithSecretSchema: 'WebhookWithSecretReply',
  shownAttemptSchema: 'AttemptReply',
  deliverySchema: 'DeliveryReply',
  usageFiguresSchema: 'UsageFigures',
  usagePeriodSchema: 'UsagePeriod',
  usageSchema: 'UsageReply',
  accountUsageSchema: 'AccountUsageReply',
  ownKeySchema: 'KeyReply',
  ownAccountSchema: 'AccountReply',
  aboutAppSchema: 'AboutApp',
  messageSentSchema: 'MessageSent',
  renewalFailedSchema: 'FailedRenewal',
}

interface Named {
  readonly name: string
  readonly schema: z.ZodMiniType
  readonly comments: SchemaComments
}

function readNamed(constant: string, name = ''): Named {
  const [path, module] = Object.entries(modules).find(([, exported]) => constant in exported)!
  const file = fileURLToPath(new URL(path, import.meta.url))
  return { name, schema: module[constant] as z.ZodMiniType, comments: readSchemaComments(file, constant) }
}

const named = Object.entries(names).map(([constant, name]) => readNamed(constant, name))

/** The names of types that are not objects, by their values. */
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
}

/** A reply has fields of a request, but is not one. */
const isRequest = (name: string) => name.startsWith('New')
const isSame = (one: readonly unknown[], other: readonly unknown[]) => one.join() === other.join()
const quoted = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value))
const shapeOf = (schema: z.ZodMiniType) => (schema._zod.def as z.core.$ZodObjectDef).shape

/** Prints the type of a schema. @param own the name of the type, in its own declaration */
function print(schema: z.core.$ZodType, comments: SchemaComments | undefined, own = ''): string {
  const known = named.find((one) => one.schema === schema)
  if (known && known.name !== own) return known.name
  const { def } = schema._zod as unknown as { def: z.core.$ZodTypes['_zod']['def'] }
  const inner = (one: z.core.$ZodType) => print(one, comments)
  switch (def.type) {
    case 'object': {
      const { bases, fields } = printObject(schema as z.ZodMiniType, comments, own)
      const lines = fields.includes('/**') ? `\n${fields}` : ` ${fields.trimEnd().replaceAll('\n', '; ')} `
      return [...bases, ...(fields ? [`{${lines}}`] : [])].join(' & ')
    }
    case 'optional':
      return `${inner(def.innerType)} | undefined`
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
    case 'union':
      // Editors complete the known values of an open list only beside `string & {}`.
      return def.options
        .map((option) => (option._zod.def.type === 'string' ? '(string & {})' : inner(option)))
        .join(' | ')
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

/** Prints the fields of an object without those of the named types that it contains. */
function printObject(schema: z.ZodMiniType, comments: SchemaComments | undefined, own: string) {
  const shape = shapeOf(schema)
  const isContained = (one: Named) => {
    if (one.schema === schema || one.schema._zod.def.type !== 'object') return false
    const fields = Object.entries(shapeOf(one.schema))
    return fields.length > 1 && !isRequest(one.name) && fields.every(([field, type]) => shape[field] === type)
  }
  const contained = named.filter(isContained)
  const size = (one: Named) => Object.keys(shapeOf(one.schema)).length
  const largest = contained.sort((one, other) => size(other) - size(one)).slice(0, 1)
  const isPrinted = (field: string) => largest.every((one) => !(field in shapeOf(one.schema)))
  const fields = Object.entries(shape)
    .filter(([field]) => isPrinted(field))
    .map(([field, type]) => {
      const optional = type._zod.def.type === 'optional' ? '?' : ''
      const printed = closer[`${own}.${field}`] ?? print(type, comments?.fields[field])
      return `${toComment(comments?.fields[field]?.comment, isTime(type))}${field}${optional}: ${printed}\n`
    })
    .join('')
  return { bases: largest.map(({ name }) => name), fields }
}

function isTime(schema: z.core.$ZodType): boolean {
  const def = schema._zod.def as { readonly innerType?: z.core.$ZodType; readonly format?: string }
  return def.innerType ? isTime(def.innerType) : def.format === 'datetime'
}

function toComment(text = '', isIsoTime = false): string {
  const plain = text.replace(' (stated)', '')
  if (!isIsoTime) return plain && `/** ${plain} */\n`
  // "`null` until it is live." becomes "ISO 8601; `null` until it is live."
  return `/** ${plain === '' ? 'ISO 8601.' : plain.startsWith('`') ? `ISO 8601; ${plain}` : `${plain} ISO 8601.`} */\n`
}

function declare({ name, schema, comments }: Named): string {
  const { bases, fields } = printObject(schema, comments, name)
  return `${toComment(comments.comment)}export interface ${name} ${bases.length > 0 ? `extends ${bases.join(', ')} ` : ''}{\n${fields}}\n`
}

function declareList(): string {
  const comments = readSchemaComments(
    fileURLToPath(new URL('../../src/areas/apps/list-reply.ts', import.meta.url)),
    'listSchema',
  )
  return printObject(listSchema(z.symbol()), comments, 'ListReply').fields
}

const eventSchemas = Object.assign({}, ...areas.map((area) => area.eventSchemas)) as Record<string, z.ZodMiniType>

function declareEvent(type: string): string {
  const schema = eventSchemas[type]!
  const constant = Object.values(modules)
    .flatMap(Object.entries)
    .find(([, value]) => value === schema)?.[0]
  const isNamed = named.some((one) => one.schema === schema)
  const comments = constant === undefined || isNamed ? undefined : readNamed(constant).comments
  return `${toComment(comments?.comment)}'${type}': ${closer[`EventData.${type}`] ?? print(schema, comments)}\n`
}

test('src/api/generated/wire-types.ts has the type of every schema', async () => {
  const text = `// The types of requests, replies and events. Generated by \`npm run generate\`: do not edit.
import type { EventType } from '../../areas/event-types.ts'
import type { PlanName, Scope } from '../records.ts'

${named.map(declare).join('\n')}
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
  const { code } = await format('wire-types.ts', text, { semi: false, singleQuote: true, printWidth: 120 })
  await expect(code).toMatchFileSnapshot('../../src/api/generated/wire-types.ts')
})

test('a type has the name of every schema in the document', () => {
  const documented = areas.flatMap((area) => Object.values(area.schemas ?? {}))
  const known = named.map(({ schema }) => schema)
  expect(documented.length).toBeGreaterThan(20)
  expect(documented.filter((schema) => !known.includes(schema as z.ZodMiniType))).toEqual([])
})
