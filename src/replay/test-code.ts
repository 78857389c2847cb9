import { isObject } from '../core/contract/options.ts'
import { toJson } from '../core/http/json.ts'
import { bodiless, toBytes } from '../core/http/reply.ts'
import { bodyCap } from '../core/journal/journal-record.ts'
import { type RunnerCode, runners } from '../output/code.ts'
import { shorten, toLiteral } from '../core/text/messages.ts'
import { globFilter, valueAt } from '../core/text/values.ts'
import { toTimestamp } from '../core/time/time-text.ts'
import type { Additions } from '../custom/definitions.ts'
import { toBodyText } from '../cases/content.ts'
import { fingerprintPattern, splitRequest } from '../cases/format.ts'
import { framingHeaders } from '../scenarios/language/fields.ts'
import { replayCase } from './replay.ts'
import type { Case, CaseReply, CaseStep } from '../cases/generated/case.ts'

export type TestRunner = keyof typeof runners

/** The headers of replies that a test of a case file compares. */
const comparedHeaders = [
  'retry-after',
  'x-ratelimit-*',
  'location',
  'allow',
  'content-type',
  'idempotent-replayed',
]

/** The headers of requests that a copied test omits: its `fetch` sets them. */
export const connectionHeaders = [...framingHeaders, 'host', 'accept-encoding']
/** The headers of requests that a copied test omits: a browser set them, not the client's code. */
const browserHeaders = [
  'user-agent',
  'accept-language',
  'origin',
  'referer',
  'cache-control',
  'pragma',
  'sec-*',
]

const isCompared = globFilter(comparedHeaders)
const isOmitted = globFilter([...connectionHeaders, ...browserHeaders])

/** How much longer than the case a test may take, and how long at most, in milliseconds. */
const [usualTime, longestTime] = [60_000, 600_000]

/** A test that starts a server with the world of a case, and sends it a request. */
interface CaseTest {
  readonly title: string
  readonly code: RunnerCode
  readonly limit: number
  /** The names of what the configuration file adds: `operations`. */
  readonly own: readonly string[]
  /** The functions that load the files of the test: `loadCase`. */
  readonly load: readonly string[]
  /** Lines that create `greenhouse`. */
  readonly start: readonly string[]
  /** Lines that send the request, and expect its reply. */
  readonly body: readonly string[]
}

export function toCaseTest({ title, code, limit, own, load, start, body }: CaseTest): string {
  const { line, argument = '' } = code.limit(limit)
  const entries = {
    'greenhouse-mock': ['replayCase'],
    'greenhouse-mock/node': [...load],
    'greenhouse-mock/server': ['serve'],
  }
  if (body.some((text) => text.includes('parseJson(')))
    entries['greenhouse-mock'].unshift('parseJson')
  const head: string[] = []
  if (line !== undefined) head.push(line)
  if (own.length > 0) {
    entries['greenhouse-mock/node'].push('loadConfig')
    head.push(`const { ${own.join(', ')} } = (await loadConfig()).greenhouse`)
  }
  head.push(...start, 'const server = await serve(greenhouse)')
  const imports = Object.entries(entries)
    .filter(([, names]) => names.length > 0)
    .map(([entry, names]) => toImport(code, entry, names.join(', ')))
  return `${[code.imports, ...imports].join('\n').trimStart()}

test(${toLiteral(title)}, async () => {
${indent(head, '  ')}  try {
${indent(body, '    ')}  } finally {
    await server.close()
    greenhouse.close()
  }
}${argument})
`
}

function toImport({ requires }: RunnerCode, entry: string, names: string): string {
  if (requires) return `const { ${names} } = require('${entry}')`
  return `import { ${names} } from '${entry}'`
}

/**
 * Returns a test that replays a case file up to its last request, and sends that. It replays the
 * case itself first, to see how the reply is sent. Returns nothing for a case without a request.
 */
