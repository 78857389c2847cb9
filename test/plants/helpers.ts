import { expect } from 'vitest'
import type { Send } from '../support/adapters.ts'
import { toAnswer, type Answer } from '../support/test-api.ts'

/**
 * Expects an error of Area A: that status, and as JSON exactly an int32 `error` and a `message`
 * (stated).
 */
export function expectRefusal(
  { status, headers, body }: Answer,
  expected: number,
  what = 'the answer',
): void {
  expect(status, what).toBe(expected)
  expect(headers.get('content-type'), what).toBe('application/json')
  expect(body, what).toEqual({ error: expect.any(Number), message: expect.stringMatching(/\S/) })
  expect(body.error, what).toBe(body.error | 0)
}

export const json = { 'content-type': 'application/json' }

/** Sends a body to `/plants` as it is, with these headers and no others of ours. */
export async function post(
  send: Send,
  body: string | Uint8Array | undefined,
  headers: Record<string, string> = json,
): Promise<Answer> {
  const response = await send('/plants', {
    method: 'POST',
    headers: { authorization: 'Bearer key_pro', ...headers },
    // As bytes, since fetch declares a string as text/plain.
    ...(body !== undefined && {
      body: typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body),
    }),
  })
  return toAnswer(response)
}
