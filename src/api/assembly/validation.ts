import { createRequestValidator } from '../../core/pipeline/validate/index.ts'

/** The part that checks requests against the contract: `judge` of `greenhouse-mock/parts`. */
export interface JudgePart {
  readonly part: 'judge'
  /** @internal */
  readonly create: typeof createRequestValidator
}

/**
 * Checks requests against the contract, for `createGreenhouse` of `greenhouse-mock/parts`. `world.journal.violations()` then
 * lists what it finds.
 * @example createGreenhouse({ areas: [plants], fixtures, journal: journal(), judge })
 */
export const judge: JudgePart = { part: 'judge', create: createRequestValidator }
