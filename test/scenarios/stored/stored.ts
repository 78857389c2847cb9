import type { World } from 'greenhouse-mock'

/** Returns everything that a world stores, except webhooks and their deliveries. */
export function storedIn({ records }: World): Record<string, unknown> {
  const names = Object.keys(records).filter(
    (name) => name !== 'webhooks' && name !== 'deliveries',
  ) as (keyof World['records'])[]
  return Object.fromEntries(names.map((name) => [name, records[name].all().map((record) => ({ ...record }))]))
}
