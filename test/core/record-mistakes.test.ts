import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'

const { plants, webhooks } = createGreenhouse().world().records

test.each<[record: object, message: string]>([
  [{ id: 5, name: 'Fern' }, 'account is required.'],
  [{ id: 5, name: 'Fern', account: 5 }, 'account must be a string.'],
  [{ id: 5, account: 'acct_pro' }, 'name is required.'],
  [{ name: 'Fern', account: 'acct_pro' }, 'id is required.'],
  [{ id: 5, name: 'Fern', account: 'acct_pro', tagg: 'y' }, 'there is no field "tagg". Did you mean "tag"?'],
  [{ id: 1.5, name: 'Fern', account: 'acct_pro' }, 'id must be an integer of 64 bits.'],
])('records.create(%j) names the field and what it takes', (record, message) => {
  expect(() => plants.create(record as never)).toThrow(`Failed to store a record of "plants": ${message}`)
})

test('of many unknown fields the first three are named', () => {
  const record = { id: 5, name: 'Fern', account: 'acct_pro', first: 1, second: 2, third: 3, fourth: 4 }
  expect(() => plants.create(record)).toThrow(/"first".*"second".*"third"\.[^"]*$/)
})

test('a field below another is named with its path', () => {
  const [webhook] = webhooks.find({})
  expect(() => webhooks.update(webhook!.id, { events: ['app.created', 'app.create'] } as never)).toThrow(
    /^Failed to store a record of "webhooks": events\[1\] must be one of "plant\.created", .*Did you mean "app\.created"\?/,
  )
})

test('what a record belongs to is not updated', () => {
  for (const change of [{ id: 2 }, { account: 'acct_free' }])
    expect(() => plants.update(101, change)).toThrow(
      'Failed to update a record of "plants": its key, owner and parent can\'t be changed.',
    )
})

test('a new record names only accounts and records that exist', () => {
  const { records } = createGreenhouse().world()
  expect(() => records.plants.create({ id: 9_001, name: 'Fern', account: 'acct_por' })).toThrow(
    'Failed to store a record of "plants": there is no account "acct_por". Did you mean "acct_pro"?',
  )
  expect(records.plants.get(9_001)).toBeUndefined()
  const before = records.plants.count()
  expect(() => records.plants.replace([{ id: 9_001, name: 'Fern', account: 'acct_por' }])).toThrow(
    'no account "acct_por"',
  )
  expect(records.plants.count()).toBe(before)
  const message = { conversation: 'conv_nothing', role: 'user', content: 'Hi', credits: 0, created_at: 0 } as const
  expect(() => records.messages.create({ id: 'msg_new', account: 'acct_pro', ...message })).toThrow(
    'Failed to store a record of "messages": there is no record of "conversations" "conv_nothing".',
  )
})

test('a misspelt collection throws with the right name; unrelated names are undefined', () => {
  const records = createGreenhouse().world().records as unknown as Record<string, unknown>
  expect(() => records['plant']).toThrow('There are no records called "plant". Did you mean "plants"?')
  expect(records['toJSON']).toBeUndefined()
  expect(Object.keys(records)).toContain('plants')
})