export async function toTestOfFile(
  given: Case,
  file: string,
  runner: TestRunner,
  additions: Additions,
): Promise<string | undefined> {
  const { steps = [], world = 'default', end } = given
  // Steps are counted from 1; 0 means that there is no request.
  const number = steps.findLastIndex(({ request }) => request !== undefined) + 1
  const [step, next = end] = steps.slice(number - 1)
  if (number === 0 || !step) return undefined
  const { greenhouse, last } = await replayCase(
    {
      ...given,
      steps: steps.slice(0, number),
    },
    additions,
  )
  greenhouse.close()
  const code = runners[runner]
  const own = Object.keys(additions)
  const options = [`before: ${number}`, ...own].join(', ')
  const [, target] = splitRequest(step)
  const headers = {
    ...toSentHeaders(step),
    'x-greenhouse-world': world,
  }
  const client = world === 'default' ? 'server.url' : `server.url + ${toLiteral(`/~${world}`)}`
  return toCaseTest({
    title: given.title ?? titleOfStep(step),
    code,
    limit: timeLimitOf(step, next?.at),
    own,
    load: ['loadCase'],
    start: [
      '// The moment before the last request.',
      `const { greenhouse } = await replayCase(loadCase(${toLiteral(file)}), { ${options} })`,
    ],
    body: [
      `// Put your client here, with ${client}.`,
      ...toRequestLines({ ...step, headers }, `server.url + ${toLiteral(target)}`, code),
      ...expectHeaders(step, code),
      ...expectBody(step.reply, last?.wire?.cutAt ?? Infinity, code),
    ],
  })
}

export function titleOfStep({ request = '', reply }: CaseStep): string {
  return `${shorten(request, 200)} is answered with ${reply?.status || 'no reply'}`
}

/** Indents code. A text in it may have several lines; a line break in a literal is a `\n`. */
export function indent(lines: readonly string[], space: string): string {
  return lines.map((text) => text.replaceAll(/^(?=.)/gm, space) + '\n').join('')
}

/** @param next the time of what came after the request */
function timeLimitOf({ at }: CaseStep, next: string | undefined): number {
  const taken = at === undefined || next === undefined ? 0 : toTimestamp(next) - toTimestamp(at)
  return Math.min(usualTime + Math.max(taken, 0), longestTime)
}

/** Returns the headers of a step that its client's code set, not `fetch`, a browser or a socket. */
export function toSentHeaders({ headers = {} }: CaseStep): Record<string, string> {
  const sent = Object.entries(headers).filter(
    ([name, value]) => !isOmitted(name.toLowerCase()) && value !== '*/*',
  )
  return Object.fromEntries(sent.map(([name, value]) => [name, String(value)]))
}

/**
 * Returns the lines that send the request of a step, and expect its status, or that no reply comes.
 * @param url an expression
 */
export function toRequestLines(step: CaseStep, url: string, code: RunnerCode): string[] {
  const status = step.reply?.status
  const send = toCall(step, url)
  if (status === 0) return [code.rejects(send)]
  const lines = [`const reply = await ${send}`]
  if (status !== undefined) lines.push(code.equal('reply.status', String(status)))
  return lines
}

function toCall(step: CaseStep, url: string): string {
  const options = toCallOptionLines(step)
  if (options.length === 0) return `fetch(${url})`
  const line = `fetch(${url}, { ${options.join(', ')} })`
  if (line.length <= 100 && !line.includes('\n')) return line
  return `fetch(${url}, {\n${options.map((option) => `  ${option},\n`).join('')}})`
}

function toCallOptionLines(step: CaseStep): string[] {
  const [method] = splitRequest(step)
  const { headers = {}, reply } = step
  const options: string[] = []
  if (method !== 'GET') options.push(`method: ${toLiteral(method)}`)
  if (Object.keys(headers).length > 0) options.push(`headers: ${toLiteral(headers, '  ')}`)
  if (method !== 'GET' && method !== 'HEAD') options.push(...toSentBody(step))
  if (reply?.status === 0) options.push('signal: AbortSignal.timeout(2_000)')
  else if (reply && Math.floor(reply.status / 100) === 3) options.push("redirect: 'manual'")
  return options
}

function toSentBody(step: CaseStep): string[] {
  if (step.bytes !== undefined) return [`body: Buffer.from(${toLiteral(step.bytes)}, 'base64')`]
  const text = toBodyText(step)
  if (text === undefined) return []
  // A body that was too large for the server is of spaces, as its text is not kept.
  if (text.length >= 1_000 && text === ' '.repeat(text.length))
    return [`body: ' '.repeat(${text.length})`]
  const hasType = Object.keys(step.headers ?? {}).some((name) => /^content-type$/i.test(name))
  // With a text, `fetch` would add a `Content-Type`, which this request did not have.
  if (!hasType) return [`body: Buffer.from(${toLiteral(text)})`]
  if (step.body === undefined || hasLongNumbers(step.body)) return [`body: ${toLiteral(text)}`]
  return [`body: JSON.stringify(${toLiteral(step.body, '  ')})`]
}

