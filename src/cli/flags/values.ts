import { areaNames, type AreaName } from '../../areas/event-types.ts'
import { violationRules, type ViolationRule } from '../../core/journal/violation.ts'
import { isTime, toMilliseconds } from '../../core/time/time-text.ts'
import { isOrigin, isWrittenHost } from '../../core/http/urls.ts'
import { isHostName } from '../../node-http/hosts.ts'
import type { FlagValue } from './flags.ts'

const logFormats = ['pretty', 'json', 'silent'] as const

export type LogFormat = (typeof logFormats)[number]

const reportFormats = ['table', 'json', 'junit', 'md'] as const

export type ReportFormat = (typeof reportFormats)[number]

export const folder: FlagValue = { expected: 'a folder', example: './fixtures' }

export const wholeNumberValue: FlagValue<number> = {
  expected: 'a whole number',
  example: '7',
  read: (text) => toWhole(text, Number.MIN_SAFE_INTEGER),
}

export const size: FlagValue<number> = { expected: 'a number of bytes', example: '64MiB', read: toBytes }

export const port: FlagValue<number> = {
  expected: 'a whole number from 0 to 65535',
  example: '4010',
  read: (text) => toWhole(text, 0, 65_535),
}

export const address: FlagValue = {
  expected: 'an address or a host name of this machine, without a port',
  example: '127.0.0.1',
  read: (text) => (isWrittenHost(text) ? text : undefined),
}

export const host: FlagValue = {
  expected: 'a host name or an address, without a scheme or a port',
  example: 'hooks.example.com',
  read: (text) => (isWrittenHost(text) ? text : undefined),
}

export const hostName: FlagValue = {
  expected: 'a host name without a scheme or a port; with a leading dot, it stands for all names below it',
  example: 'api',
  read: (text) => (isHostName(text) ? text : undefined),
}

export const origin: FlagValue = {
  expected: 'an origin (scheme, host and port, as browsers send it), or *',
  example: 'https://app.example.com',
  read: (text) => (text === '*' || isOrigin(text) ? text : undefined),
}

/** The origin of a page that may use the control API; not `*`, and not `null`, which any page can have. */
export const exactOrigin: FlagValue = {
  expected: 'one exact origin: scheme, host and port as browsers send them, without a path and without *',
  example: 'http://localhost:5173',
  read: (text) => (isOrigin(text) ? text : undefined),
}

export const secret: FlagValue = {
  expected: 'visible ASCII characters',
  example: 's3cret',
  isSecret: true,
  read: (text) => (/^[\x21-\x7e]+$/.test(text) ? text : undefined),
}

