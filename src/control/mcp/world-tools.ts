import * as z from 'zod/mini'
import { describeProblem, quote } from '../../core/text/messages.ts'
import type { KeySummary } from '../actions/accounts.ts'
import { invalid } from '../errors.ts'
import { toActiveNames } from '../shapes.ts'
import { anything, defineTool, limit, next, offset, toPage, fit, takeFitting, type ToolContext } from './tool.ts'

const list = z.object({ data: z.array(anything), total: z.int(), next })
const id = z.union([z.string(), z.number()]).check(z.describe('The id of a record; of a key, its fingerprint'))
const fields = z.record(z.string(), z.unknown())

/** The most names, keys and events of one kind in an overview. */
const maxShown = 10

export const worldTools = [
  defineTool({
    name: 'status',
    title: 'Show the mock server and how to use it',
    description:
      'Begin here. Greenhouse mocks two HTTP APIs, plants and apps, with data, keys, rate limits and webhooks. Shows their base URLs for the app under test, API keys that work ("Authorization: Bearer key_pro"), the active scenarios, the time on the world\'s clock, how many requests were recorded, and mistakes in fixture or scenario files. To reproduce a bug: find its situation with list_scenarios and switch it on with use_scenario (or change keys, records or the clock), run the app against the base URLs, read `requests`, then save_case.',
    readOnly: true,
    input: {},
    output: z.looseObject({ plants_url: z.string(), apps_url: z.string(), keys: anything }),
    async run({ call, server, world }) {
      const [start, { worlds }, { data: problems }] = await Promise.all([
        call('GET /start'),
        call('GET /health'),
        call('GET /problems'),
      ])
      // The first request to a world creates it.
      const state = await call('GET /worlds/{world}').catch((error: { code?: unknown }) => {
        if (error.code !== 'unknown_world') throw error
      })
      const { active } = state ? await call('GET /worlds/{world}/scenarios') : { active: [] }
      const base = world === 'default' ? undefined : `${server}/~${encodeURIComponent(world)}`
      return fit({
        version: start.version,
        plants_url: base ?? start.plants_url,
        apps_url: base === undefined ? start.apps_url : `${base}/v1`,
        panel_url: start.panel_url,
        keys: start.keys,
        world,
        worlds,
        scenarios: toActiveNames(active),
        ...(state && { clock: state.clock, requests: state.journal.size }),
        problems: problems.slice(0, maxShown).map(({ file, line, message }) => `${file}:${line ?? 1}: ${message}`),
      })
    },
  }),
  defineTool({
    name: 'records',
    showsRecords: true,
    title: 'Look at the data',
    description:
      'Shows the stored data of the service: without `collection`, the collections and how many records each has (plants, apps, accounts, keys, webhooks, …); with it, a page of its records; with `id`, one record. Secrets are shown as fingerprints.',
    readOnly: true,
    input: {
      collection: z.optional(z.string()),
      id: z.optional(id),
      where: z.optional(fields).check(z.describe('Only records with these values: {"tag": "tree"}')),
      search: z.optional(z.string()).check(z.describe('Only records that contain this text')),
      sort: z.optional(z.string()).check(z.describe('A field; descending after a minus: -id')),
      limit,
      offset,
    },
    output: list,
    async run({ call }, { collection, id, where, search, sort, limit = 20, offset = 0 }) {
      if (collection === undefined) return toPage((await call('GET /worlds/{world}/records')).data, offset)
      if (id !== undefined) {
        const path = { collection, id: String(id) }
        return toPage([await call('GET /worlds/{world}/records/{collection}/{id}', { path })])
      }
      const filters = Object.entries(where ?? {}).map(([field, value]) => [`where.${field}`, String(value)])
      const query = { search, sort, limit, offset, ...(Object.fromEntries(filters) as Record<string, string>) }
      const answer = await call('GET /worlds/{world}/records/{collection}', { path: { collection }, query })
      const data = takeFitting(answer.data)
      const total = answer.total ?? data.length
      const end = offset + data.length
      return { data, total, ...(end < total && { next: { offset: end } }) }
    },
  }),
  defineTool({
    name: 'change_records',
    showsRecords: true,
    title: 'Change the data',
    description:
      'Creates, changes or deletes a stored record, or replaces all of a collection, without the API and its checks of keys and quotas: set up exactly the data of a bug. Give one of `create`, `update`, `delete` and `replace`. An empty store: {"collection": "plants", "replace": []}. Look at `records` first for the fields of a collection. Undo everything with reset_world.',
    destructive: true,
    input: {
      collection: z.string(),
      create: z.optional(fields).check(z.describe('A new record')),
      update: z
        .optional(z.strictObject({ id, fields }))
        .check(z.describe('The fields to change; null removes an optional one: {"id": 1, "fields": {"name": "Fern"}}')),
      delete: z.optional(id),
      cascade: z.optional(z.boolean()).check(z.describe('With `delete`: also the records that refer to it')),
      replace: z.optional(z.array(fields)).check(z.describe('All records of the collection: those there go')),
    },
    output: list,
    async run(context, { collection, cascade, ...given }) {
      const [kind, ...more] = Object.keys(given)
      if (kind === undefined || more.length > 0)
        throw invalid('expected exactly one of create, update, delete and replace')
      if (given.delete === undefined && cascade !== undefined) throw invalid('cascade: use it with "delete"')
      return toPage(await changeRecords(context, collection, { ...given, cascade }))
    },
  }),
  defineTool({
    name: 'clock',
    title: 'Read or move the time',
    description:
      "Shows the world's clock and what is due next (webhook deliveries, renewals, expiries, refills of quotas), and moves it: `advance` by a duration, to a time with `now`, to the next due event with `to_next`, or stops and starts it with `frozen`. What falls due on the way happens, in order. Without arguments it changes nothing.",
    input: {
      advance: z.optional(z.string()).check(z.describe('90s, 2h, 1d')),
      now: z.optional(z.string()).check(z.describe('ISO 8601: 2026-01-31T12:00:00Z')),
      frozen: z.optional(z.boolean()),
      to_next: z.optional(z.literal(true)),
    },
    output: z.looseObject({ now: z.string(), frozen: z.boolean(), due: z.array(anything) }),
    async run({ call }, { to_next, ...body }) {
      const isChange = Object.keys(body).length > 0
      if (to_next && isChange) throw invalid('to_next: use it without other arguments')
      const done = to_next ? (await call('POST /worlds/{world}/due/next')).done : undefined
      const clock = isChange
        ? await call('PATCH /worlds/{world}/clock', { body })
        : await call('GET /worlds/{world}/clock')
      const { data: due } = await call('GET /worlds/{world}/due', { query: { limit: maxShown } })
      return fit({ ...clock, due, ...(done && { done: done.slice(0, maxShown) }) })
    },
  }),
  defineTool({
    name: 'keys',
    title: 'List, expire, revoke or create API keys',
    description:
      "Without arguments, lists the API keys with account, plan, scopes, expiry and remaining quota. With `key`, changes one: an `expires_at` in the past makes it expired, so its requests get 401; `revoked` true or false revokes it or gives it back; null for `expires_at` removes the expiry. With `account`, creates a key and shows its secret, this once. Times are those of the world's clock, which `status` shows.",
    input: {
      key: z.optional(z.string()).check(z.describe('Its name, such as key_pro, or its id')),
      expires_at: z.optional(z.nullable(z.string())).check(z.describe('ISO 8601: 2026-01-31T12:00:00Z')),
      revoked: z.optional(z.boolean()),
      account: z.optional(z.string()).check(z.describe('The account of a new key, such as acct_pro')),
      scopes: z.optional(z.array(z.string())).check(z.describe('Of a new key; all by default')),
      offset,
    },
    output: list,
    async run({ call }, { key, account, offset, ...body }) {
      if (account !== undefined && key !== undefined) throw invalid('account: use it without "key"')
      if (account !== undefined)
        return toPage([await call('POST /worlds/{world}/keys', { body: { account, ...body } })])
      const { data } = await call('GET /worlds/{world}/keys')
      const [field] = Object.keys(body)
      if (key === undefined && field !== undefined) throw invalid(`${field}: use it with "key" or "account"`)
      if (key === undefined) return toPage(data, offset)
      const found = findKey(data, key)
      if (field === undefined) return toPage([found])
      return toPage([await call('PATCH /worlds/{world}/keys/{id}', { path: { id: found.id }, body })])
    },
  }),
  defineTool({
    name: 'reset_world',
    title: 'Start again',
    description:
      'Starts the world again as it was created: its records, keys, clock, quotas; no scenarios, no recorded requests. Do this before a new reproduction. Save what you need first, with save_case.',
    destructive: true,
    input: {},
    output: z.looseObject({ name: z.string(), scenarios: z.array(z.string()) }),
    run: async ({ call }) => fit(await call('POST /worlds/{world}/reset', { body: {} })),
  }),
  defineTool({
    name: 'assumptions',
    title: 'Read or change how open questions are decided',
    description:
      'Where the APIs\' reference leaves a question open (the status of a delete of an unknown plant, the order of a list), the mock assumes an answer. Lists the questions with the current and the possible values, and changes some with `set`: find out whether the app depends on one. Example: {"set": {"plants.delete.unknown": "204"}}.',
    input: {
      search: z.optional(z.string()).check(z.describe('Only those with this text in id or question: delete')),
      set: z.optional(fields).check(z.describe('Values by id; the others keep theirs')),
      offset,
    },
    output: list,
    async run({ call }, { search = '', set, offset }) {
      const { data } = await call('GET /assumptions')
      const values: Readonly<Record<string, string>> =
        set === undefined
          ? await call('GET /worlds/{world}/assumptions')
          : await call('PATCH /worlds/{world}/assumptions', { body: set })
      const shown = data
        .filter(({ id }) => set === undefined || Object.hasOwn(set, id))
        .filter(({ id, question }) => `${id} ${question}`.toLowerCase().includes(search.toLowerCase()))
        .map(({ id, question, values: possible }) => ({ id, question, value: values[id], values: possible }))
      return toPage(shown, offset)
    },
  }),
]

