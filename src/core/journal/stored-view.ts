import { toText } from '../http/reply.ts'
import { headerOf } from '../http/request.ts'
import { toSentKey } from './sent-key.ts'
import { withoutWorld } from '../text/world-key.ts'
import { toFingerprint } from '../secrets/known-secrets.ts'
import {
  type EntryPart,
  type EntryView,
  parseSentBody,
  toEntryView,
  toSearchText,
  withoutPrefix,
} from './entry-view.ts'
import { type JournalEntry, toSummary, validateRecord } from './journal-entry.ts'
import { bodyCap, type JournalRecord, namesOfActingScenarios } from './journal-record.ts'

/**
 * What filters see of a stored entry, with its secrets. It is a class, because a search creates one
 * for each entry, and reads few members.
 */
export class StoredView implements EntryView {
  readonly #record: JournalRecord
  readonly operation: string | undefined
  readonly account: string | undefined
  readonly status: number
  readonly method: string
  readonly search: string
  readonly headers: EntryView['headers']
  readonly assumptions: readonly string[]

  constructor(record: JournalRecord) {
    this.#record = record
    this.operation = record.operation
    this.account = record.account
    this.status = record.status
    this.method = record.method
    this.search = record.search
    this.headers = record.headers
    this.assumptions = record.assumed
  }

  get path(): string {
    return withoutPrefix(this.#record.path, this.#record.world)
  }

  get key(): string | undefined {
    return toSentKey(headerOf(this.#record, 'authorization'))
  }

  get scenarios(): string[] {
    return namesOfActingScenarios(this.#record)
  }

  get hasViolations(): boolean {
    return validateRecord(this.#record).length > 0
  }

  text(): string {
    const { operation, scenarios, status } = this
    return toSearchText({
      ...toSummary(this.#record),
      operation,
      scenarios,
      response: { status },
    })
  }

  hasKey(key: string): boolean {
    const sent = this.key
    const wanted = withoutWorld(key)
    return sent !== undefined && (wanted === sent || wanted === toFingerprint(sent))
  }

  body(): unknown {
    const { body } = this.#record
    return parseSentBody(body && toText(body))
  }

  lacks(part: EntryPart): boolean {
    const { isTooLarge, body } = this.#record
    return part === 'body' && (isTooLarge || (body?.length ?? 0) > bodyCap)
  }
}

/**
 * Returns what filters see of an entry in its public form: fingerprints of keys are compared, and
 * other secrets never match.
 */
export function toShownView(entry: JournalEntry): EntryView {
  const key = toSentKey(entry.request.headers['authorization'])
  return {
    ...toEntryView(entry),
    key,
    hasKey: (wanted) =>
      [withoutWorld(wanted), toFingerprint(withoutWorld(wanted))].includes(key ?? ''),
  }
}
