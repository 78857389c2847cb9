import { defineRule } from '../rule.ts'

export const percentEncodingRule = defineRule({
  id: 'percent-encoding',
  about: 'line',
  isRefused: true,
  finds: 'a path or query with invalid percent-encoding: `?q=100%`',
  check({ params, request: { search } }, problems) {
    if (Object.values(params).some((value) => !isDecodable(value)))
      problems.add(() => 'The percent-encoding of the path is not valid.')
    if (!isDecodable(search)) problems.add(() => 'The percent-encoding of the query is not valid.')
  },
})

function isDecodable(text: string): boolean {
  if (!text.includes('%')) return true
  try {
    // A bare call would be dropped by the bundler, which takes it for one without effect.
    return decodeURIComponent(text) !== undefined
  } catch {
    return false
  }
}
