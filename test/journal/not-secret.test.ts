import { expect } from 'vitest'
import { through } from '../support/through.ts'

through(
  'what tells nothing is shown in spite of a name of secrets: true, false, null, nothing, and counts of tokens',
  async ({ call, world }) => {
    const shown = [
      '"token": true',
      '"secret":false',
      '"password": null',
      '"api_key": ""',
      '"max_tokens": 100',
      '"tokens":123456789012345',
      '"secret": [true, false, null]',
    ]
    const hidden = ['"token": 1', '"secret":-7.5e3', '"tokens": 1234567890123456', '"password": [12345]']
    for (const part of [...shown, ...hidden]) {
      await call('POST', '/plants', { body: `{${part}}` })
      const { body } = world.journal.calls().at(-1)!.request
      expect([part, String(body).includes(part)]).toEqual([part, shown.includes(part)])
    }
  },
)

through('a body that ends in the middle of what a name announces is shown up to there', async ({ call, world }) => {
  for (const body of ['{"token":', '{"token": ', '{"token": [', '{"token": [1', '{"token": {"a":']) {
    await call('POST', '/plants', { body })
    expect(String(world.journal.calls().at(-1)!.request.body)).toMatch(/^\{"token":/)
  }
})
