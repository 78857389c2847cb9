import { ApiError, errors } from '../../../contract/errors.ts'
import { checkBody, checkFieldNames } from '../../input.ts'
import { isJsonInUtf8 } from '../../../http/json-type.ts'
import { quote } from '../../../text/messages.ts'
import type { ValidationRule } from '../checked-request.ts'

export const bodyRules: readonly ValidationRule[] = [
  {
    id: 'unexpected-body',
    finds: 'a body on `GET` or `DELETE`, or where the operation takes none; `{}` is allowed',
    check(checked, problems) {
      const { operation, request, sent } = checked
      if (!operation || operation.body || request.body === null) return
      const { method } = operation
      if (method === 'GET' || method === 'DELETE')
        problems.add(() => `A ${method} request takes no body: the body is ignored.`)
      else if (!sent || Object.keys(sent).length > 0)
        problems.add(() => 'The operation takes no body: the body is ignored.')
    },
  },
  {
    id: 'missing-body',
    isRejected: true,
    finds: 'no body where the operation takes one',
    check({ operation, request }, problems) {
      if (operation?.body && !operation.bodyIsOptional && request.body === null)
        problems.add(() => 'The body is missing: expected a JSON object.')
    },
  },
  {
    id: 'content-type',
    isRejected: true,
    finds: 'a body that is not declared as `application/json`, or not declared at all',
    check(checked, problems) {
      if (!checked.operation?.body || checked.request.body === null) return
      const type = checked.header('content-type')
      if (type === undefined)
        problems.add(() => 'The Content-Type is missing: it must be application/json.')
      else if (!isJsonInUtf8(type))
        problems.add(
          () => `The Content-Type must be application/json in UTF-8, not ${quote(type)}.`,
        )
    },
  },
  {
    id: 'content-encoding',
    isRejected: true,
    finds: 'a body that is compressed',
    check(checked, problems) {
      if (!checked.operation?.body || checked.request.body === null) return
      const encoding = checked.header('content-encoding')
      if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
        problems.add(
          () => `The Content-Encoding ${quote(encoding)} is not supported: send the body as it is.`,
        )
    },
  },
  {
    id: 'unknown-field',
    finds: 'a field of the body that the operation does not have, also within objects',
    check({ operation, sent, area, assume }, problems) {
      if (operation?.body && sent && !area.keepsUnknownFields?.({ assume }))
        checkFieldNames(sent, operation.body, problems)
    },
  },
  {
    id: 'invalid-body',
    isRejected: true,
    finds:
      'a body that is not a JSON object, is too large, lacks a field, has an invalid one, or has two fields that exclude each other',
    check(checked, problems) {
      if (!checked.operation?.body) return
      if (checked.request.body === 'too-large')
        return problems.add(() => errors.payload_too_large.message)
      const { area, operation, body, sent } = checked
      if (body instanceof ApiError) problems.add(() => body.message)
      if (!sent) return
      checkBody(
        {
          area,
          operation,
          exchange: checked,
        },
        sent,
        problems,
      )
    },
  },
]
