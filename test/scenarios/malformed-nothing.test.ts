import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

const places = [
  { at: '/0/nothing', kind: 'missing' },
  { at: '/0/nothing/at/all', kind: 'null' },
  { at: '/1000', kind: 'duplicate' },
  { at: '/name', kind: 'missing' },
  { at: '/0/name/deeper', kind: 'missing' },
] as const

testApi(
  'a scenario that malforms what a reply does not have leaves the reply as it is, and is idle',
  async ({ world, call }) => {
    const { text } = await call('GET', '/plants')
    for (const place of places) {
      world.clear()
      world.use({ malform: [place] })
      const answer = await call('GET', '/plants')
      expect(answer.text, place.at).toBe(text)
      expect(answer.headers.get('x-greenhouse'), place.at).toMatch(/; idle=[^;]+$/)
      await call('GET', '/nowhere')
      expect(world.journal.calls().at(-1)!.verdicts).toMatchObject([{ why: 'it acts on other operations' }])
    }
  },
)
