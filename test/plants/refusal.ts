import { expect } from 'vitest'
import type { Answer } from '../support/test-api.ts'

/** Expects an error of Area A: that status, and as JSON exactly an int32 `error` and a `message` (stated). */
export function expectRefusal({ status, headers, body }: Answer, expected: number, what = 'the answer'): void {
  expect(status, what).toBe(expected)
  expect(headers.get('content-type'), what).toBe('application/json')
  expect(body, what).toEqual({ error: expect.any(Number), message: expect.stringMatching(/\S/) })
  expect(body.error, what).toBe(body.error | 0)
}
