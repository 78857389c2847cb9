import { defineAssumptions } from '../../../core/contract/assumptions.ts'

export const conversationAssumptions = defineAssumptions({
  'messages.stream.status': {
    question: 'The status of a message whose answer is streamed',
    values: ['200', '201'],
    source: 'convention',
  },
  'messages.no-credits': {
    question: 'The status of a message when the credits are spent',
    values: ['403', '400'],
    source: 'ours',
  },
})
