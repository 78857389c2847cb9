import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { CORE_SCHEMA, load } from 'js-yaml'
import { expect, test } from 'vitest'
import { loadConfig } from 'greenhouse-mock/node'
import { type Setting, settingKey } from '../../src/api/config/flag.ts'
import { settings } from '../../src/api/config/settings.ts'
import { writeFolder } from '../support/folder.ts'

const head = { title: 'Busy', description: 'Busy.', covers: 'Waiting.' }
const schemaFile = '../../scenarios/config.schema.json'
const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

const isValid = () =>
  new Ajv2020({ strict: true, allowUnionTypes: true }).compile(JSON.parse(read(schemaFile)))

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

test("the configuration's schema accepts every setting, and finds misspelt and wrong ones", () => {
  const validate = isValid()
  const paths = new Set(
    Object.entries<Setting>(settings).map(([name, setting]) => settingKey(name, setting)),
  )
  expect(Object.keys(values).toSorted()).toEqual([...paths].toSorted())
  for (const [path, value] of Object.entries(values)) {
    expect([validate(toConfig(path, value)), validate.errors], path).toEqual([true, null])
    expect(validate(toConfig(`${path}x`, value)), `${path}x`).toBe(false)
    expect(validate(toConfig(path, null)), `${path}: null`).toBe(false)
  }
})

/** What an editor and the program refuse. */
test.each<[path: string, value: unknown]>([
  ['use', [5]],
  ['use', [['slow']]],
  ['areas', ['plant']],
  ['areas', []],
  ['cors', ['https://app.example.com/page']],
  ['controlOrigins', ['*']],
  ['token', 's3 cret'],
  ['host', 'http://localhost'],
  ['allowHosts', ['http://api']],
  ['webhooks.allow', ['https://hooks.example.com']],
  ['now', 'tomorrow'],
  ['state', ''],
  ['plants', '/plants'],
  ['proxy.plants', 'https://plants.example.com?a=1'],
  ['operations', [{ id: 'plants.water' }]],
  ['collections', ['waterings']],
  ['plugins', [{}]],
  ['hooks', { onReply: 'print' }],
  ['plans', [{ minute: 10 }]],
  ['scenarios', { busy: 'title: Busy' }],
  ['assumptions', { 'plants.delete.unknown': 204 }],
  ['port', 70_000],
  ['port', '4100'],
  ['strict', 1],
  ['log', 'quiet'],
  ['persist', 'cookie'],
  ['cors', 'https://app.example.com'],
  ['journal.entries', 0],
  ['proxy.timeout', '30s'],
])('the schema of the configuration refuses %s: %j, as the program does', async (path, value) => {
  const config = toConfig(path, value)
  expect(isValid()(config)).toBe(false)
  const folder = writeFolder({ 'greenhouse.config.json': JSON.stringify(config) })
  const file = join(folder, 'greenhouse.config.json')
  await expect(loadConfig({ file })).rejects.toThrow(path.split('.')[0]!)
})

test.each([
  { use: ['slow', { name: 'slow', ms: 5 }, { respond: [{ on: 'apps.list', status: 500 }] }] },
  { cors: ['https://app.example.com', '*'], controlOrigins: ['http://localhost:5173'] },
  { host: '::1', now: '2026-01-31T12:00:00+02:00', proxy: { apps: 'https://x.example.com/v1' } },
  { plans: [{ id: 'pro', minute: 10 }], areas: ['apps'], seed: -3, journal: { entries: 5 } },
  { scenarios: { busy: { ...head, respond: [{ on: 'apps.list', status: 503 }] } } },
])('the schema of the configuration accepts %j, as the program does', async (config) => {
  const validate = isValid()
  expect([validate(config), validate.errors]).toEqual([true, null])
  const folder = writeFolder({ 'greenhouse.config.json': JSON.stringify(config) })
  await loadConfig({ file: join(folder, 'greenhouse.config.json') })
})

test('the schema of the configuration accepts the file of the documentation', () => {
  const validate = isValid()
  const blocks = [...read('../../docs/config.md').matchAll(/```ya?ml\n([^]*?)```/g)]
  expect(blocks.length).toBeGreaterThan(0)
  for (const [, text] of blocks)
    expect([validate(load(text!, { schema: CORE_SCHEMA })), validate.errors], text).toEqual([
      true,
      null,
    ])
})
