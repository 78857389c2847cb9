import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'

const { records } = createGreenhouse().world()

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

for (const { id } of records.accounts.all()) {
  test(`${id} has purchased the sum of its succeeded purchases, and spent that of its messages`, () => {
    const bought = records.purchases.find(({ account, status }) => account === id && status === 'succeeded')
    expect(records.credits.get(id)).toEqual({
      account: id,
      purchased: sum(bought.map(({ amount }) => amount)),
      spent: sum(records.messages.find(({ account }) => account === id).map(({ credits }) => credits)),
    })
  })

  test(`${id} has a subscription and credits left`, () => {
    expect(records.subscriptions.get(id)).toMatchObject({ status: 'active' })
    const { purchased, spent } = records.credits.get(id)!
    expect(purchased - spent).toBeGreaterThan(0)
  })
}
