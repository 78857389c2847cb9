import type { Operation } from '../../../core/operation.ts'

/** What can be done with webhooks. */
export const webhookOperations: readonly Operation[] = []
