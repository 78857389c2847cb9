import { type RunnerCode, runners } from '../../core/text/code.ts'
import { shorten, toLiteral, toVisible } from '../../core/text/messages.ts'
import { toJson } from '../../core/http/json.ts'
import { toBytes } from '../../core/http/reply.ts'
import { bodyCap } from '../../core/journal/journal-record.ts'
import { toTimestamp } from '../../core/time/time-text.ts'
import { toBodyText } from '../../cases/format.ts'
import { replayCase, type ReplayedCase } from '../../cases/replay.ts'
import type { Case, CaseReply, CaseStep } from '../../cases/types.ts'
import type { Additions } from '../../custom/definitions.ts'
import { UsageError } from '../errors.ts'

type TestRunner = 'vitest' | 'jest' | 'playwright' | 'node'

const compared = /^(retry-after|x-ratelimit-.*|location|allow|content-type|idempotent-replayed)$/i

const ofFetch =
  /^(host|connection|content-length|transfer-encoding|accept-encoding|user-agent|accept-language|sec-.*)$/i

/** How long a test may take next to what the case took, and in all, in milliseconds. */
const [usualTime, longestTime] = [60_000, 600_000]

/**
 * Writes a test that goes to the moment before the last request of a case, sends that request, and compares the reply. Replays the
 * case to see how the reply is sent.
 */
export async function toTestCode(given: Case, file: string, runner: TestRunner, additions: Additions): Promise<string> {
  const { steps = [], world = 'default', incomplete, end } = given
  if (incomplete !== undefined) throw new UsageError(`${file} can't be replayed: ${toVisible(incomplete)}.`)
  const index = steps.findLastIndex(({ request }) => request !== undefined)
  const step = steps[index]
  if (!step) throw new UsageError(`${file} has no request: there is nothing to test.`)
  const { greenhouse, last } = await replayCase({ ...given, steps: steps.slice(0, index + 1) }, additions)
  greenhouse.close()
  const code = runners[runner]
  const { line, argument = '' } = code.limit(limitOf(step, steps[index + 1]?.at ?? end?.at))
  const title = given.title ?? `${shorten(step.request!, 200)} is answered with ${step.reply?.status || 'no reply'}`
  const load = (names: string, entry: string) =>
    code.requires ? `const { ${names} } = require('${entry}')` : `import { ${names} } from '${entry}'`
  const own = Object.keys(additions)
  const body = toBody(step, world, last, code)
  const needsReader = body.some((text) => text.includes('parseJson('))
  const imports = [
    ...(code.imports === '' ? [] : [code.imports]),
    load(needsReader ? 'parseJson, replayCase' : 'replayCase', 'greenhouse-mock/case'),
    load(own.length > 0 ? 'loadCase, loadConfig' : 'loadCase', 'greenhouse-mock/node'),
    load('serve', 'greenhouse-mock/server'),
  ]
  const start = [
    ...(line === undefined ? [] : [line]),
    ...(own.length > 0 ? [`const { ${own.join(', ')} } = (await loadConfig()).greenhouse`] : []),
    '// The moment before the last request.',
    `const { greenhouse } = await replayCase(loadCase(${toLiteral(file)}), { ${[`before: ${index + 1}`, ...own].join(', ')} })`,
    'const server = await serve(greenhouse)',
  ]
  const indented = (lines: readonly string[], indent: string) => lines.map((text) => `${indent}${text}\n`).join('')
  return `${imports.join('\n')}

test(${toLiteral(title)}, async () => {
${indented(start, '  ')}  try {
${indented(body, '    ')}  } finally {
    await server.close()
    greenhouse.close()
  }
}${argument})
`
}

function limitOf({ at }: CaseStep, next: string | undefined): number {
  const taken = at === undefined || next === undefined ? 0 : toTimestamp(next) - toTimestamp(at)
  return Math.min(usualTime + Math.max(taken, 0), longestTime)
}

