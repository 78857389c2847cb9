import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { CORE_SCHEMA, load } from 'js-yaml'
import { expect, test } from 'vitest'
import type { OptionRule } from '../../src/core/contract/options.ts'
import { configRules, type Setting, settingKey, settings } from '../../src/api/config/settings.ts'

interface Schema {
  readonly [member: string]: unknown
  readonly properties?: Readonly<Record<string, Schema>>
}

const schemaFile = '../../scenarios/config.schema.json'
const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const largest = Number.MAX_SAFE_INTEGER
const texts = ['./a.file', '2026-01-31T12:00:00Z', 'https://api.example.com/v1']

/** Returns the schema of a setting: its types are those of which its rule accepts a value. */
function toSchema(rule: OptionRule, path: string): Schema {
  const kinds = [toTextSchema(rule), toNumberSchema(rule), toListSchema(rule), toObjectSchema(rule, path)]
  if (rule.accepts(true)) kinds.push({ type: 'boolean' })
  const [only, ...others] = kinds.filter((kind) => kind !== undefined)
  const description = describe(path)
  return others.length === 0 ? { description, ...only } : { description, anyOf: [only, ...others] }
}

function toTextSchema({ takes, accepts }: OptionRule): Schema | undefined {
  if (texts.some(accepts)) return { type: 'string' }
  const named = [...takes.matchAll(/["'](\w+)["']/g)].map(([, word]) => word!).filter(accepts)
  return named.length === 0 || /an? (list|object)/.test(takes) ? undefined : { enum: named }
}

function toNumberSchema({ accepts }: OptionRule): Schema | undefined {
  if (!accepts(1)) return undefined
  const type = accepts(1.5) ? 'number' : 'integer'
  const minimum = [0, 1].find((least) => accepts(least) && !accepts(least - 1))
  return { type, minimum, maximum: accepts(largest) ? undefined : findLargest(accepts, 1, largest) }
}

function findLargest(accepts: OptionRule['accepts'], accepted: number, refused: number): number {
  if (refused - accepted === 1) return accepted
  const middle = Math.floor((accepted + refused) / 2)
  return accepts(middle) ? findLargest(accepts, middle, refused) : findLargest(accepts, accepted, middle)
}

function toListSchema({ accepts }: OptionRule): Schema | undefined {
  if (!accepts([])) return undefined
  if (accepts([1])) return { type: 'array' }
  const items = [
    ...(['localhost', 'https://api.example.com'].some((text) => accepts([text])) ? ['string'] : []),
    ...(accepts([{}]) ? ['object'] : []),
  ]
  // Only code has the others.
  return items.length === 0 ? { type: 'array', maxItems: 0 } : { type: 'array', items: { type: items[0] } }
}

function toObjectSchema({ accepts, below }: OptionRule, path: string): Schema | undefined {
  if (!accepts({})) return undefined
  if (!below) return { type: 'object' }
  const rules = Object.entries(below)
  const properties = rules.map(([name, rule]) => [name, toSchema(rule, `${path}.${name}`)])
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false }
}

function describe(path: string): string | undefined {
  return Object.entries<Setting>(settings).find(([name, setting]) => settingKey(name, setting) === path)?.[1].describe
}

function toConfigSchema(): Schema {
  const properties = Object.entries(configRules).map(([name, rule]) => [name, toSchema(rule, name)])
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Greenhouse configuration',
    description: 'A file greenhouse.config.yaml or greenhouse.config.json. Relative paths start at its folder.',
    type: 'object',
    properties: {
      $schema: { description: 'Where this schema is.', type: 'string' },
      ...Object.fromEntries(properties),
    },
    additionalProperties: false,
  }
}

test('scenarios/config.schema.json has every setting of the configuration file', async () => {
  await expect(`${JSON.stringify(toConfigSchema(), null, 2)}\n`).toMatchFileSnapshot(schemaFile)
})

const isValid = () => new Ajv2020({ strict: true, allowUnionTypes: true }).compile(JSON.parse(read(schemaFile)))

/** A value of each setting that a file of text can give, as the documentation has it. */
const values: Readonly<Record<string, unknown>> = {
  fixtures: './my-fixtures',
  scenarios: { busy: { title: 'Busy', description: 'Busy', covers: 'Waiting', respond: [] } },
  use: ['slow', { name: 'rate-limited-plan', window: 'day' }],
  assumptions: { 'plants.delete.unknown': '204' },
  seed: 7,
  now: '2026-01-31T12:00:00Z',
  frozen: true,
  cors: ['https://app.example.com', '*'],
  'webhooks.allow': ['hooks.example.com'],
  strict: true,
  trace: false,
  'journal.entries': 100,
  memory: 64_000_000,
  bodyLimit: 1_048_576,
  port: 0,
  host: '127.0.0.1',
  allowHosts: ['api', '.example.com'],
  token: 's3cret',
  'tls.cert': './localhost.pem',
  'tls.key': './localhost-key.pem',
  controlOrigins: ['http://localhost:5173'],
  case: './renewal.case.yaml',
  state: './state.yaml',
  handlers: './handlers.mjs',
  watch: true,
  log: 'json',
  open: true,
  areas: ['plants'],
  maxWorlds: 5,
  operations: [],
  collections: [],
  plugins: [],
  plans: [{ id: 'pro', minute: 10 }],
  hooks: {},
  persist: 'local',
  plants: 'https://plants.example.com',
  apps: 'https://api.example.com/v1',
  'proxy.plants': 'https://plants.example.com',
  'proxy.apps': 'https://api.example.com/v1',
  'proxy.only': 'plants.*',
  'proxy.fallback': 'mock',
  'proxy.record': './recorded',
  'proxy.ca': './ca.pem',
  'proxy.timeout': 30_000,
  'proxy.insecure': true,
}

const toConfig = (path: string, value: unknown) => {
  const [name, below] = path.split('.') as [string, string?]
  return { [name]: below === undefined ? value : { [below]: value } }
}

test('the schema of the configuration accepts every setting, and finds a misspelt one and a wrong type', () => {
  const validate = isValid()
  const paths = new Set(Object.entries<Setting>(settings).map(([name, setting]) => settingKey(name, setting)))
  expect(Object.keys(values).toSorted()).toEqual([...paths].toSorted())
  for (const [path, value] of Object.entries(values)) {
    expect([validate(toConfig(path, value)), validate.errors], path).toEqual([true, null])
    expect(validate(toConfig(`${path}x`, value)), `${path}x`).toBe(false)
    expect(validate(toConfig(path, null)), `${path}: null`).toBe(false)
  }
})

test.each<[path: string, value: unknown]>([
  ['port', 70_000],
  ['port', '4100'],
  ['strict', 1],
  ['log', 'quiet'],
  ['persist', 'cookie'],
  ['cors', 'https://app.example.com'],
  ['journal.entries', 0],
  ['proxy.timeout', '30s'],
])('the schema of the configuration refuses %s: %j', (path, value) => {
  expect(isValid()(toConfig(path, value))).toBe(false)
})

test('the schema of the configuration accepts the file of the documentation', () => {
  const validate = isValid()
  const blocks = [...read('../../docs/config.md').matchAll(/```ya?ml\n([^]*?)```/g)]
  expect(blocks.length).toBeGreaterThan(0)
  for (const [, text] of blocks)
    expect([validate(load(text!, { schema: CORE_SCHEMA })), validate.errors], text).toEqual([true, null])
})
