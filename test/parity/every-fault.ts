import { faultKinds } from '../../src/scenarios/effects/fault.ts'
import { faults, type Situation } from './situations.ts'

const listed = new Set(faults.map(({ name }) => name.split(',')[0]))

/** One or more situations for every fault; an unlisted fault is tried without fields. */
export const everyFault: readonly Situation[] = [
  ...faults,
  ...faultKinds
    .filter(({ kind }) => !listed.has(kind))
    .map(({ kind }) => ({ name: kind, effects: { fault: [{ kind, on: '*' }] } })),
]
