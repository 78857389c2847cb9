import { ApiError, errors, type ProblemList } from '../../../contract/errors.ts'
import { checkTextLengths, toBody } from '../../input.ts'
import type { CheckedRequest, ValidationRule } from '../judged.ts'
import { toJsonSchemaProblem } from '../schema-problem.ts'

export const invalidBodyRule: ValidationRule = {
  id: 'invalid-body',
  about: 'body',
  isRejected: true,
  finds:
    'a body that is not a JSON object, is too large, lacks a field, has an invalid one, or has two fields that exclude each other',
  check(checked, problems) {
    if (!checked.operation?.body) return
    if (checked.request.body === 'too-large') return problems.add(() => errors.payload_too_large.message)
    const { body } = checked
    if (body instanceof ApiError) problems.add(() => body.message)
    else if (body !== null) checkFields(checked, body, problems)
  },
}

function checkFields(
  { operation, area, assume }: CheckedRequest,
  sent: Readonly<Record<string, unknown>>,
  problems: ProblemList,
) {
  let isValid = true
  const watched: ProblemList = {
    add(describe) {
      isValid = false
      problems.add(describe)
    },
  }
  toBody(operation!.body!, sent, watched)
  const longest = area.longestText?.({ assume })
  if (longest !== undefined) checkTextLengths(sent, longest, watched)
  const [one, other] = operation!.exclusive ?? []
  if (one !== undefined && other !== undefined && sent[one] && sent[other])
    watched.add(() => `${one} and ${other} must not be sent together: send one of them.`)
  // Fields that the schema refuses are already reported.
  if (!isValid || !operation!.bodyUnder) return
  for (const [name, schema] of Object.entries(operation!.bodyUnder(assume))) {
    const wrong = Object.hasOwn(sent, name) ? toJsonSchemaProblem(sent[name], schema) : undefined
    if (wrong !== undefined) problems.add(() => `${name} ${wrong}.`)
  }
}
