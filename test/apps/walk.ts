import { expect } from 'vitest'
import type { World } from 'greenhouse-mock'
import type { Client } from '../support/test-api.ts'

/** Returns the ids of a list, page by page. @param between called after the first page */
export async function walk(
  call: Client['call'],
  path: string,
  query: string,
  between?: (first: string[]) => Promise<unknown>,
): Promise<string[]> {
  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const { status, body } = await call('GET', `${path}?${query}${cursor && `&cursor=${cursor}`}`)
    expect(status, query).toBe(200)
    expect(body.has_more).toBe(body.next_cursor !== null)
    seen.push(...body.data.map(({ id }: { id: string }) => id))
    if (cursor === '') await between?.([...seen])
    cursor = body.next_cursor
  }
  return seen
}

/** Leaves an account with so many apps, `app_0` and on, and the others with none. */
export function fillApps({ records }: World, account: string, count: number): void {
  const times = { created_at: 0, updated_at: 0 }
  records.apps.replace(
    Array.from({ length: count }, (_, at) => ({ id: `app_${at}`, account, name: 'x', ...times })),
  )
}
