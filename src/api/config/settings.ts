import * as z from 'zod/mini'
import { withCallerStack } from '../../core/contract/options.ts'
import { isHostName, isOrigin, isWrittenHost } from '../../core/http/urls.ts'
import {
  checkOptions,
  custom,
  expecting,
  flag,
  list,
  oneOf,
  type Schema,
  type SchemasOf,
  text,
  wholeNumber,
} from '../../core/store/options.ts'
import { isTime } from '../../core/time/time-text.ts'
import {
  greenhouseSchemas,
  journalSchemas,
  origin,
  proxySchemas,
  webhookHost,
  webhookSchemas,
} from '../options.ts'
import type { ProxyOptions } from '../../proxy/message.ts'
import {
  duration,
  fromNumber,
  pair,
  size,
  target,
  type Setting,
  settingKey,
  toSchemas,
} from './flag.ts'
import type { GreenhouseConfig } from './types.ts'

const isToken = (token: string) => /^[\x21-\x7e]+$/.test(token)
const secret = { isSecret: true }
const isScenario = (text: string) => !/^[\s,]*(:|$)/.test(text)
const logFormats = ['pretty', 'json', 'silent'] as const
/**
 * True if a text is the content of a file rather than its path: PEM, or a key in another form,
 * which no message may quote.
 */
export const isContent = (text: string) =>
  text.includes('-----BEGIN') || (text.length > 100 && !text.slice(-100).includes('.'))
const pem = orPath(
  custom('bytes', (value) => value instanceof Uint8Array),
  'a file, such as "./localhost.pem", or its content, in PEM',
)
const port = wholeNumber('a whole number from 0 to 65535, such as 4010', 0, 65_535)
const host = text(
  'an address or a host name of this machine, without a port, such as "127.0.0.1"',
  isWrittenHost,
)
const token = text('visible ASCII characters, such as "s3cret"', isToken, secret)
const log = oneOf(logFormats)
const allowedHost = text(
  'a host name without a scheme or a port, such as "api"; with a leading dot, it stands for all names below it',
  isHostName,
)
// Neither `*` nor `null` is let in: any page can have `null`.
const controlOrigin = text(
  'one exact origin: scheme, host and port as browsers send them, without a path and without *, such as "http://localhost:5173"',
  isOrigin,
)
const baseUrl = text('an absolute URL, such as "https://api.example.com/v1"', (url) =>
  URL.canParse(url),
)

export type LogFormat = (typeof logFormats)[number]

export const folder = text('a folder, such as ./fixtures')
export const filePath = text('a file, such as ./handlers.mjs')
export const assumptionsFile = text('a file, such as ./assumptions.yaml')
export const assumption = pair('ID=VALUE, such as plants.delete.unknown=204', true)

const assumptions = orPath(
  greenhouseSchemas.assumptions,
  'an object of assumptions by id, such as { "plants.delete.unknown": "204" }, or a file, such as "./assumptions.yaml"',
)

const forward = <Key extends keyof ProxyOptions>(key: Key, describe: string) => ({
  key: `proxy.${key}` as const,
  describe,
  schema: proxySchemas[key],
})

/** The settings of a real service to stand in front of. */
export const proxySettings = {
  'target-plants': {
    ...forward('plants', 'Base URL of a real plant store; requests are forwarded to it'),
    value: target,
  },
  'target-apps': {
    ...forward('apps', 'Base URL of a real app management, with its version'),
    value: target,
  },
  only: {
    ...forward('only', 'Operation to forward, by id or glob; the mock answers the others'),
    each: text("an id or a glob of operations, such as 'plants.*'"),
  },
  fallback: {
    ...forward(
      'fallback',
      'mock: what the service does not have, or cannot be reached for, is mocked',
    ),
    value: proxySchemas.fallback as Schema<'mock'>,
  },
  record: {
    ...forward(
      'record',
      'Folder for the replies of the service, as a scenario, and the records that they show',
    ),
    value: text('a folder, such as ./recorded'),
  },
  'target-ca': {
    ...forward('ca', 'File with certificates to trust, in PEM'),
    value: text('a file, such as ./ca.pem'),
  },
  'target-timeout': {
    ...forward('timeout', 'How long the service may take to begin a reply'),
    value: duration('a duration of at least 1ms, such as 30s', 1, 3_600_000),
    default: '30s',
  },
  insecure: {
    ...forward('insecure', 'Accept any certificate of the service'),
    isOn: false,
  },
} satisfies Readonly<Record<string, Setting>>

