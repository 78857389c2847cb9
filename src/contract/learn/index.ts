import { createGreenhouse } from '../../api/assembly/create.ts'
import type { Greenhouse } from '../../api/greenhouse.ts'
import { toJson } from '../../core/http/json.ts'
import type { Exchange } from '../../core/pipeline/exchange.ts'
import { redact } from '../../core/secrets/redact.ts'
import { SecretFinder } from '../../core/secrets/secret-finder.ts'
import type { JudgedReply } from '../../proxy/front.ts'
import { counted, learnAssumptions, maxReplayed, toDifference } from './assumptions.ts'
import { LearntRecords, type Traffic, toTraffic } from './records.ts'

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

  readonly learn = (exchange: Exchange, reply: JudgedReply): void => {
    this.#count++
    const one = toTraffic(exchange, reply)
    this.#text += reply.text.length + (one.body?.length ?? 0)
    if (this.#traffic.length < maxRequests && this.#text <= maxText) this.#traffic.push(one)
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

  #repeat(fixtures: object): ReturnType<typeof learnAssumptions> & { readonly failed?: string } {
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
