import type { Operation } from '../../../core/operation.ts'

/** What can be done with account. */
export const accountOperations: readonly Operation[] = []
