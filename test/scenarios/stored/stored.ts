import type { World } from 'greenhouse-mock'

/** All that a world stores, but for webhooks and the log of what they were told. */
export function storedIn({ records }: World): Record<string, unknown> {
  const names = Object.keys(records).filter(
    (name) => name !== 'webhooks' && name !== 'deliveries',
  ) as (keyof World['records'])[]
  return Object.fromEntries(names.map((name) => [name, records[name].all().map((record) => ({ ...record }))]))
}
