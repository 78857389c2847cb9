import { areaNames } from '../../areas/event-types.ts'
import { violationRules } from '../../core/journal/violation.ts'
import { isTime, toMilliseconds } from '../../core/time/time-text.ts'
import { isOrigin, isWrittenHost } from '../../core/http/urls.ts'
import { isHostName } from '../../node-http/hosts.ts'
import { eitherOf, type FlagValue } from './flags.ts'

const logFormats = ['pretty', 'json', 'silent'] as const
const reportFormats = ['table', 'json', 'junit', 'md'] as const
const testRunners = ['vitest', 'jest', 'playwright', 'node'] as const

export type LogFormat = (typeof logFormats)[number]
export type ReportFormat = (typeof reportFormats)[number]
export type TestRunner = (typeof testRunners)[number]

// Files, texts and names
export const folder = text('a folder', './fixtures')
export const file = text('a file', './handlers.mjs')
export const assumptionsFile = text('a file', './assumptions.yaml')
export const words = text('some words', "'429 retry'")
export const json = text('a JSON object', '\'{"id": 1}\'')
export const id = text('an id', 'acct_pro')
export const accountId = text('the id of an account', 'acct_pro')
export const operation = text('the id of an operation', 'plants.list')
export const scenarioNameValue = text('the name of a scenario', 'slow')
export const sortField = text('the name of a field', 'name')
export const method = text('an HTTP method', 'POST')
export const path = text('a path from the root of the service', '/v1/apps/*')
export const assumptions = text('the id of an assumption or a glob', "'plants.*'")
export const cells = text('operations or cells of the coverage, with * for any characters', "'apps.*' or '*/413'")
export const scenario = text(
  'NAME or NAME:option=value,…',
  'rate-limited-plan:window=day',
  (given) => !/^[\s,]*(:|$)/.test(given),
)
/** The name of a world; not `.` or `..`, which URL parsers remove. */
export const world = text(
  '1 to 64 of the characters A-Z a-z 0-9 . _ -',
  'checkout',
  (given) => /^[A-Za-z0-9._-]{1,64}$/.test(given) && !/^\.\.?$/.test(given),
)
export const status = read('a status or a class of statuses', '4xx', (given) =>
  /^([1-5]\d\d|[1-5]xx|0)$/i.test(given) ? given.toLowerCase() : undefined,
)
export const timeValue = text('a time in ISO 8601', '2026-01-31T12:00:00Z', isTime)

// Hosts and URLs
export const address = text('an address or a host name of this machine, without a port', '127.0.0.1', isWrittenHost)
export const host = text('a host name or an address, without a scheme or a port', 'hooks.example.com', isWrittenHost)
export const hostName = text(
  'a host name without a scheme or a port; with a leading dot, it stands for all names below it',
  'api',
  isHostName,
)
export const origin = text(
  'an origin (scheme, host and port, as browsers send it), or *',
  'https://app.example.com',
  (given) => given === '*' || isOrigin(given),
)
/** The origin of a page that may use the control API; not `*`, and not `null`, which any page can have. */
export const exactOrigin = text(
  'one exact origin: scheme, host and port as browsers send them, without a path and without *',
  'http://localhost:5173',
  isOrigin,
)
export const serverUrl = text(
  'a URL',
  'http://127.0.0.1:4010',
  (given) => /^http:\/\//i.test(given) && URL.canParse(given),
)
export const target = read('an http or https URL without a query', 'https://api.example.com/v1', toTarget)

// Secrets
export const secret = {
  ...text('visible ASCII characters', 's3cret', (given) => /^[\x21-\x7e]+$/.test(given)),
  isSecret: true,
}
export const sentKey = { ...text('a key or its fingerprint', 'key_pro'), isSecret: true }

// Numbers
export const wholeNumberValue = whole('a whole number', '7', Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
export const nonNegativeInteger = whole('a whole number, 0 or more', '20', 0)
export const positiveInteger = whole('a whole number, 1 or more', '200', 1)
export const countValue = whole('a whole number from 1 to 64', '4', 1, 64)
export const port = whole('a whole number from 0 to 65535', '4010', 0, 65_535)
export const size = read('a number of bytes', '64MiB', toBytes)
export const durationValue = duration('a duration above 0', '90s', Number.MIN_VALUE)
export const percent = read('a percentage from 0 to 100', '80', (given) =>
  /^\d{1,3}(\.\d+)?$/.test(given) && Number(given) <= 100 ? Number(given) : undefined,
)

// One of several
export const log = oneOf(logFormats, 'json')
export const area = oneOf(areaNames, 'plants')
export const documentFormat = oneOf(['json', 'yaml'], 'yaml')
export const failure = oneOf(['failed', 'violations'], 'failed')
export const reportFormat = oneOf(reportFormats, 'md')
export const runner = oneOf(testRunners, 'node')
export const violationRule = {
  ...oneOf(violationRules, 'missing-key'),
  expected: `one of ${violationRules.join(', ')}`,
}

// Pairs
export const assumption = pair('ID=VALUE', 'plants.delete.unknown=204', true)
export const condition = pair('FIELD=VALUE', 'tag=tree')
export const headerField = pair('NAME=VALUE', 'idempotency-key=*')
export const queryField = pair('NAME=VALUE', 'limit=3')
export const bodyField = pair('FIELD=VALUE', 'name=Fern')

// For values that one command alone takes
export { duration as lengthOfTime, read as readValue, text as textValue }

function text(expected: string, example: string, isValid: (given: string) => boolean = () => true): FlagValue {
  return read(expected, example, (given) => (isValid(given) ? given : undefined))
}

function read<T>(expected: string, example: string, read: (text: string) => T | undefined): FlagValue<T> {
  return { expected, example, read }
}

function oneOf<T extends string>(known: readonly T[], example: T): FlagValue<T> {
  return read(eitherOf(known), example, (text) => known.find((one) => one === text))
}

function whole(expected: string, example: string, least: number, max = 999_999_999): FlagValue<number> {
  return read(expected, example, (text) => {
    const number = /^-?\d+$/.test(text) ? Number(text) : NaN
    return number >= least && number <= max ? number : undefined
  })
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

function duration(expected: string, example: string, least: number, max = Infinity): FlagValue<number> {
  return read(expected, example, (text) => {
    try {
      const length = toMilliseconds(text)
      return length >= least && length <= max ? length : undefined
    } catch {
      return undefined
    }
  })
}

function pair(expected: string, example: string, isComplete = false): FlagValue<[name: string, value: string]> {
  return read(expected, example, (text) => {
    const equals = text.indexOf('=')
    if (equals < 1 || (isComplete && equals === text.length - 1)) return undefined
    return [text.slice(0, equals), text.slice(equals + 1)]
  })
}

function toTarget(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const { origin, pathname, search, hash, username, password } = new URL(text)
  if (search !== '' || hash !== '' || username !== '' || password !== '' || text.endsWith('?')) return undefined
  return origin + (pathname.endsWith('/') ? pathname.slice(0, -1) : pathname)
}