function expectHeaders({ reply }: CaseStep, code: RunnerCode): string[] {
  if (!reply || reply.status === 0) return []
  return Object.entries(reply.headers ?? {})
    .filter(([name]) => isCompared(name.toLowerCase()))
    .map(([name, value]) =>
      code.equal(`reply.headers.get(${toLiteral(name)})`, toLiteral([value].flat().join(', '))),
    )
}

/**
 * Returns the lines that compare the body of a reply. @param cutAt the number of bytes after which
 * the body ends early
 */
export function expectBody(
  reply: CaseReply | undefined,
  cutAt: number,
  { equal }: RunnerCode,
): string[] {
  if (!reply || reply.status === 0 || bodiless.has(reply.status)) return []
  const text = toBodyText(reply)
  if (text === undefined) return []
  if (hasSecret(text)) return expectOtherFields(reply.body, equal)
  const bytes = toBytes(text)
  const isStream = Object.entries(reply.headers ?? {}).some(
    ([name, value]) => /^content-type$/i.test(name) && /^text\/event-stream/i.test(String(value)),
  )
  // A stream may go on. Of a large body, the journal keeps the beginning, to the last character.
  if (cutAt < bytes.length || isStream || bytes.length >= bodyCap - 3) {
    const begin = new TextDecoder().decode(bytes.subarray(0, cutAt), { stream: true })
    if (begin === '') return []
    return expectBeginning(begin, equal)
  }
  return expectWhole(reply, text, equal)
}

function expectWhole(reply: CaseReply, text: string, equal: RunnerCode['equal']): string[] {
  if (reply.bytes !== undefined)
    return [
      equal("Buffer.from(await reply.arrayBuffer()).toString('base64')", toLiteral(reply.bytes)),
    ]
  if (reply.body === undefined) return [equal('await reply.text()', toLiteral(text))]
  const read = hasLongNumbers(reply.body) ? 'parseJson(await reply.text())' : 'await reply.json()'
  return [equal(read, toLiteral(reply.body))]
}

function hasSecret(text: string): boolean {
  return text.search(fingerprintPattern) >= 0
}

/** Compares the fields of a body that have no secret. */
function expectOtherFields(body: unknown, equal: RunnerCode['equal']): string[] {
  const note = '// The body has a secret, which is not in the case.'
  if (!isObject(body) || hasLongNumbers(body)) return [note]
  const shown = { ...body }
  for (const [name, value] of Object.entries(body)) if (hasSecret(toJson(value))) delete shown[name]
  const hidden = Object.keys(body).filter((name) => !(name in shown))
  // A secret in the name of a field is in no value.
  const canBeLeftOut = hidden.length > 0 && hidden.every((name) => /^[a-z_]\w*$/i.test(name))
  if (!canBeLeftOut) return [note]
  return [
    note,
    `const { ${hidden.join(', ')}, ...body } = await reply.json()`,
    equal('body', toLiteral(shown)),
  ]
}

/**
 * Returns the lines that compare an error without its `request_id`, which is different each time;
 * nothing for a reply that is not such an error.
 */
export function expectError(
  reply: CaseReply | undefined,
  { equal }: RunnerCode,
): string[] | undefined {
  const error = valueAt(reply?.body, ['error'])
  if (!isObject(error) || typeof error['request_id'] !== 'string') return undefined
  const { request_id: _, ...fields } = error
  const shown = Object.entries(fields).filter(([, value]) => !hasSecret(toJson(value)))
  return [
    'const { error } = await reply.json()',
    ...shown.map(([name, value]) => equal(`error.${name}`, toLiteral(value))),
  ]
}

function expectBeginning(begin: string, equal: RunnerCode['equal']): string[] {
  return [
    "let text = ''",
    'for await (const part of reply.body.pipeThrough(new TextDecoderStream()))',
    `  if ((text += part).length >= ${begin.length}) break`,
    equal(`text.slice(0, ${begin.length})`, toLiteral(begin)),
  ]
}

/** Returns whether JSON has numbers that `JSON.parse` and `JSON.stringify` would change. */
function hasLongNumbers(body: unknown): boolean {
  const json = toJson(body)
  return JSON.stringify(JSON.parse(json)) !== json
}
