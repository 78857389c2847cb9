import { expect } from 'vitest'
import { openApp } from '../conversations/chat.ts'
import { testApi } from '../support/test-api.ts'

const wrong = [
  'interval=week',
  'from=yesterday',
  'from=on2026-02-01',
  'from=12026-02-01',
  'from=%2B002026-02-01',
  'to=2026-13-01',
  'from=2026-02-31T25:00:00Z',
  'from=2026-03-02&to=2026-03-01',
  'from=2026-03-01&to=2026-03-01',
  'from=2020-01-01&interval=hour',
  'from=',
  'to=1772366430',
  'from=2027-02-29&to=2027-03-10',
  'to=2026-03-01T24:00:00Z',
]

testApi('a range that is none is a 400 that names the parameter', async ({ call }) => {
  for (const query of wrong) {
    const { status, body } = await call('GET', `/v1/apps/${openApp}/usage?${query}`)
    expect(status, query).toBe(400)
    expect(body.error.message, query).toMatch(/^(interval|from|to) must (?!.*without "to")/)
  }
})

testApi('a range without an end that starts in the future is 400 and names the end', async ({ call }) => {
  for (const from of ['2026-05-01', '2026-03-02']) {
    const { status, body } = await call('GET', `/v1/apps/${openApp}/usage?from=${from}`)
    expect(status, from).toBe(400)
    expect(body.error.message).toBe(
      'from must be a time before 2026-03-02T00:00:00.000Z, the end of the range without "to".',
    )
  }
})
