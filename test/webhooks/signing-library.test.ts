import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { sign } from '../../src/areas/apps/webhooks/delivery/sign.ts'
import { times } from '../support/soak.ts'

const outcome = (work: () => string) => {
  try {
    return work()
  } catch (error) {
    return (error as Error).message
  }
}

const signsAlike = (secret: string, id: string, at: number, payload: string): void => {
  expect(outcome(() => sign(secret, id, Math.floor(at / 1_000), payload))).toBe(
    outcome(() => new Webhook(secret).sign(id, new Date(at), payload)),
  )
}

const text = fc.string({ unit: 'binary', maxLength: 300 })
const at = fc.integer({ min: 0, max: 4e12 })

test('a signature is the one of the library of Standard Webhooks, whatever the key and the payload', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 3, maxLength: 200 }),
      text,
      at,
      text,
      fc.boolean(),
      (key, id, time, payload, isBare) =>
        signsAlike((isBare ? '' : 'whsec_') + btoa(String.fromCharCode(...key)), id, time, payload),
    ),
    { numRuns: times(5_000, 200) },
  )
})

test.each([
  '',
  'whsec_',
  'whsec_AA==',
  'AAA',
  'whsec_AAAA',
  'AAAAA',
  'AAAAAA',
  'AAAAAAA',
  'AA=A',
  'AAA=',
  'A===',
  '====',
  'AAÄA',
  'A A A',
  'AAAA\n',
  'AA-_',
])('it says of the secret %j what that library says', (secret) => signsAlike(secret, 'evt_1', 1_700_000_000_000, '{}'))
