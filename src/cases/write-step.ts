import { type Collection, requireCollection } from '../catalogue/inspect/collections.ts'
import { givenOf } from '../core/contract/options.ts'
import { toEntry } from '../core/journal/journal-entry.ts'
import type { JournalRecord } from '../core/journal/journal-record.ts'
import type { Fields, Texts } from '../core/text/values.ts'
import { toIso } from '../core/time/time-text.ts'
import type { OutsideChange, PastChange } from '../core/world/changes.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import { toWrittenRecord } from '../fixtures/forms.ts'
import { toContentIfBinary, toTextContent } from './content.ts'
import type { CaseStep } from './generated/case.ts'
import type { CaseSecrets } from './secrets.ts'

export function writeSteps(
  records: readonly JournalRecord[],
  changes: readonly PastChange[],
  secrets: CaseSecrets,
  world: LiveWorld,
): CaseStep[] {
  const requestSteps = records.map((record) => ({
    place: record.id,
    step: writeRequest(record, secrets),
  }))
  // A change comes after the request that it followed, and before the next one.
  const changeSteps = changes.map((change) => ({
    place: change.after + 0.5,
    step: writeChange(change, secrets, world),
  }))
  return [...requestSteps, ...changeSteps]
    .sort((one, other) => one.place - other.place)
    .map(({ step }) => step)
}

/**
 * Writes a request, and the complete reply of the core, even if the client took only a part of it,
 * or the reply is not yet sent.
 * @internal
 */
export function writeRequest(record: JournalRecord, secrets: CaseSecrets): CaseStep {
  const entry = toEntry({
    ...record,
    aborted: false,
    sent: record.length,
    leftAt: record.leftAt || 1,
  })
  const { request, response, operation, answered_by, reason, violations } = entry
  const show = (text: string) => secrets.show(text)
  const writeBody = (
    kept: string | Uint8Array | null | undefined,
    type: string | undefined,
    shown?: string,
  ) => {
    if (kept === null || kept === undefined) return undefined
    return (
      toContentIfBinary(kept, (text) => secrets.hideBody(text, type)) ??
      toTextContent(shown && show(shown))
    )
  }
  const step: CaseStep = {
    at: entry.at,
    request: `${request.method} ${show(request.url)}`,
    headers: unlessEmpty(showHeaders(secrets, request.headers)),
    ...writeBody(record.body, request.headers['content-type'], request.body),
    reply: {
      status: response.status,
      headers: showHeaders(secrets, response.headers, response.repeated),
      ...writeBody(record.replyBody, response.headers['Content-Type'], response.body),
    },
    operation,
    answered_by,
    reason: reason && show(reason),
    mistakes: violations?.map(({ rule, message }) => `${rule}: ${show(message)}`),
  }
  return givenOf(step)
}

function showHeaders(
  secrets: CaseSecrets,
  headers: Texts,
  repeated: Readonly<Record<string, string[]>> = {},
): Record<string, string | string[]> {
  const show = (text: string) => secrets.show(text)
  const shown = Object.entries(headers).map(([name, value]) => [
    show(name),
    repeated[name]?.map(show) ?? show(value),
  ])
  return Object.fromEntries(shown)
}

function writeChange({ at, change }: PastChange, secrets: CaseSecrets, world: LiveWorld): CaseStep {
  const writeRecordOf = (collection: string, record: object) =>
    writeRecord(secrets, requireCollection(world, collection), record, at)
  return {
    at: toIso(at),
    ...writeAction(change, secrets, writeRecordOf),
  }
}

function writeAction(
  change: OutsideChange,
  secrets: CaseSecrets,
  writeRecordOf: (collection: string, record: object) => Fields,
): CaseStep {
  if ('clock' in change)
    return {
      clock: {
        ...change.clock,
        now: toIso(change.clock.now),
      },
    }
  if ('put' in change) {
    const { collection, record } = change.put
    return {
      put: {
        ...change.put,
        record: writeRecordOf(collection, record),
      },
    }
  }
  if ('replace' in change) {
    const { collection, records } = change.replace
    const written = records.map((record) => writeRecordOf(collection, record))
    return {
      replace: {
        collection,
        records: written,
      },
    }
  }
  if ('remove' in change) {
    const { collection, key } = change.remove
    return {
      remove: {
        collection,
        key: typeof key === 'string' ? secrets.hide(key) : key,
      },
    }
  }
  if ('create_key' in change) {
    const { secret, ...key } = change.create_key
    if (!secrets.hasName(secret)) return { create_key: secrets.hideAll(key) }
    // The step `create_key` makes a new secret. A key with a name keeps it, so its record is put.
    return {
      put: {
        collection: 'keys',
        record: writeRecordOf('keys', change.create_key),
      },
    }
  }
  return secrets.hideAll(change) as CaseStep
}

export function writeRecord(
  secrets: CaseSecrets | undefined,
  definition: Collection,
  record: object,
  now: number,
) {
  return toWrittenRecord(
    definition,
    secrets?.hideRecord(definition, record) ?? record,
    now,
  ) as Fields
}

/** Returns nothing for an empty list or object: cases leave those out. */
export function unlessEmpty<T extends object>(value: T): T | undefined {
  if (Object.keys(value).length > 0) return value
  return undefined
}
