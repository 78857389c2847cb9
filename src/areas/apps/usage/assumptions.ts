import { defineAssumptions } from '../../../core/definitions/assumptions.ts'

/** What the reference leaves open about usage statistics. */
export const usageAssumptions = defineAssumptions({
  'usage.messages': {
    question: "Which messages usage counts: both sides', or the users' alone",
    values: ['both', 'user'],
    source: 'ours',
  },
})
