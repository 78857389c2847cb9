import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'

const { plants, webhooks } = createGreenhouse().world().records

test.each<[record: object, message: string]>([
  [{ id: 5, name: 'Fern' }, 'account is required.'],
  [{ id: 5, name: 'Fern', account: 5 }, 'account must be a string.'],
  [{ id: 5, account: 'acct_pro' }, 'name is required.'],
  [{ name: 'Fern', account: 'acct_pro' }, 'id is required.'],
  [{ id: 1.5, name: 'Fern', account: 'acct_pro' }, 'id must be an integer of 64 bits.'],
])('records.create(%j) names the field and what it takes', (record, message) => {
  expect(() => plants.create(record as never)).toThrow(`Failed to store a record of "plants": ${message}`)
})

test('a field below another is named with its path', () => {
  const [webhook] = webhooks.find({})
  expect(() => webhooks.update(webhook!.id, { events: ['app.created', 'app.create'] } as never)).toThrow(
    /^Failed to store a record of "webhooks": events\[1\] must be one of "plant\.created", .*Did you mean "app\.created"\?/,
  )
})
