import { defineAssumptions } from '../../../core/contract/assumptions.ts'

export const usageAssumptions = defineAssumptions({
  'usage.messages': {
    question: 'Which messages usage counts: all, or only those of users',
    values: ['both', 'user'],
    source: 'ours',
  },
})
