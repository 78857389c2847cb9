import { defineRule } from '../rule.ts'

export const missingBodyRule = defineRule({
  id: 'missing-body',
  about: 'body',
  isRefused: true,
  finds: 'no body where the operation takes one',
  check({ operation, request }, problems) {
    if (operation?.body && !operation.bodyIsOptional && request.body === null)
      problems.add(() => 'The body is missing: expected a JSON object.')
  },
})
