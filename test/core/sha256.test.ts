import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hmacSha256, sha256 } from '../../src/core/store/sha256.ts'
import { times } from '../support/soak.ts'

const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const ofNode = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

test('it is the SHA-256 of Node for every length around the blocks', () => {
  for (let length = 0; length <= 260; length++) {
    const bytes = Uint8Array.from({ length }, (_, at) => at * 7 + length)
    expect(toHex(sha256(bytes)), String(length)).toBe(ofNode(bytes))
  }
})

test('it is the SHA-256 and the HMAC of Node for any bytes', () => {
  const bytes = fc.uint8Array({ maxLength: 400 })
  fc.assert(
    fc.property(bytes, bytes, (key, message) => {
      expect(toHex(sha256(message))).toBe(ofNode(message))
      expect(toHex(hmacSha256(key, message))).toBe(createHmac('sha256', key).update(message).digest('hex'))
    }),
    { numRuns: times(5_000, 300) },
  )
})
