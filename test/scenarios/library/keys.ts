import { expect } from 'vitest'
import type { Client } from '../../support/test-api.ts'

/** One request of each area that reads, and one that writes. */
export const reads = ['/plants', '/v1/apps'] as const

/** Asserts that both areas refuse a key, each in its own error shape, and accept it again without the scenario. */
export async function expectRefused({ call, world }: Client, status: number, code: string): Promise<void> {
  expect(await call('GET', '/plants')).toMatchObject({ status, body: { error: status, message: expect.any(String) } })
  expect(await call('GET', '/v1/apps')).toMatchObject({ status, body: { error: { code } } })
  world.clear()
  for (const path of reads) expect((await call('GET', path)).status, path).toBe(200)
}
