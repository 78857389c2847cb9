import { expect } from 'vitest'
import { throughOwn } from '../support/through.ts'

const asking = { 'access-control-request-method': 'POST', 'access-control-request-private-network': 'true' }

throughOwn(
  'a page of the network that may call the service may reach into this machine for it, and no other',
  async ({ send }) => {
    const granted = async (headers: Record<string, string>) =>
      (await send('/plants', { method: 'OPTIONS', headers })).headers.get('access-control-allow-private-network')
    expect(await granted({ ...asking, origin: 'https://shop.example' })).toBe('true')
    expect(await granted({ ...asking, origin: 'http://localhost:5173' })).toBe('true')
    expect(await granted({ ...asking, origin: 'https://other.example' })).toBeNull()
    expect(await granted(asking)).toBeNull()
    const { 'access-control-request-private-network': _, ...plain } = asking
    expect(await granted({ ...plain, origin: 'https://shop.example' })).toBeNull()
  },
  { cors: ['https://shop.example'] },
)
