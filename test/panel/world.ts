import type { Greenhouse } from 'greenhouse-mock'
import type { CoreJournal } from '../../src/core/journal/journal.ts'
import { toInit, type CallOptions } from '../support/test-api.ts'

export const requestOf = (path: string, method = 'GET', options: CallOptions = {}) =>
  new Request(`http://greenhouse.test${path}`, toInit(method, options))

/** Sends requests of every kind, so that each view has something to show. */
export async function fillWorld(greenhouse: Greenhouse): Promise<void> {
  const send = async (...sent: Parameters<typeof requestOf>) => (await greenhouse.fetch(requestOf(...sent))).text()
  const withScenario = (name: string) => ({ headers: { 'x-greenhouse-scenario': name } })
  greenhouse.world().snapshot('filled')
  await send('/plants?limit=3')
  await send('/v1/apps?limt=3', 'GET', { key: 'key_free', ...withScenario('rate-limited-plan') })
  await send('/plants', 'POST', { body: '{"id":9007199254740993,"name":"Ficus"}' })
  await send('/plants', 'POST', { body: '{"name":1}' })
  await send('/plants', 'GET', { key: 'key_revoked' })
  await send('/v1/appz')
  await send('/v1/apps', 'GET', withScenario('server-error'))
}

/** Creates a webhook of key_pro's account at a receiver, and freezes the clock. Returns its id and secret. */
export async function listenAt(greenhouse: Greenhouse, url: string, events: readonly string[]) {
  greenhouse.world().clock.freeze()
  const made = await greenhouse.fetch(requestOf('/v1/webhooks', 'POST', { body: { url, events } }))
  return (await made.json()) as { readonly id: string; readonly secret: string }
}

/** Writes that many requests into the journal, `/plants/1` and so on, as if they had been sent: sending them takes as long as all else. */
export async function fillJournal(greenhouse: Greenhouse, count: number): Promise<void> {
  await (await greenhouse.fetch(requestOf('/plants/1', 'GET', { key: 'key_pro_plus' }))).text()
  const journal = greenhouse.world().journal as unknown as CoreJournal
  const [first] = journal.records()
  for (let number = 2; number <= count; number++)
    journal.markSent(journal.write(toExchange(first!, number), first!.reply, first!.startedAt))
}

function toExchange(
  record: ReturnType<CoreJournal['records']>[number],
  number: number,
): Parameters<CoreJournal['write']>[0] {
  const { operation, account, assumed, nearMisses, explanation } = record
  return {
    request: { method: record.method, path: `/plants/${number}`, search: '', headers: record.headers, body: null },
    world: { name: record.world },
    now: record.at,
    operation: operation === undefined ? undefined : { id: operation },
    account,
    effectiveSettings: { assumptions: record.inForce },
    assumed,
    nearMisses,
    explanation,
    verdicts: record.verdicts ?? new Map(),
    delay: 0,
  } as Parameters<CoreJournal['write']>[0]
}

/** Texts that would run, or break out, if they were treated as markup: 500 different ones. */
export const markups: readonly string[] = toMarkups()

function toMarkups(): string[] {
  const acts = ['img src=x onerror', 'svg onload', 'iframe onload src=/', 'details open ontoggle', 'body onload']
  const ways = ['', '">', "'>", '</script>', '</style>', '-->', '</title>', '</textarea>', '`}', '{{']
  const ends = ['', ' ', '/', '//', '\t', ' x=', ' <b', '&gt;', '\u2028', '%3E']
  return ways.flatMap((way) =>
    acts.flatMap((act) => ends.map((end) => `${way}<${act}="globalThis.broken=['ran']"${end}><b id=strange>`)),
  )
}
