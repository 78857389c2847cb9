import { expect, test } from 'vitest'
import type { Client } from '../support/test-api.ts'
import { startReceiver } from './receiver.ts'
import { createPlants, openServed, subscribe } from './open.ts'

const account = { email: 'a@example.com', plan: 'pro_plus' }

/** Accounts without plants, `acct_1` and on, with the keys `key_1` and on. */
const accounts = (count: number) => ({
  accounts: Array.from({ length: count }, (_, at) => ({ ...account, id: `acct_${at + 1}`, name: `Account ${at + 1}` })),
  keys: Array.from({ length: count }, (_, at) => ({ secret: `key_${at + 1}`, account: `acct_${at + 1}` })),
})

/** An account with so many webhooks, to each of which one event is sent. */
async function openAccounts(count: number) {
  const { client } = await openServed({ fixtures: accounts(count) })
  const as = (account: number): Pick<Client, 'call'> => ({
    call: (method, path, options) => client.call(method, path, { key: `key_${account}`, ...options }),
  })
  const sendTo = async (account: number, url: string, webhooks: number) => {
    for (let webhook = 0; webhook < webhooks; webhook++)
      await subscribe(as(account), `${url}?account=${account}&webhook=${webhook}`)
    await createPlants(as(account), 1, 10_000 * account)
  }
  return { ...client, as, sendTo }
}

test("one account's receivers that hang delay no other account's", async () => {
  const client = await openAccounts(2)
  const hung = await startReceiver(() => 'never')
  const good = await startReceiver()
  await client.sendTo(1, hung.url, 40)
  await client.sendTo(2, good.url, 1)
  await expect.poll(() => good.received.length, { timeout: 10_000 }).toBe(1)
  // No more than eight at once, and the rest of that account waits for them.
  await expect.poll(() => hung.received.length, { timeout: 10_000 }).toBe(8)
})

test('when hanging accounts take all places, the next account is still served', async () => {
  const client = await openAccounts(14)
  const hung = await startReceiver(() => 'never')
  const good = await startReceiver()
  for (let account = 1; account < 14; account++) await client.sendTo(account, hung.url, 9)
  await client.sendTo(14, good.url, 12)
  await expect.poll(() => good.received.length, { timeout: 10_000 }).toBe(12)
  // 64 places, and one more for each account that came too late for one of them.
  const places = (account: number) => hung.received.filter(({ path }) => path.includes(`?account=${account}&`)).length
  await expect.poll(() => hung.received.length, { timeout: 10_000 }).toBe(8 * 8 + 5)
  expect(Array.from({ length: 13 }, (_, index) => places(index + 1))).toEqual([8, 8, 8, 8, 8, 8, 8, 8, 1, 1, 1, 1, 1])
})

test('every webhook of an account has its turn, each in the order in which things were due', async () => {
  const client = await openAccounts(1)
  const receiver = await startReceiver()
  const urls = Array.from({ length: 30 }, (_, webhook) => `${receiver.url}?webhook=${webhook}`)
  for (const url of urls) await subscribe(client.as(1), url)
  await createPlants(client.as(1), 5, 20_000)
  await client.world.settled()
  expect(receiver.received).toHaveLength(150)
  for (const url of urls) {
    const own = receiver.received.filter(({ path }) => url.endsWith(path))
    expect(own.map(({ body }) => JSON.parse(body).data.id)).toEqual([20_000, 20_001, 20_002, 20_003, 20_004])
  }
})
