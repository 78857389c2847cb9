import type { Operation } from '../../../core/operation.ts'

/** What can be done with payments. */
export const paymentOperations: readonly Operation[] = []
