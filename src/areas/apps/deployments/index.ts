import type { Operation } from '../../../core/operation.ts'

/** What can be done with deployments. */
export const deploymentOperations: readonly Operation[] = []
