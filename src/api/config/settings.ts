import {
  checkOptions,
  flag,
  list,
  type OptionRule,
  type OptionRules,
  type RulesFor,
  section,
  text,
  wholeNumber,
  withCallerStack,
} from '../../core/contract/options.ts'
import { isHostName, isOrigin, isWrittenHost } from '../../core/http/urls.ts'
import { isTime } from '../../core/time/time-text.ts'
import type { ProxyOptions } from '../../proxy/message.ts'
import { greenhouseRules } from '../assembly/options.ts'
import {
  type CamelCase,
  duration,
  type Flag,
  oneOf,
  pair,
  size,
  target,
  textValue,
  toCamelCase,
  whole,
} from './flag-value.ts'
import type { GreenhouseConfig } from './types.ts'

type ConfigKey =
  | keyof GreenhouseConfig
  | `journal.${keyof NonNullable<GreenhouseConfig['journal']>}`
  | `webhooks.${keyof NonNullable<GreenhouseConfig['webhooks']>}`
  | `proxy.${keyof NonNullable<GreenhouseConfig['proxy']>}`
  | `tls.${keyof NonNullable<GreenhouseConfig['tls']>}`

interface SettingText {
  /** What help and the documentation say of it. */
  readonly describe: string
  /** What the configuration file, and code, may give it. */
  readonly rule: OptionRule
  /** Its name in the configuration file, if that is not its own in camelCase; with a dot if it is part of another. */
  readonly key?: ConfigKey
  readonly defaultDescription?: string
  /** What happens past it, if it is a limit: docs/limits.md lists those. */
  readonly past?: string
}

export type Setting = SettingText | (SettingText & Flag)

const { journal, webhooks, proxy } = greenhouseRules
const isPath = (value: unknown) => typeof value === 'string' && value !== ''
const isToken = (token: string) => /^[\x21-\x7e]+$/.test(token)
const isScenario = (text: string) => !/^[\s,]*(:|$)/.test(text)
const logFormats = ['pretty', 'json', 'silent'] as const
/** Whether a text is the content of a file rather than its path: PEM, or a key in another form, which no message may quote. */
export const isContent = (text: string) =>
  text.includes('-----BEGIN') || (text.length > 100 && !text.slice(-100).includes('.'))
const pem: OptionRule = {
  takes: 'a file, such as "./localhost.pem", or its content, in PEM',
  accepts: (value) => isPath(value) || value instanceof Uint8Array,
}
const baseUrl = text('an absolute URL, such as "https://api.example.com/v1"', (url) => URL.canParse(url))

export type LogFormat = (typeof logFormats)[number]

export const folder = textValue('a folder', './fixtures')
export const file = textValue('a file', './handlers.mjs')
export const assumptionsFile = textValue('a file', './assumptions.yaml')
export const assumption = pair('ID=VALUE', 'plants.delete.unknown=204', true)

const assumptions = pathOr(
  greenhouseRules.assumptions,
  'an object of assumptions by id, such as { "plants.delete.unknown": "204" }, or a file, such as "./assumptions.yaml"',
)

const forward = <Key extends keyof ProxyOptions>(key: Key, describe: string) => ({
  key: `proxy.${key}` as const,
  describe,
  rule: proxy.below[key],
})

/** Those of a real service to stand in front of. */
export const proxySettings = {
  'target-plants': {
    ...forward('plants', 'Base URL of a real plant store; requests are forwarded to it'),
    value: target,
  },
  'target-apps': { ...forward('apps', 'Base URL of a real app management, with its version'), value: target },
  only: {
    ...forward('only', 'Operation to forward, by id or glob; the mock answers the others'),
    each: textValue('an id or a glob of operations', "'plants.*'"),
  },
  fallback: {
    ...forward('fallback', 'mock: what the service does not have, or cannot be reached for, is mocked'),
    value: oneOf(['mock'] as const, 'mock'),
  },
  record: {
    ...forward('record', 'Folder for the replies of the service, as a scenario, and the records that they show'),
    value: textValue('a folder', './recorded'),
  },
  'target-ca': {
    ...forward('ca', 'File with certificates to trust, in PEM'),
    value: textValue('a file', './ca.pem'),
  },
  'target-timeout': {
    ...forward('timeout', 'How long the service may take to begin a reply'),
    value: duration('a duration of at least 1ms', '30s', 1, 3_600_000),
    default: '30s',
  },
  insecure: { ...forward('insecure', 'Accept any certificate of the service'), isOn: false },
} satisfies Readonly<Record<string, Setting>>

