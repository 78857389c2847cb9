import type { KeptVerdicts, Verdict } from '../journal/journal-record.ts'
import type { EffectiveSettings } from '../world/effective-settings.ts'

type EffectName = EffectiveSettings['names'][number]

export const maxBits = 30

const unchanged = ', but there was nothing to change'

export interface Verdicts extends KeptVerdicts {
  /** The indexes of the effects that changed something, as bits; -1 if there are too many for an integer. */
  readonly bits: number
  fire(index: number): void
  hasFired(index: number): boolean
  hasActed(scenario: string): boolean
}

/** Verdicts from decisions. The journal keeps them, so they hold the names of effects and not the effects. */
export class EffectVerdicts implements Verdicts {
  readonly #names: readonly EffectName[]
  readonly #decisions: readonly EffectDecision[]
  /** The indexes of the effects that changed something, in that order. */
  #fired: readonly number[] = []

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
    for (const index of this.#fired) bits |= 1 << index
    return bits
  }

  fire(index: number): void {
    if (index >= 0 && index < this.#decisions.length && !this.#fired.includes(index))
      // The first `push` makes room for 17, and the journal keeps it.
      this.#fired = [...this.#fired, index]
  }

  hasFired(index: number): boolean {
    return this.#fired.includes(index)
  }

  hasActed(scenario: string): boolean {
    for (const index of this.#fired) if (this.#names[index]!.scenario === scenario) return true
    return false
  }

  acted(): string[] {
    const indexes = this.#fired.toSorted((one, other) => one - other)
    return [...new Set(indexes.map((index) => this.#names[index]!.scenario))]
  }

  actedKinds(): string[] {
    return this.#fired.map((index) => this.#names[index]!).map(({ id, kind }) => kind ?? id.slice(0, id.indexOf('.')))
  }

  read(): Verdict[] {
    return this.#decisions.map(({ due, why, count = 0 }, index) => {
      const { scenario, id } = this.#names[index]!
      const fired = this.#fired.includes(index)
      const reason = typeof why === 'string' ? why : why(count)
      return { scenario, effect: id, fired, why: due && !fired ? reason + unchanged : reason }
    })
  }
}

export interface EffectDecision {
  readonly due: boolean
  readonly why: string | ((count: number) => string)
  /** The number of this request among those that match the effect. */
  readonly count?: number
}
