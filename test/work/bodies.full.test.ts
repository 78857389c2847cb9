import { expect, test } from 'vitest'
import { post, workOfRequest } from './reply-work.ts'

const size = 2 ** 20 - 100

/** Repeats a text up to the largest body. */
const fill = (text: string) => text.repeat(Math.floor(size / text.length))

/** Fields that a client has no use for, as large as the limit lets them be. */
const hostile: Readonly<Record<string, string>> = {
  'zeros and one long integer': `[${fill('0,')}1234567890123456]`,
  'long integers': `[${fill('1234567890123456,')}0]`,
  'raised integers': `[${fill('1e16,')}0]`,
  'numbers that are too small': `[${fill('1e-400,')}0]`,
  'a million digits': fill('9'),
  'an exponent of a million digits': `1e${fill('9')}`,
  'a fraction of a million zeros': `0.${fill('0')}1`,
  'empty objects': `[${fill('{},')}0]`,
  'nested lists': `[${fill('['.repeat(90) + ']'.repeat(90) + ',')}0]`,
  'lists that never end': fill('['),
  'many names': `{${Array.from({ length: 80_000 }, (_, index) => `"${index.toString(36)}":1`).join()}}`,
  'the same name': `{${fill('"__proto__":1,')}"a":1}`,
  escapes: `"${fill('\\u0041')}"`,
  quotes: `"${fill('\\"')}"`,
  'a string that never ends': `"${fill('\\\\')}`,
  blanks: `[${fill(' ')}]`,
  minuses: `[${fill('-')}]`,
  // The most values that are accepted.
  'few long integers': `[${'1234567890123456,'.repeat(49_000)}0]`,
  'few raised integers': `[${'1e16,'.repeat(49_000)}0]`,
  'few empty objects and a long integer': `[${'{},'.repeat(49_000)}1234567890123456]`,
  'few names': `{${Array.from({ length: 49_000 }, (_, index) => `"${index.toString(36)}":1`).join()},"x":1234567890123456}`,
}

test('no body takes much more work than one string of the same size', async () => {
  const benign = await workOfRequest(post(`{"id":5000,"name":"x","more":"${fill('a')}"}`))
  expect(benign.status).toBe(200)
  for (const [what, more] of Object.entries(hostile)) {
    const { work } = await workOfRequest(post(`{"id":5000,"name":"x","more":${more}}`))
    // One long integer among zeros took fifty times as much.
    expect(work, what).toBeLessThan(15 * benign.work + 25)
  }
})

test('a body of more than 50,000 values is refused', async () => {
  const { status, body } = await workOfRequest(post(`{"id":5000,"name":"x","more":[${'0,'.repeat(50_000)}0]}`))
  expect([status, JSON.parse(body)]).toEqual([400, { error: 400, message: 'The body holds more than 50000 values.' }])
  expect((await workOfRequest(post(`{"id":5000,"name":"x","more":[${'0,'.repeat(49_900)}0]}`))).status).toBe(200)
  expect((await workOfRequest(post(`{"id":5000,"name":"x","more":"${'[{,'.repeat(60_000)}"}`))).status).toBe(200)
})

test('a body of more than 10,000 fields is refused', async () => {
  const withFields = (count: number) =>
    post(`{"id":5000,"name":"x","more":{${Array.from({ length: count }, (_, at) => `"f${at}":0`).join(',')}}}`)
  const { status, body } = await workOfRequest(withFields(10_000))
  expect([status, JSON.parse(body)]).toEqual([400, { error: 400, message: 'The body holds more than 10000 fields.' }])
  expect((await workOfRequest(withFields(9_990))).status).toBe(200)
  expect((await workOfRequest(post(`{"id":5000,"name":"x","more":"${'a:'.repeat(60_000)}"}`))).status).toBe(200)
})
