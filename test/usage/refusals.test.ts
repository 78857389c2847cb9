import { expect } from 'vitest'
import { openApp } from '../conversations/chat.ts'
import { through } from '../support/through.ts'

const wrong = ['interval=week', 'from=yesterday', 'to=2026-13-01', 'from=2026-02-31T25:00:00Z', 'from=2026-03-02&to=2026-03-01', 'from=2026-03-01&to=2026-03-01', 'from=2020-01-01&interval=hour', 'from=', 'to=1772366430']

through('a range that is none is a 400 that names the parameter', async ({ call }) => {
  for (const query of wrong) {
    const { status, body } = await call('GET', `/v1/apps/${openApp}/usage?${query}`)
    expect(status, query).toBe(400)
    expect(body.error.message, query).toMatch(/^(interval|from|to): /)
  }
})