export const serveSettings = {
  fixtures: {
    describe: 'Folder with fixture files, in place of the default data',
    value: folder,
    rule: pathOr(greenhouseRules.fixtures, 'a folder, such as "./fixtures", or an object of records by collection'),
  },
  scenarios: {
    describe: 'Folder with scenario files of your own',
    value: folder,
    rule: pathOr(greenhouseRules.scenarios, 'a folder, such as "./scenarios", or an object of scenarios by name'),
  },
  scenario: {
    key: 'use',
    describe: 'Scenario to start with: NAME or NAME:option=value,…',
    each: textValue('NAME or NAME:option=value,…', 'rate-limited-plan:window=day', isScenario),
    rule: greenhouseRules.use,
  },
  assume: { key: 'assumptions', describe: 'Assumption to change: ID=VALUE', each: assumption, rule: assumptions },
  'assume-file': {
    key: 'assumptions',
    describe: 'File of assumptions, as greenhouse-mock verify --write writes it; --assume wins over it',
    value: assumptionsFile,
    rule: assumptions,
  },
  seed: {
    describe: 'Seed of ids and random faults',
    value: whole('a whole number', '7', Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
    default: 1,
    rule: greenhouseRules.seed,
  },
  now: {
    describe: 'Time at which clocks start, ISO 8601',
    value: textValue('a time in ISO 8601', '2026-01-31T12:00:00Z', isTime),
    rule: greenhouseRules.now,
  },
  frozen: { describe: 'Start with stopped clocks', isOn: false, rule: greenhouseRules.frozen },
  cors: {
    describe: 'Origin whose pages may call the APIs, besides this machine; * for all',
    each: textValue(
      'an origin (scheme, host and port, as browsers send it), or *',
      'https://app.example.com',
      (given) => given === '*' || isOrigin(given),
    ),
    rule: greenhouseRules.cors,
  },
  'webhook-allow': {
    key: 'webhooks.allow',
    describe: 'Host that may get webhooks, besides this machine',
    each: textValue('a host name or an address, without a scheme or a port', 'hooks.example.com', isWrittenHost),
    rule: webhooks.below.allow,
  },
  strict: { describe: 'Answer 400 to requests that break the contract', isOn: false, rule: greenhouseRules.strict },
  trace: { describe: 'Send the X-Greenhouse header with every reply', isOn: true, rule: greenhouseRules.trace },
  memory: {
    describe: 'Memory for the data and journals of all worlds together',
    value: size,
    defaultDescription: "512MiB, or an eighth of the machine's memory if that is less",
    past: 'journals of idle worlds go first, then what is kept for an undo, idle worlds, and old entries of the world that writes. Then writes are 507 (500 in app management) with a message that names the flag, `data_memory_full` in the control API, `DataMemoryError` in code',
    rule: greenhouseRules.memory,
  },
  'body-limit': {
    describe: 'Largest request body',
    value: size,
    default: '1MiB',
    past: '413 (400 in app management), read and dropped',
    rule: greenhouseRules.bodyLimit,
  },
  port: {
    describe: 'Port; 0 for any free port',
    value: whole('a whole number from 0 to 65535', '4010', 0, 65_535),
    default: 4010,
    rule: wholeNumber('a whole number from 0 to 65535', 0, 65_535),
  },
  host: {
    describe: 'Address to listen on',
    value: textValue('an address or a host name of this machine, without a port', '127.0.0.1', isWrittenHost),
    default: '127.0.0.1',
    rule: text('an address or a host name of this machine, such as "127.0.0.1"'),
  },
  'allow-host': {
    key: 'allowHosts',
    describe:
      'Host name that requests may use besides localhost, IP addresses and --host; .example.com for all names below',
    each: textValue(
      'a host name without a scheme or a port; with a leading dot, it stands for all names below it',
      'api',
      isHostName,
    ),
    rule: list("a list of host names, such as ['api', '.example.com']", (name) => typeof name === 'string'),
  },
  token: {
    describe: 'Secret of the control API; required if --host lets other machines in',
    value: { ...textValue('visible ASCII characters', 's3cret', isToken), isSecret: true },
    rule: { ...text('a text of visible ASCII characters', isToken), isSecret: true },
  },
  'tls-cert': {
    key: 'tls.cert',
    describe: 'Certificate in PEM, to serve https; needs --tls-key',
    value: textValue('a file', './localhost.pem'),
    rule: pem,
  },
  'tls-key': {
    key: 'tls.key',
    describe: 'Key of that certificate, in PEM',
    value: textValue('a file', './localhost-key.pem'),
    rule: pem,
  },
  'control-origin': {
    key: 'controlOrigins',
    describe: 'Exact origin whose pages may use the control API, such as http://localhost:5173',
    // Not `*`, and not `null`, which any page can have.
    each: textValue(
      'one exact origin: scheme, host and port as browsers send them, without a path and without *',
      'http://localhost:5173',
      isOrigin,
    ),
    rule: list(
      "a list of exact origins, such as ['http://localhost:5173'], without paths and without '*'",
      (origin) => typeof origin === 'string' && isOrigin(origin),
    ),
  },
  case: {
    describe: 'Start with the world of a case, after all its requests',
    value: file,
    rule: pathOr(greenhouseRules.case, 'a file, such as "./renewal.case.yaml", or a case'),
  },
  state: {
    describe: 'File that keeps the world default: read at the start if it is there, written after changes',
    value: file,
    rule: text('a file, such as "./state.yaml"'),
  },
  handlers: {
    describe: 'Module with your own MSW handlers, which answer first',
    value: file,
    rule: {
      takes: 'a module, such as "./handlers.mjs", or a list of MSW handlers',
      accepts: (value: unknown) => isPath(value) || Array.isArray(value),
    },
  },
  watch: { describe: 'Reload --fixtures and --scenarios when their files change', isOn: false, rule: flag },
  log: {
    describe: 'What to print: pretty, json or silent',
    value: oneOf(logFormats, 'json'),
    default: 'pretty' as LogFormat,
    rule: text('"pretty", "json" or "silent"', (value) => (logFormats as readonly string[]).includes(value)),
  },
  open: { describe: 'Open the panel in the browser', isOn: false, rule: flag },
  areas: { describe: 'Areas to serve; requests below the other get 404', rule: greenhouseRules.areas },
  maxWorlds: {
    describe: 'Most worlds at once',
    defaultDescription: '10,000',
    past: 'the least recently used one that is not pinned is dropped; using it again is 409 `world_dropped`',
    rule: greenhouseRules.maxWorlds,
  },
  'journal.entries': {
    describe: 'Most entries in the journal of a world',
    defaultDescription: '1,000',
    past: 'the oldest entry is dropped; a query without a match is an error if a dropped entry could match',
    rule: journal.below.entries,
  },
  operations: { describe: 'Operations of your own', rule: greenhouseRules.operations },
  collections: { describe: 'Collections of your own', rule: greenhouseRules.collections },
  plugins: { describe: 'Plug-ins', rule: greenhouseRules.plugins },
  plans: { describe: 'Plans that change those of the reference, or add to them', rule: greenhouseRules.plans },
  hooks: { describe: 'Functions to call with requests, replies and events', rule: greenhouseRules.hooks },
  persist: { describe: 'Storage of the page in which the world default survives', rule: greenhouseRules.persist },
  plants: { describe: 'Base URL of the plant store, as your client has it: tests answer there by MSW', rule: baseUrl },
  apps: { describe: 'Base URL of app management with its version, in the same way', rule: baseUrl },
} satisfies Readonly<Record<string, Setting>>

/**
 * Every setting, by its flag, in the order of help. Those without a flag are by their name in the configuration file. From this follow
 * the flags of `serve`, `run` and `flip`, their variables, the check of the configuration file, `greenhouse-mock config` and docs/config.md.
 */
export const settings = { ...serveSettings, ...proxySettings }

/** The rules of a configuration. The compiler reports a setting that is missing. */
export const configRules: RulesFor<GreenhouseConfig> & OptionRules = toRules(settings)

export const serverRules = {
  port: settings.port.rule,
  host: settings.host.rule,
  allowHosts: settings['allow-host'].rule,
  controlOrigins: settings['control-origin'].rule,
  token: settings.token.rule,
  tls: configRules.tls,
}

/**
 * Types a configuration, and checks it.
 * @example export default defineConfig({ port: 4100, fixtures: './fixtures', use: ['slow'] })
 * @throws TypeError for an unknown setting or a value of the wrong type; RangeError for a value out of range.
 */
export function defineConfig(config: GreenhouseConfig): GreenhouseConfig {
  return withCallerStack(defineConfig, () => {
    checkOptions('defineConfig', config, configRules)
    return config
  })
}

type SettingsWithFlag<S> = { [Name in keyof S as S[Name] extends Flag ? Name : never]: S[Name] }

export function flagsOf<S extends Readonly<Record<string, Setting>>>(all: S): SettingsWithFlag<S> {
  const withFlag = Object.entries(all).filter(([, setting]) => isFlag(setting))
  return withVariables(Object.fromEntries(withFlag)) as SettingsWithFlag<S>
}

/** Gives each flag its variable. */
export function withVariables<F extends object>(flags: F): F {
  const named = Object.entries(flags).map(([name, flag]) => [name, { ...flag, variable: variableOf(name) }])
  return Object.fromEntries(named) as F
}

export function isFlag(setting: Setting): setting is SettingText & Flag {
  return 'isOn' in setting || 'value' in setting || 'each' in setting
}

/** Returns the variable of a flag: GREENHOUSE_ALLOW_HOST for `--allow-host`. */
export function variableOf(flag: string): string {
  return `GREENHOUSE_${flag.toUpperCase().replaceAll('-', '_')}`
}

export function settingKey(name: string, { key }: Setting): string {
  return key ?? toCamelCase(name)
}

export function flagsByKey(all: Readonly<Record<string, Setting>>): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [name, setting] of Object.entries(all)) {
    const key = settingKey(name, setting)
    found.set(key, [...(found.get(key) ?? []), ...(isFlag(setting) ? [name] : [])])
  }
  return found
}

type KeyOf<S> = {
  [Name in keyof S & string]: S[Name] extends { readonly key: infer Key extends string } ? Key : CamelCase<Name>
}[keyof S & string]

type TopOf<Key extends string> = Key extends `${infer Top}.${string}` ? Top : Key

export function toRules<S extends Readonly<Record<string, Setting>>>(
  all: S,
): Readonly<Record<TopOf<KeyOf<S>>, OptionRule>> {
  const rules: Record<string, OptionRule> = {}
  for (const [name, setting] of Object.entries(all)) {
    const [key, below] = settingKey(name, setting).split('.') as [string, string?]
    rules[key] = below === undefined ? setting.rule : section({ ...rules[key]?.below, [below]: setting.rule })
  }
  return rules as Readonly<Record<TopOf<KeyOf<S>>, OptionRule>>
}

function pathOr({ accepts }: OptionRule, takes: string): OptionRule {
  return { takes, accepts: (value) => isPath(value) || accepts(value) }
}
