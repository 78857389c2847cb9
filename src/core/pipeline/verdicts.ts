import type { KeptVerdicts, Verdict } from '../journal/verdict.ts'
import type { EffectDecision } from './decision.ts'

export interface EffectName {
  readonly scenario: string
  readonly id: string
  readonly kind?: string
}

/** The most effects that fit into the bits of a small integer. */
export const maxBits = 30

/** The end of a verdict for an effect that acts, until it has changed something. */
const unchanged = ', but there was nothing to change'

/** The decisions of all active effects about one request. */
export interface Verdicts extends KeptVerdicts {
  /** The number of effects that changed something so far. */
  readonly fired: number
  /** The indexes of the effects that changed something, as bits; -1 if there are too many for an integer. */
  readonly bits: number
  /** Records that the effect at an index changed something. */
  fire(place: number): void
  /** Whether the effect at an index changed something. */
  hasFired(place: number): boolean
  /** Whether an effect of the scenario changed something. */
  hasActed(scenario: string): boolean
}

/** Verdicts from decisions. The journal keeps them, so they hold the names of effects and not the effects. */
export class EffectVerdicts implements Verdicts {
  readonly #names: readonly EffectName[]
  readonly #decisions: readonly EffectDecision[]
  /** The indexes of the effects that changed something, in that order. */
  readonly #fired: number[] = []

  constructor(names: readonly EffectName[], decisions: readonly EffectDecision[]) {
    this.#names = names
    this.#decisions = decisions
  }

  get size(): number {
    return this.#decisions.length
  }

  get fired(): number {
    return this.#fired.length
  }

  get bits(): number {
    if (this.#decisions.length > maxBits) return -1
    let bits = 0
    for (const place of this.#fired) bits |= 1 << place
    return bits
  }

  fire(place: number): void {
    if (place >= 0 && place < this.#decisions.length && !this.#fired.includes(place)) this.#fired.push(place)
  }

  hasFired(place: number): boolean {
    return this.#fired.includes(place)
  }

  hasActed(scenario: string): boolean {
    for (const place of this.#fired) if (this.#names[place]!.scenario === scenario) return true
    return false
  }

  acted(): string[] {
    const places = this.#fired.toSorted((one, other) => one - other)
    return [...new Set(places.map((place) => this.#names[place]!.scenario))]
  }

  actedKinds(): string[] {
    return this.#fired.map((place) => this.#names[place]!).map(({ id, kind }) => kind ?? id.slice(0, id.indexOf('.')))
  }

  read(): Verdict[] {
    return this.#decisions.map(({ due, why, count = 0 }, place) => {
      const { scenario, id } = this.#names[place]!
      const fired = this.#fired.includes(place)
      const reason = typeof why === 'string' ? why : why(count)
      return { scenario, effect: id, fired, why: due && !fired ? reason + unchanged : reason }
    })
  }
}
