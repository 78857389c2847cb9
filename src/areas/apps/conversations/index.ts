import type { Operation } from '../../../core/operation.ts'

/** What can be done with conversations. */
export const conversationOperations: readonly Operation[] = []
