import { createGreenhouse } from '../../api/assembly/create.ts'
import type { Greenhouse } from '../../api/greenhouse.ts'
import { toJson } from '../../core/http/json.ts'
import { toText } from '../../core/http/reply.ts'
import type { Exchange } from '../../core/pipeline/exchange.ts'
import { redact } from '../../core/secrets/redact.ts'
import { SecretFinder } from '../../core/secrets/secret-finder.ts'
import { splitWorld } from '../../core/pipeline/router.ts'
import { systemNow } from '../../core/time/clock.ts'
import { readDate } from '../../core/time/time-text.ts'
import type { JudgedReply } from '../../proxy/front.ts'
import { counted, learnAssumptions, type LearntAssumptions, maxReplayed, toDifference } from './assumptions.ts'
import { parseJsonOr } from '../../core/http/json.ts'
import { LearntRecords, type Traffic } from './records.ts'

/** The most requests, and characters of their bodies and replies, to learn from. */
const maxRequests = 10_000
const maxText = 2 ** 25

/** Learns from the replies of a real service what it starts with, and how it behaves where the reference is silent. */
export class Recorder {
  readonly #greenhouse: Greenhouse
  readonly #traffic: Traffic[] = []
  #text = 0
  #count = 0

  constructor(greenhouse: Greenhouse) {
    this.#greenhouse = greenhouse
  }

  readonly learn = ({ request, secret, operation, path }: Exchange, reply: JudgedReply): void => {
    this.#count++
    const { status, headers, text, violations } = reply
    const body = request.body instanceof Uint8Array ? toText(request.body) : undefined
    this.#text += text.length + (body?.length ?? 0)
    if (this.#traffic.length >= maxRequests || this.#text > maxText) return
    const { 'x-greenhouse-scenario': _, ...sent } = request.headers
    this.#traffic.push({
      at: readDate(headers['Date'] ?? '') || systemNow(),
      method: request.method,
      path: splitWorld(request.path).path,
      search: request.search,
      sent,
      body,
      secret,
      operation,
      params: operation ? toParams(operation.path, path) : {},
      status,
      headers,
      json: parseJsonOr(text, undefined),
      violations,
    })
  }

  /** Returns the files by name: fixtures, assumptions, a report. None holds a key, unless it consists of plain words. */
  toFiles(): Record<string, string> {
    const { catalogue } = this.#greenhouse
    const records = new LearntRecords(this.#traffic, catalogue.definitions)
    const fixtures = records.toFixtures()
    const names = records.names()
    const { values, ...found } = this.#repeat(fixtures)
    const report = {
      requests: this.#count,
      repeated: Math.min(this.#traffic.length, maxReplayed),
      learnt: Object.keys(values),
      ...found,
      not_in_the_contract: counted(this.#traffic.map((one) => toDifference(one, one.violations))),
      not_learnt: [...records.skipped],
    }
    const sent = new SecretFinder([...names.keys()].filter((secret) => names.get(secret) !== secret))
    // Numbers stay: a key can consist of digits.
    const hideSent = (string: string) => redact(string, [sent])
    const write = (value: unknown) =>
      `${this.#greenhouse.world().redact(toJson(value).replaceAll(/"[^"\\]*(?:\\[^]?[^"\\]*)*(?:"|$)/g, hideSent))}\n`
    const { keys, ...others } = fixtures
    return {
      'fixtures/keys.json': toJson({
        keys: keys!.map((key) => ({ ...key, secret: names.get(String(key['secret'])) })),
      }),
      'fixtures/learnt.json': write(others),
      'assumptions.yaml': toJson(values),
      'report.json': write(report),
    }
  }

  #repeat(fixtures: object): LearntAssumptions & { readonly failed?: string } {
    const { proxy: _, persist: __, use: ___, hooks: ____, strict: _____, ...options } = this.#greenhouse.options
    const now = this.#traffic[0]?.at
    try {
      const mock = createGreenhouse({ ...options, fixtures, assumptions: {}, now, frozen: true, trace: false } as never)
      mock.deliverThrough({ send: () => new Promise(() => undefined) })
      const learnt = learnAssumptions(this.#traffic, mock)
      mock.close()
      return learnt
    } catch (error) {
      return { values: {}, differences: [], failed: (error as Error).message }
    }
  }
}

function toParams(pattern: string, path: string): Record<string, string> {
  const parts = path.split('/')
  const names = pattern.split('/').map((name, index) => [name.slice(1, -1), parts[index]!])
  return Object.fromEntries(names)
}
