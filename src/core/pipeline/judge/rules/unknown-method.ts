import { brief } from '../../../definitions/quote.ts'
import { defineRule } from '../rule.ts'

export const unknownMethodRule = defineRule({
  id: 'unknown-method',
  about: 'line',
  isRefused: true,
  finds: 'a method that the path does not have',
  check({ operation, methods, request, path }, problems) {
    if (operation || methods.length === 0) return
    problems.add(
      () => `The path ${brief(path)} does not have the method ${brief(request.method)}, only ${methods.join(', ')}.`,
    )
  },
})