export const serveSettings = {
  fixtures: {
    describe: 'Folder with fixture files, in place of the default data',
    value: folder,
    schema: orPath(
      greenhouseSchemas.fixtures,
      'a folder, such as "./fixtures", or an object of records by collection',
    ),
  },
  scenarios: {
    describe: 'Folder with scenario files of your own',
    value: folder,
    schema: orPath(
      greenhouseSchemas.scenarios,
      'a folder, such as "./scenarios", or an object of scenarios by name',
    ),
  },
  scenario: {
    key: 'use',
    describe: 'Scenario to start with: NAME or NAME:option=value,…',
    each: text('NAME or NAME:option=value,…, such as rate-limited-plan:window=day', isScenario),
    schema: greenhouseSchemas.use,
  },
  assume: {
    key: 'assumptions',
    describe: 'Assumption to change: ID=VALUE',
    each: assumption,
    schema: assumptions,
  },
  'assume-file': {
    key: 'assumptions',
    describe:
      'File of assumptions, as greenhouse-mock verify --write writes it; --assume wins over it',
    value: assumptionsFile,
    schema: assumptions,
  },
  seed: {
    describe: 'Seed of ids and random faults',
    value: fromNumber(greenhouseSchemas.seed),
    default: 1,
    schema: greenhouseSchemas.seed,
  },
  now: {
    describe: 'Time at which clocks start, ISO 8601',
    value: text('a time in ISO 8601, such as 2026-01-31T12:00:00Z', isTime),
    schema: greenhouseSchemas.now,
  },
  frozen: {
    describe: 'Start with stopped clocks',
    isOn: false,
    schema: greenhouseSchemas.frozen,
  },
  cors: {
    describe: 'Origin whose pages may call the APIs, besides this machine; * for all',
    each: origin,
    schema: greenhouseSchemas.cors,
  },
  'webhook-allow': {
    key: 'webhooks.allow',
    describe: 'Host that may get webhooks, besides this machine',
    each: webhookHost,
    schema: webhookSchemas.allow,
  },
  strict: {
    describe: 'Answer 400 to requests that break the contract',
    isOn: false,
    schema: greenhouseSchemas.strict,
  },
  trace: {
    describe: 'Send the X-Greenhouse header with every reply',
    isOn: true,
    schema: greenhouseSchemas.trace,
  },
  memory: {
    describe: 'Memory for the data and journals of all worlds together',
    value: size,
    defaultDescription: "512MiB, or an eighth of the machine's memory if that is less",
    past: 'journals of idle worlds go first, then what is kept for an undo, idle worlds, and old entries of the world that writes. Then writes are 507 (500 in app management) with a message that names the flag, `data_memory_full` in the control API, `DataMemoryError` in code',
    schema: greenhouseSchemas.memory,
  },
  'body-limit': {
    describe: 'Largest request body',
    value: size,
    default: '1MiB',
    past: '413 (400 in app management), read and dropped',
    schema: greenhouseSchemas.bodyLimit,
  },
  port: {
    describe: 'Port; 0 for any free port',
    value: fromNumber(port),
    default: 4010,
    schema: port,
  },
  host: {
    describe: 'Address to listen on',
    value: host,
    default: '127.0.0.1',
    schema: host,
  },
  'allow-host': {
    key: 'allowHosts',
    describe:
      'Host name that requests may use besides localhost, IP addresses and --host; .example.com for all names below',
    each: allowedHost,
    schema: list("a list of host names, such as ['api', '.example.com']", allowedHost),
  },
  token: {
    describe: 'Secret of the control API; required if --host lets other machines in',
    value: token,
    schema: token,
  },
  'tls-cert': {
    key: 'tls.cert',
    describe: 'Certificate in PEM, to serve https; needs --tls-key',
    value: text('a file, such as ./localhost.pem'),
    schema: pem,
  },
  'tls-key': {
    key: 'tls.key',
    describe: 'Key of that certificate, in PEM',
    value: text('a file, such as ./localhost-key.pem'),
    schema: pem,
  },
  'control-origin': {
    key: 'controlOrigins',
    describe: 'Exact origin whose pages may use the control API, such as http://localhost:5173',
    each: controlOrigin,
    schema: list(
      "a list of exact origins, such as ['http://localhost:5173'], without paths and without '*'",
      controlOrigin,
    ),
  },
  case: {
    describe: 'Start with the world of a case, after all its requests',
    value: filePath,
    schema: orPath(greenhouseSchemas.case, 'a file, such as "./renewal.case.yaml", or a case'),
  },
  state: {
    describe:
      'File that keeps the world default: read at the start if it is there, written after changes',
    value: filePath,
    schema: text('a file, such as "./state.yaml"'),
  },
  handlers: {
    describe: 'Module with your own MSW handlers, which answer first',
    value: filePath,
    schema: orPath(
      z.array(z.unknown()),
      'a module, such as "./handlers.mjs", or a list of MSW handlers',
    ),
  },
  watch: {
    describe: 'Reload --fixtures and --scenarios when their files change',
    isOn: false,
    schema: flag,
  },
  log: {
    describe: 'What to print: pretty, json or silent',
    value: log,
    default: 'pretty' as LogFormat,
    schema: log,
  },
  open: {
    describe: 'Open the panel in the browser',
    isOn: false,
    schema: flag,
  },
  areas: {
    describe: 'Areas to serve; requests below the other get 404',
    schema: greenhouseSchemas.areas,
  },
  maxWorlds: {
    describe: 'Most worlds at once',
    defaultDescription: '10,000',
    past: 'the least recently used one that is not pinned is dropped; using it again is 409 `world_dropped`',
    schema: greenhouseSchemas.maxWorlds,
  },
  'journal.entries': {
    describe: 'Most entries in the journal of a world',
    defaultDescription: '1,000',
    past: 'the oldest entry is dropped; a query without a match is an error if a dropped entry could match',
    schema: journalSchemas.entries,
  },
  operations: {
    describe: 'Operations of your own',
    schema: greenhouseSchemas.operations,
  },
  collections: {
    describe: 'Collections of your own',
    schema: greenhouseSchemas.collections,
  },
  plugins: {
    describe: 'Plug-ins',
    schema: greenhouseSchemas.plugins,
  },
  plans: {
    describe: 'Plans that change those of the reference, or add to them',
    schema: greenhouseSchemas.plans,
  },
  hooks: {
    describe: 'Functions to call with requests, replies and events',
    schema: greenhouseSchemas.hooks,
  },
  persist: {
    describe: 'Storage of the page in which the world default survives',
    schema: greenhouseSchemas.persist,
  },
  plants: {
    describe: 'Base URL of the plant store, as your client has it: tests answer there by MSW',
    schema: baseUrl,
  },
  apps: {
    describe: 'Base URL of app management with its version, in the same way',
    schema: baseUrl,
  },
} satisfies Readonly<Record<string, Setting>>

