import { createRequestValidator } from '../../core/pipeline/validate/index.ts'
import type { JudgePart } from './core.ts'

/**
 * Checks requests against the contract, for `createGreenhouse` of `greenhouse-mock/core`. `world.journal.violations()` then
 * lists what it finds.
 * @example createGreenhouse({ areas: [plants], fixtures, journal: journal(), judge })
 */
export const judge: JudgePart = { part: 'judge', create: createRequestValidator }
