import type { Operation } from '../../../core/operation.ts'

/** What can be done with usage. */
export const usageOperations: readonly Operation[] = []