export const serverUrl: FlagValue = {
  expected: 'a URL',
  example: 'http://127.0.0.1:4010',
  read: (text) => (/^http:\/\//i.test(text) && URL.canParse(text) ? text : undefined),
}

export const file: FlagValue = { expected: 'a file', example: './handlers.mjs' }

export const assumptionsFile: FlagValue = { expected: 'a file', example: './assumptions.yaml' }

/** The name of a world; not `.` or `..`, which URL parsers remove. */
export const world: FlagValue = {
  expected: '1 to 64 of the characters A-Z a-z 0-9 . _ -',
  example: 'checkout',
  read: (text) => (/^[A-Za-z0-9._-]{1,64}$/.test(text) && !/^\.\.?$/.test(text) ? text : undefined),
}

export const words: FlagValue = { expected: 'some words', example: "'429 retry'" }

export const id: FlagValue = { expected: 'an id', example: 'acct_pro' }

export const json: FlagValue = { expected: 'a JSON object', example: '\'{"id": 1}\'' }

export const log: FlagValue<LogFormat> = oneOf(logFormats, 'json')

export const area: FlagValue<AreaName> = oneOf(areaNames, 'plants')

export const documentFormat: FlagValue<'json' | 'yaml'> = oneOf(['json', 'yaml'], 'yaml')

export const failure: FlagValue<'failed' | 'violations'> = oneOf(['failed', 'violations'], 'failed')

export const violationRule: FlagValue<ViolationRule> = {
  ...oneOf(violationRules, 'missing-key'),
  expected: `one of ${violationRules.join(', ')}`,
}

export const reportFormat: FlagValue<ReportFormat> = oneOf(reportFormats, 'md')

const testRunners = ['vitest', 'jest', 'playwright', 'node'] as const

export type TestRunner = (typeof testRunners)[number]

export const runner: FlagValue<TestRunner> = oneOf(testRunners, 'node')

export const durationValue: FlagValue<number> = {
  expected: 'a duration above 0',
  example: '90s',
  read: (text) => toDuration(text),
}

export const countValue: FlagValue<number> = {
  expected: 'a whole number from 1 to 64',
  example: '4',
  read: (text) => toWhole(text, 1, 64),
}

export const assumptions: FlagValue = { expected: 'the id of an assumption or a glob', example: "'plants.*'" }

export const timeValue: FlagValue = {
  expected: 'a time in ISO 8601',
  example: '2026-01-31T12:00:00Z',
  read: (text) => (isTime(text) ? text : undefined),
}

export const scenario: FlagValue = {
  expected: 'NAME or NAME:option=value,…',
  example: 'rate-limited-plan:window=day',
  read: (text) => (/^[\s,]*(:|$)/.test(text) ? undefined : text),
}

export const assumption: FlagValue<[id: string, value: string]> = {
  expected: 'ID=VALUE',
  example: 'plants.delete.unknown=204',
  read(text) {
    const equals = text.indexOf('=')
    return equals < 1 || equals === text.length - 1 ? undefined : [text.slice(0, equals), text.slice(equals + 1)]
  },
}

export const target: FlagValue = {
  expected: 'an http or https URL without a query',
  example: 'https://api.example.com/v1',
  read: toTarget,
}

export const cells: FlagValue = {
  expected: 'operations or cells of the coverage, with * for any characters',
  example: "'apps.*' or '*/413'",
}

export const percent: FlagValue<number> = {
  expected: 'a percentage from 0 to 100',
  example: '80',
  read: (text) => (/^\d{1,3}(\.\d+)?$/.test(text) && Number(text) <= 100 ? Number(text) : undefined),
}

export const glob: FlagValue = {
  expected: 'the id of a rule or an assumption, with * for any characters',
  example: "'plants.*'",
}

export const seconds: FlagValue<number> = {
  expected: 'a duration from 100ms to 10m',
  example: '10s',
  read: (text) => toDuration(text, 100, 600_000),
}

export const lag: FlagValue<number> = {
  expected: 'a duration from 0s to 1m',
  example: '2s',
  read: (text) => toDuration(text, 0, 60_000),
}

export const rate: FlagValue<number> = {
  expected: 'a number of requests a second, more than 0',
  example: '4',
  read: (text) => (/^\d{1,6}(\.\d{1,3})?$/.test(text) && Number(text) > 0 ? Number(text) : undefined),
}

export const operation: FlagValue = { expected: 'the id of an operation', example: 'plants.list' }

export const scenarioNameValue: FlagValue = { expected: 'the name of a scenario', example: 'slow' }

export const status: FlagValue = {
  expected: 'a status or a class of statuses',
  example: '4xx',
  read: (text) => (/^([1-5]\d\d|[1-5]xx|0)$/i.test(text) ? text.toLowerCase() : undefined),
}

export const nonNegativeInteger: FlagValue<number> = {
  expected: 'a whole number, 0 or more',
  example: '20',
  read: (text) => toWhole(text, 0, 999_999_999),
}

export const positiveInteger: FlagValue<number> = {
  expected: 'a whole number, 1 or more',
  example: '200',
  read: (text) => toWhole(text, 1, 999_999_999),
}

export const condition: FlagValue<[field: string, value: string]> = {
  expected: 'FIELD=VALUE',
  example: 'tag=tree',
  read(text) {
    const equals = text.indexOf('=')
    return equals < 1 ? undefined : [text.slice(0, equals), text.slice(equals + 1)]
  },
}

export const method: FlagValue = { expected: 'an HTTP method', example: 'POST' }

export const path: FlagValue = { expected: 'a path from the root of the service', example: '/v1/apps/*' }

export const headerField: FlagValue<[name: string, value: string]> = {
  ...condition,
  expected: 'NAME=VALUE',
  example: 'idempotency-key=*',
}

export const queryField: FlagValue<[name: string, value: string]> = {
  ...condition,
  expected: 'NAME=VALUE',
  example: 'limit=3',
}

export const bodyField: FlagValue<[field: string, value: string]> = { ...condition, example: 'name=Fern' }

export const sentKey: FlagValue = { expected: 'a key or its fingerprint', example: 'key_pro', isSecret: true }

export const accountId: FlagValue = { expected: 'the id of an account', example: 'acct_pro' }

export const sortField: FlagValue = { expected: 'the name of a field', example: 'name' }

function oneOf<T extends string>(known: readonly T[], example: T): FlagValue<T> {
  return {
    expected: `${known.slice(0, -1).join(', ')} or ${known.at(-1)}`,
    example,
    read: (text) => known.find((one) => one === text),
  }
}

function toWhole(text: string, least: number, max = Number.MAX_SAFE_INTEGER): number | undefined {
  const number = /^-?\d+$/.test(text) ? Number(text) : NaN
  return number >= least && number <= max ? number : undefined
}

const units: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
}

function toBytes(text: string): number | undefined {
  const [, amount, unit = 'b'] = /^(\d{1,15}) ?([KMG]i?B|B)?$/i.exec(text) ?? []
  const bytes = Number(amount) * units[unit.toLowerCase()]!
  return Number.isSafeInteger(bytes) ? bytes : undefined
}

function toDuration(text: string, least = Number.MIN_VALUE, max = Infinity): number | undefined {
  try {
    const length = toMilliseconds(text)
    return length >= least && length <= max ? length : undefined
  } catch {
    return undefined
  }
}

function toTarget(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const { origin, pathname, search, hash, username, password } = new URL(text)
  if (search !== '' || hash !== '' || username !== '' || password !== '' || text.endsWith('?')) return undefined
  return origin + (pathname.endsWith('/') ? pathname.slice(0, -1) : pathname)
}
