import { expect, test } from 'vitest'
import { toReason } from '../../src/core/contract/errors.ts'

test('the reason for anything thrown is its message or its text, and never fails', () => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  const noText = 'a value that cannot be converted to a string'
  const reasons: [thrown: unknown, reason: string][] = [
    [new Error('it broke'), 'it broke'],
    [new TypeError(''), 'TypeError'],
    [Object.assign(new Error('x'), { message: 5 }), '5'],
    ['a text', 'a text'],
    ['', ''],
    [{ message: 'of no error' }, '[object Object]'],
    [7, '7'],
    [Symbol('s'), 'Symbol(s)'],
    [undefined, 'undefined'],
    [null, 'null'],
    [Object.create(null), noText],
    [proxy, noText],
    [Object.defineProperty(new Error('x'), 'message', { get: () => Object.create(null) as string }), noText],
  ]
  for (const [thrown, reason] of reasons) expect(toReason(thrown)).toBe(reason)
})
