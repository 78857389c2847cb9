import { defineRule } from '../rule.ts'

export const unexpectedBodyRule = defineRule({
  id: 'unexpected-body',
  about: 'body',
  finds: 'a body on `GET` or `DELETE`, or where the operation takes none; `{}` is allowed',
  check(judged, problems) {
    const { operation, request, sent } = judged
    if (!operation || operation.body || request.body === null) return
    const { method } = operation
    if (method === 'GET' || method === 'DELETE')
      problems.add(() => `A ${method} request takes no body: the body is ignored.`)
    else if (!sent || Object.keys(sent).length > 0)
      problems.add(() => 'The operation takes no body: the body is ignored.')
  },
})
