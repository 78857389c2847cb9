import { quote } from '../core/definitions/quote.ts'
import { suggest } from '../core/definitions/suggest.ts'
import type { CollectionDefinition, RecordKey } from '../core/store/collection.ts'

/** The records of a collection, whatever their type. */
interface KnownRecords {
  readonly definition: Pick<CollectionDefinition<never>, 'key'>
  all(): readonly object[]
}

/** Returns the end of a message about a record that does not exist: `there is no app "app_sho". Did you mean "app_shop"?` */
export function describeMissing(what: string, key: RecordKey, records: KnownRecords): string {
  const known = records.all().map((record) => String(records.definition.key(record as never)))
  return `there is no ${what} ${quote(String(key))}.${suggest(String(key), known)}`
}
