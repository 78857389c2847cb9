import type { SeenRequest } from '../../seen-request.ts'
import { NewestMap, toPast, type Past, type Rule } from '../rule.ts'

const maxAlike = 10
const maxAtOnce = 50

class Overlap {
  readonly #max: number
  readonly #recent: { readonly start: number; readonly end: number }[] = []

  constructor(max: number) {
    this.#max = max
  }

  /**
   * Adds a request, and returns the most requests that were concurrent with it. Requests must come in the order of their ends.
   */
  add({ startedAt, endedAt }: SeenRequest): number {
    const recent = this.#recent
    recent.push({ start: startedAt, end: endedAt })
    if (recent.length > this.#max + 1) recent.shift()
    const starts = recent.map(({ start }) => start).filter((start) => start >= startedAt && start <= endedAt)
    return Math.max(...starts.map((time) => recent.filter(({ start, end }) => start <= time && end > time).length), 1)
  }
}

export const noStampede: Rule = {
  name: 'no-stampede',
  title: `Sends at most ${maxAlike} equal reads at once, and ${maxAtOnce} requests`,
  why: 'Every component that loads the same list by itself costs quota, and a rate limit hits the whole page.',
  exercise: "world.use('slow'), and open the page that shows the most",
  watch({ pass, fail }) {
    const all = new Overlap(maxAtOnce)
    const identical = new NewestMap<Overlap>()
    let concurrent: Past | undefined
    let hasFailed = false
    return {
      see(request) {
        const atOnce = all.add(request)
        let equal = 1
        if (request.method === 'GET') {
          const overlap = identical.get(request.same) ?? new Overlap(maxAlike)
          identical.set(request.same, overlap)
          equal = overlap.add(request)
        }
        if (atOnce > 1) concurrent ??= toPast(request)
        if (hasFailed || (equal <= maxAlike && atOnce <= maxAtOnce)) return
        hasFailed = true
        fail(equal > maxAlike ? `${equal} equal reads at once` : `${atOnce} requests at once`, request)
      },
      end() {
        if (concurrent && !hasFailed) pass(concurrent)
      },
    }
  },
}

export const releasesStreams: Rule = {
  name: 'releases-streams',
  title: 'Reads a stream to its end, or cancels it',
  why: 'A stream that nobody reads holds a connection; browsers have six for a host.',
  exercise: 'send a message with stream: true, and leave the page before the reply has ended',
  watch: ({ pass, fail }) => ({
    see(request) {
      if (!request.isStream || request.status >= 300) return
      if (request.isOpen) fail('left a stream open', request)
      else pass(request)
    },
  }),
}

export const keepsContract: Rule = {
  name: 'contract',
  title: 'Sends only what the contract allows',
  why: 'What the service ignores today, or a mock lets through, it may refuse tomorrow.',
  exercise: 'any request: docs/judging.md lists the rules',
  watch: ({ pass, fail }) => ({
    see(request) {
      const [mistake] = request.mistakes
      if (mistake) fail(`${mistake.rule}: ${mistake.message}`, request)
      else if (request.operation !== undefined) pass(request)
    },
  }),
}

export const keyNeverInUrl: Rule = {
  name: 'key-never-in-url',
  title: 'Sends its key in the header only',
  why: 'URLs are stored in logs, histories and proxies, and the key with them.',
  exercise: 'any request with a key',
  watch: ({ pass, fail }) => ({
    see(request) {
      const mistake = request.mistakes.find(({ rule }) => rule === 'key-in-url')
      if (mistake) fail(mistake.message, request)
      else if (request.authorization !== undefined) pass(request)
    },
  }),
}