function toBody(step: CaseStep, world: string, last: ReplayedCase['last'], code: RunnerCode): string[] {
  const [method, ...target] = step.request!.split(' ')
  const headers = Object.fromEntries(Object.entries(step.headers ?? {}).filter(([name]) => !ofFetch.test(name)))
  const hasReply = step.reply?.status !== 0
  const options = [
    `method: ${toLiteral(method)},`,
    `headers: ${toLiteral({ ...headers, 'x-greenhouse-world': world }, '      ')},`,
    ...(method === 'GET' || method === 'HEAD' ? [] : toSentBody(step)),
    ...(hasReply ? [] : ['signal: AbortSignal.timeout(2_000),']),
  ]
  const send = `fetch(server.url + ${toLiteral(target.join(' '))}, {\n${options.map((line) => `      ${line}\n`).join('')}    })`
  const client = world === 'default' ? 'server.url' : `server.url + ${toLiteral(`/~${world}`)}`
  return [
    `// Put your client here, with ${client}.`,
    ...(hasReply ? [`const reply = await ${send}`, ...expectations(step, last, code)] : [code.rejects(send)]),
  ]
}

function toSentBody(step: CaseStep): string[] {
  if (step.bytes !== undefined) return [`body: Buffer.from(${toLiteral(step.bytes)}, 'base64'),`]
  if (step.body !== undefined && !hasLongNumbers(step.body))
    return [`body: JSON.stringify(${toLiteral(step.body, '      ')}),`]
  const text = toBodyText(step)
  return text === undefined ? [] : [`body: ${toLiteral(text)},`]
}

function expectations({ reply }: CaseStep, last: ReplayedCase['last'], code: RunnerCode): string[] {
  if (!reply) return []
  const repeated = (last?.wire?.repeated ?? []).map((name) => name.toLowerCase())
  const headers = Object.entries(reply.headers ?? {}).filter(([name]) => compared.test(name))
  return [
    code.equal('reply.status', String(reply.status)),
    ...headers.map(([name, value]) => {
      const all = repeated.includes(name.toLowerCase()) ? [value, value] : [value]
      return code.equal(`reply.headers.get(${toLiteral(name)})`, toLiteral(all.flat().join(', ')))
    }),
    ...expectedBody(reply, last, code.equal),
  ]
}

function expectedBody(reply: CaseReply, last: ReplayedCase['last'], equal: RunnerCode['equal']): string[] {
  const text = toBodyText(reply)
  if (text === undefined) return []
  if (/\bfp_[0-9a-f]{12}\b/.test(text)) return ['// The body has a secret, which is not in the case.']
  const bytes = toBytes(text)
  const isStream = Object.entries(reply.headers ?? {}).some(
    ([name, value]) => /^content-type$/i.test(name) && /^text\/event-stream/i.test(String(value)),
  )
  const { cutAt = Infinity } = last?.wire ?? {}
  if (cutAt < bytes.length || isStream || bytes.length >= bodyCap - 3) {
    const begin = new TextDecoder().decode(bytes.subarray(0, cutAt), { stream: true })
    return begin === '' ? [] : expectedBeginning(begin, equal)
  }
  if (reply.bytes !== undefined)
    return [equal("Buffer.from(await reply.arrayBuffer()).toString('base64')", toLiteral(reply.bytes))]
  if (reply.body === undefined) return [equal('await reply.text()', toLiteral(text))]
  const read = hasLongNumbers(reply.body) ? 'parseJson(await reply.text())' : 'await reply.json()'
  return [equal(read, toLiteral(reply.body, '    '))]
}

function expectedBeginning(begin: string, equal: RunnerCode['equal']): string[] {
  return [
    "let text = ''",
    'for await (const part of reply.body.pipeThrough(new TextDecoderStream()))',
    `  if ((text += part).length >= ${begin.length}) break`,
    equal(`text.slice(0, ${begin.length})`, toLiteral(begin)),
  ]
}

/** Whether JSON has numbers that `JSON.parse` and `JSON.stringify` would change. */
function hasLongNumbers(body: unknown): boolean {
  const json = toJson(body)
  return JSON.stringify(JSON.parse(json)) !== json
}