interface RecordChange {
  readonly create?: object | undefined
  readonly update?: { readonly id: string | number; readonly fields: object } | undefined
  readonly delete?: string | number | undefined
  readonly replace?: readonly object[] | undefined
  readonly cascade: boolean | undefined
}

async function changeRecords({ call }: ToolContext, collection: string, change: RecordChange): Promise<object[]> {
  const { create, update, replace, delete: deleted, cascade } = change
  if (update) {
    const path = { collection, id: String(update.id) }
    return [await call('PATCH /worlds/{world}/records/{collection}/{id}', { path, body: update.fields })]
  }
  if (deleted !== undefined) {
    await call('DELETE /worlds/{world}/records/{collection}/{id}', {
      path: { collection, id: String(deleted) },
      query: { cascade },
    })
    return []
  }
  if (replace)
    return (await call('PUT /worlds/{world}/records/{collection}', { path: { collection }, body: { data: replace } }))
      .data
  return [await call('POST /worlds/{world}/records/{collection}', { path: { collection }, body: create })]
}

function findKey(keys: readonly KeySummary[], given: string): KeySummary {
  const found = keys.find(({ id, name }) => id === given || name === given)
  if (found) return found
  const names = keys.map(({ id, name }) => name ?? id)
  throw invalid(describeProblem(`There is no key ${quote(given)}`, given, names))
}
