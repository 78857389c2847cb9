import { quote } from '../core/definitions/quote.ts'
import { suggest } from '../core/definitions/suggest.ts'
import type { CollectionDefinition, RecordKey } from '../core/store/collection.ts'

interface KnownRecords {
  readonly definition: Pick<CollectionDefinition<never>, 'key'>
  all(): readonly object[]
}

export function describeMissing(what: string, key: RecordKey, records: KnownRecords): string {
  const known = records.all().map((record) => String(records.definition.key(record as never)))
  return `there is no ${what} ${quote(String(key))}.${suggest(String(key), known)}`
}
