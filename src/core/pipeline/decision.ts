export interface EffectDecision {
  readonly due: boolean
  readonly why: string | ((count: number) => string)
  /** The number of this request among those that match the effect. */
  readonly count?: number
}
