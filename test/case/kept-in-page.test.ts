import { expect, test } from 'vitest'
import { createGreenhouse, type Greenhouse } from 'greenhouse-mock'
import { stubPage } from '../environment/page.ts'

test("a tab that follows another one's reset takes its seed, and counts for scenarios of headers anew", async () => {
  const stored = new Map<string, string>()
  stubPage({
    localStorage: {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, text: string) => stored.set(name, text),
    },
  })
  const [first, second] = [1, 2].map((seed) => createGreenhouse({ seed, persist: 'local' })) as [Greenhouse, Greenhouse]
  const headers = { authorization: 'Bearer key_pro', 'x-greenhouse-scenario': 'flaky:failures=1' }
  const ask = async () => (await second.fetch(new Request('http://any/plants', { headers }))).status
  try {
    first.world().reset({ seed: 3 })
    await expect.poll(() => second.world().seed).toBe(3)
    expect([await ask(), await ask()]).toEqual([500, 200])
    first.world().reset({ seed: 4 })
    await expect.poll(() => second.world().seed).toBe(4)
    expect([await ask(), await ask()]).toEqual([500, 200])
  } finally {
    first.close()
    second.close()
  }
})