/**
 * Every setting, by its flag, in the order of help. Those without a flag are by their name in the
 * configuration file. From this follow the flags of `serve`, `run` and `flip`, their variables, the
 * check of the configuration file, `greenhouse-mock config` and docs/config.md.
 */
export const settings = { ...serveSettings, ...proxySettings }

/** The schemas of a configuration. The compiler reports a setting that is missing. */
export const configSchemas: SchemasOf<GreenhouseConfig> = toSchemas(settings)

export const serverSchemas = {
  port: settings.port.schema,
  host: settings.host.schema,
  allowHosts: settings['allow-host'].schema,
  controlOrigins: settings['control-origin'].schema,
  token: settings.token.schema,
  tls: configSchemas.tls,
}

/**
 * Types a configuration, and checks it.
 * @example export default defineConfig({ port: 4100, fixtures: './fixtures', use: ['slow'] })
 * @throws TypeError for an unknown setting or a value of the wrong type; RangeError for a value out
 * of range.
 */
export function defineConfig(config: GreenhouseConfig): GreenhouseConfig {
  return withCallerStack(defineConfig, () => {
    checkOptions('defineConfig', config, configSchemas)
    return config
  })
}

/** Returns whether a setting of the configuration file is an object of others. */
export function isSection(name: string): boolean {
  return Object.entries<Setting>(settings).some(([flag, setting]) =>
    settingKey(flag, setting).startsWith(`${name}.`),
  )
}

/** Returns the schema of what a file can say too. */
function orPath(schema: Schema, words: string): Schema {
  const rejection = expecting(words)
  return z.union([z.string().check(z.minLength(1, rejection)), schema], rejection)
}
