/** Whether an effect acts on a request, and why: a string, or a function that builds it from `count` when someone reads it. */
export interface EffectDecision {
  readonly due: boolean
  readonly why: string | ((count: number) => string)
  /** The number of this request among those that match the effect. */
  readonly count?: number
}
