import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { contract } from '../../src/greenhouse/catalogue.ts'
import { limits } from '../../src/scenarios/condition.ts'
import { effectKinds } from '../../src/scenarios/schema.ts'

/** JSON Schema, as far as effects have it. */
interface Json {
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Json[]
  readonly oneOf?: readonly Json[]
  readonly items?: Json
  readonly properties?: Readonly<Record<string, Json>>
  readonly additionalProperties?: Json | boolean
  readonly required?: readonly string[]
}

/** Names that editors complete, by the field whose texts they are. */
const patterns: Readonly<Record<string, string>> = {
  on: 'OperationPattern',
  events: 'EventPattern',
  collection: 'CollectionName',
}

const ofAll = ['on', 'where', ...Object.keys(limits)]

const schemas = Object.fromEntries(
  effectKinds.map(({ name, schema }) => [
    name,
    z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as unknown as Json,
  ]),
)

const quoted = (text: unknown) => (typeof text === 'string' ? `'${text}'` : String(text))
const capital = (text: string) => text.replace(/(?:^|[-_])(\w)/g, (_, letter: string) => letter.toUpperCase())
const nameOf = (kind: string) => `${capital(kind)}Effect`
const comment = (text: string | undefined, indent: string) => (text === undefined ? '' : `${indent}/** ${text} */\n`)

function typeOf(schema: Json, field: string, indent: string): string {
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return [...new Set(alternatives.map((one) => typeOf(one, field, indent)))].join(' | ')
  if (schema.const !== undefined) return quoted(schema.const)
  if (schema.enum) return schema.enum.map(quoted).join(' | ')
  if (Array.isArray(schema.type))
    return schema.type.map((type: string) => typeOf({ ...schema, type }, field, indent)).join(' | ')
  switch (schema.type) {
    case 'string':
      return patterns[field] ?? 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'array': {
      const item = typeOf(schema.items!, field, indent)
      return `readonly ${item.includes(' ') ? `(${item})` : item}[]`
    }
    case 'object':
      if (schema.properties) return `{\n${fieldsOf(schema, `${indent}  `)}${indent}}`
      return `Readonly<Record<string, ${typeOf(schema.additionalProperties as Json, field, indent)}>>`
    default:
      return 'unknown'
  }
}

function fieldsOf({ properties = {}, required = [] }: Json, indent: string, without: readonly string[] = []): string {
  return Object.entries(properties)
    .filter(([name]) => !without.includes(name))
    .map(([name, schema]) => {
      const isRequired = required.includes(name)
      const type = typeOf(schema, name, indent)
      return `${comment(schema.description, indent)}${indent}readonly ${name}${isRequired ? '' : '?'}: ${type}${isRequired || type === 'unknown' ? '' : ' | undefined'}\n`
    })
    .join('')
}

function interfaceOf(name: string, schema: Json): string {
  const names = Object.keys(schema.properties ?? {})
  const below = names.includes('on') ? 'EffectConditions' : 'EffectLimits'
  const without = below === 'EffectConditions' ? ofAll : Object.keys(limits)
  return `${comment(schema.description, '')}export interface ${name} extends ${below} {\n${fieldsOf(schema, '  ', without)}}\n`
}

function effectOf(kind: string): string {
  const { items, description } = schemas[kind]!
  if (!items) return ''
  const faults = items.oneOf ?? items.anyOf
  if (!faults) return interfaceOf(nameOf(kind), { ...items, ...(description && { description }) })
  const named = faults.map((fault) => [`${capital(String(fault.properties!['kind']!.const))}Fault`, fault] as const)
  return [
    `${comment(description, '')}export type ${nameOf(kind)} =\n${named.map(([name]) => `  | ${name}`).join('\n')}\n`,
    ...named.map(([name, fault]) => interfaceOf(name, fault)),
  ].join('\n')
}

function memberOf(kind: string): string {
  const type = schemas[kind]!.items ? `readonly ${nameOf(kind)}[]` : nameOf(kind)
  return `${comment(schemas[kind]!.description, '  ')}  readonly ${kind}?: ${type} | undefined\n`
}

test('src/greenhouse/inline-scenario.ts has every effect with every field', async () => {
  const { items } = schemas['account']!
  const condition = (names: readonly string[]) =>
    fieldsOf({ properties: Object.fromEntries(names.map((name) => [name, items!.properties![name]!])) }, '  ')
  await expect(`// How a scenario is written in code, for editors to complete. Written by \`npx vitest run test/docs -u\` from the definitions.
import type { EventType } from '../areas/event-types.ts'
import type { AssumptionValues, OperationPattern } from './known-names.ts'

/**
 * A scenario in code, without a file: its effects, and a title if you like. One effect is enough.
 * @example world.use({ respond: [{ on: 'apps.list', status: 500, times: 1 }] })
 */
export interface InlineScenario {
  /** An object with a name means a scenario of the library. */
  readonly name?: undefined
  /** One line. The scenario's name is made of it: \`Apps are down\` becomes \`inline-apps-are-down\`. Without it, \`inline-1\`. */
  readonly title?: string | undefined
${effectKinds.map(({ name }) => memberOf(name)).join('')}}

/** How often an effect acts. */
export interface EffectLimits {
${condition(Object.keys(limits))}}

/** On which requests an effect acts, and how often. */
export interface EffectConditions extends EffectLimits {
${condition(['on', 'where'])}}

/** Which events: a type, or a glob such as \`app.*\`. */
export type EventPattern = EventType | (string & {})

/** The name of a collection of records. */
export type CollectionName = ${contract.collections.map(({ name }) => quoted(name)).join(' | ')}

/** Switches assumptions, by id: \`{ 'plants.delete.unknown': '204' }\`. */
export type AssumeEffect = { readonly [Id in keyof AssumptionValues]?: AssumptionValues[Id] | undefined }

${effectKinds
  .map(({ name }) => effectOf(name))
  .filter((text) => text !== '')
  .join('\n')}`).toMatchFileSnapshot('../../src/greenhouse/inline-scenario.ts')
})
