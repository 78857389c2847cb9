import type { Operation } from '../../../core/operation.ts'

/** What can be done with users. */
export const userOperations: readonly Operation[] = []
