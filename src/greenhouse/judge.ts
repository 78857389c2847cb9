import { createJudge } from '../core/pipeline/judge/index.ts'
import type { JudgePart } from './core.ts'

/** Holds requests against the contract, for `createGreenhouse` of `greenhouse-mock/core`: its journals then know violations. */
export const judge: JudgePart = { part: 'judge', create: createJudge }
