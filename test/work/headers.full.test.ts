import { expect, test } from 'vitest'
import { post, workOfRequest } from './reply-work.ts'

const fill = (text: string) => text.repeat(Math.floor(15_000 / text.length))

const plant = '{"id":5000,"name":"x"}'

test('no Content-Type takes much more work than another of the same length', async () => {
  const benign = await workOfRequest(post(plant, { 'content-type': `application/json; profile=${fill('a')}` }))
  expect(benign.status).toBe(200)
  for (const hostile of [
    `charset=${fill(' ')}"x"y`,
    `charset="${fill('\\"')}`,
    `charset=${fill('"')}`,
    fill(';'),
    fill('='),
    fill('charset='),
    fill(' ;'),
    fill('\t'),
    `charset${fill(' ')}=${fill(' ').slice(0, 500)}x`,
  ]) {
    const { work } = await workOfRequest(post(plant, { 'content-type': `application/json;${hostile}` }))
    // Spaces before a quote took ten seconds at a fifth of this length.
    expect(work, hostile.slice(0, 40)).toBeLessThan(10 * benign.work + 20)
  }
})

test('what follows a charset in quotes does not hide it', async () => {
  expect(
    (await workOfRequest(post(plant, { 'content-type': `application/json; charset=${' '.repeat(3_000)}"x"y` }))).status,
  ).toBe(400)
  expect(
    (await workOfRequest(post(plant, { 'content-type': `application/json; charset=${' '.repeat(3_000)}"utf-8"` })))
      .status,
  ).toBe(200)
})

test('a scenario in a header makes no more records than its caller can see', async () => {
  const list = (scenario: string) => () =>
    new Request('http://greenhouse.test/v1/apps', {
      headers: { authorization: 'Bearer key_pro', 'x-greenhouse-scenario': scenario },
    })
  const benign = await workOfRequest(list('huge-store:count=500'))
  const hostile = await workOfRequest(list('huge-store:count=5000'))
  expect([benign.status, hostile.status]).toEqual([200, 200])
  expect(hostile.work).toBeLessThan(40 * benign.work + 50)
  const { status, body } = await workOfRequest(list('huge-store:count=5001'))
  expect([status, JSON.parse(body).error.message]).toEqual([
    400,
    expect.stringContaining('a whole number of records from 1 to 5000'),
  ])
})
