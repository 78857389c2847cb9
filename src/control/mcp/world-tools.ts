import * as z from 'zod/mini'
import { describeProblem, quote } from '../../core/text/messages.ts'
import { clockChange, dueKinds } from '../actions/clock.ts'
import { ifKnown } from '../client/world-calls.ts'
import { invalid } from '../call.ts'
import { maxListed } from '../list-limit.ts'
import { type ActiveList, toActiveNames } from '../shapes.ts'
import type { ScenarioSummary } from '../../scenarios/language/scenario-summary.ts'
import { defineActionTool } from './action-tools.ts'
import {
  asText,
  defineTool,
  fit,
  json,
  limit,
  offset,
  recordId,
  takeFitting,
  type ToolContext,
  toPage,
} from './tool.ts'
import { limitConditions } from '../../scenarios/language/condition.ts'
import { anyText, described, optional } from '../../core/contract/zod.ts'
import type { Texts } from '../../core/text/values.ts'

const id = asText(recordId, 'The id of a record; of a key, its name or fingerprint')
const fields = z.record(anyText, z.unknown())

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
    async run({ call, server, world }) {
      const [start, { worlds }, { data: problems }] = await Promise.all([
        call('GET /start'),
        call('GET /health'),
        call('GET /problems'),
      ])
      // The first request to a world creates it.
      const state = await ifKnown('world', call('GET /worlds/{world}'), undefined)
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
        clock: state?.clock,
        requests: state?.journal.size,
        problems: problems
          .slice(0, maxShown)
          .map(({ file, line, message }) => `${file}:${line ?? 1}: ${message}`),
      })
    },
  }),
  defineActionTool({
    name: 'records',
    title: 'Look at the data',
    description:
      'Shows the stored data of the service: without `collection`, the collections and how many records each has (plants, apps, accounts, keys, webhooks, …); with it, a page of its records; with `id`, one record. Secrets are shown as fingerprints.',
    input: { limit, offset },
    actions: {
      'GET /worlds/{world}/records': ({ data }, { offset }) => toPage(data.slice(offset), offset),
      'GET /worlds/{world}/records/{collection}': ({ data, total }, { offset }) =>
        toPage(data, offset, total),
      'GET /worlds/{world}/records/{collection}/{id}': (record) => toPage([record]),
    },
  }),
  defineTool({
    name: 'change_records',
    title: 'Change the data',
    description:
      'Creates, changes or deletes a stored record, or replaces all of a collection, without the API and its checks of keys and quotas: set up exactly the data of a bug. Give one of `create`, `update`, `delete` and `replace`. An empty store: {"collection": "plants", "replace": []}. A revoked key: {"collection": "keys", "update": {"id": "key_pro", "fields": {"revoked": true}}}; for an expired one, give `expires_at` in the past of the world\'s clock. Look at `records` first for the fields of a collection. Undo everything with reset_world.',
    destructive: true,
    input: {
      collection: anyText,
      create: json(fields, 'a new record'),
      update: json(
        z.strictObject({ id, fields }),
        '{"id": 1, "fields": {"name": "Fern"}}; null removes an optional field',
      ),
      delete: z.optional(id),
      cascade: optional(z.boolean(), 'With `delete`: also the records that refer to it'),
      replace: json(z.array(fields), 'a list of all records of the collection: those there go'),
    },
    async run({ call }, { collection, cascade, ...given }) {
      const [kind, ...more] = Object.keys(given)
      if (kind === undefined || more.length > 0)
        throw invalid('expected exactly one of create, update, delete and replace')
      if (given.delete === undefined && cascade !== undefined)
        throw invalid('cascade: use it with "delete"')
      const { create, update, replace, delete: id } = given
      const place = {
        collection,
        id: update?.id ?? id!,
      }
      if (create)
        return toPage([
          await call('POST /worlds/{world}/records/{collection}', { collection }, create),
        ])
      if (replace) {
        const replaced = await call('PUT /worlds/{world}/records/{collection}', {
          collection,
          data: replace,
        })
        return toPage(replaced.data)
      }
      if (update)
        return toPage([
          await call('PATCH /worlds/{world}/records/{collection}/{id}', place, update.fields),
        ])
      await call('DELETE /worlds/{world}/records/{collection}/{id}', { ...place, cascade })
      return toPage([])
    },
  }),
  defineTool({
    name: 'clock',
    title: 'Read or move the time',
    description:
      "Shows the world's clock and what is due next (webhook deliveries, renewals, expiries, refills of quotas), and moves it: `advance` by a duration, to a time with `now`, to the next due event with `to_next`, or stops and starts it with `frozen`. What falls due on the way happens, in order. Without arguments it changes nothing. `kind`, `limit` and `offset` page through what is due.",
    input: {
      ...clockChange.shape,
      to_next: z.optional(z.boolean()),
      kind: optional(z.enum(dueKinds), 'Only what is due of this kind'),
      limit,
      offset,
    },
    async run({ call }, { to_next, kind, limit, offset, ...change }) {
      const isChange = Object.keys(change).length > 0
      if (to_next && isChange) throw invalid('to_next: use it without other arguments')
      const done = to_next ? (await call('POST /worlds/{world}/due/next')).done : undefined
      const clock = isChange
        ? await call('PATCH /worlds/{world}/clock', change)
        : await call('GET /worlds/{world}/clock')
      const { data } = await call('GET /worlds/{world}/due', { limit: maxListed })
      const due = data.filter((one) => kind === undefined || one.kind === kind)
      const page = toPage(due.slice(offset).slice(0, limit), offset, due.length)
      return {
        ...clock,
        done: done?.slice(0, maxShown),
        due: page.data,
        total: page.total,
        next: page.next,
      }
    },
  }),
  defineActionTool({
    name: 'reset_world',
    title: 'Start again',
    description:
      'Starts the world again as it was created: its records, keys, clock, quotas; no scenarios, no recorded requests. Do this before a new reproduction. Save what you need first, with save_case.',
    input: {},
    actions: { 'POST /worlds/{world}/reset': (state) => fit(state) },
  }),
  defineTool({
    name: 'assumptions',
    title: 'Read or change how open questions are decided',
    description:
      'Where the APIs\' reference leaves a question open (the status of a delete of an unknown plant, the order of a list), the mock assumes an answer. Lists the questions with the current and the possible values, and changes some with `set`: find out whether the app depends on one. Example: {"set": {"plants.delete.unknown": "204"}}.',
    input: {
      search: optional(anyText, 'Only those with this text in id or question: delete'),
      set: json(fields, 'values by id; the others keep theirs'),
      offset,
    },
    async run({ call }, { search = '', set, offset }) {
      const { data } = await call('GET /assumptions')
      const values: Texts =
        set === undefined
          ? await call('GET /worlds/{world}/assumptions')
          : await call('PATCH /worlds/{world}/assumptions', {}, set)
      const shown = data
        .filter(({ id }) => set === undefined || Object.hasOwn(set, id))
        .filter(({ id, question }) =>
          `${id} ${question}`.toLowerCase().includes(search.toLowerCase()),
        )
        .map(({ id, question, values: possible }) => ({
          id,
          question,
          value: values[id],
          values: possible,
        }))
      return toPage(shown.slice(offset), offset)
    },
  }),
]

/** The most scenarios that share only some of the words. */
const maxNear = 8

const toWords = (text: string) =>
  [...new Set(text.toLowerCase().match(/[\p{L}\d-]{3,}/gu))].slice(0, 20)

/** Orders what single words find: a word that finds few says more than one that finds many. */
function nearest(found: readonly (readonly ScenarioSummary[])[]): ScenarioSummary[] {
  const scores = new Map<
    string,
    {
      scenario: ScenarioSummary
      score: number
    }
  >()
  for (const scenarios of found)
    for (const [place, scenario] of scenarios.entries()) {
      const { score } = scores.get(scenario.name) ?? { score: 0 }
      scores.set(scenario.name, {
        scenario,
        score: score + 1 / (scenarios.length + place),
      })
    }
  const sorted = [...scores.values()].sort((one, other) => other.score - one.score)
  return sorted.slice(0, maxNear).map(({ scenario }) => scenario)
}

function hintFor(count: number): string {
  if (count > 0) return 'No scenario has all these words; these have some, the nearest first.'
  return 'Nothing has these words. Search for what one sees, such as "slow", "empty" or "429", or read the resource greenhouse://by-symptom. respond makes any reply.'
}

const where = json(fields, '{"key": "key_pro"}: only requests of a key, an account or a plan')

export const scenarioTools = [
  defineTool({
    name: 'list_scenarios',
    title: 'Find a scenario',
    description:
      'Finds ready-made situations (expired or revoked keys, rate limits, slow or broken replies, server errors, empty or huge stores, lost webhooks, failed payments) by the words of a bug report. Each has a name for use_scenario. Search with one or two plain words ("expired key", "empty", "slow", "429"); omit `search` to list all; give `name` to get one with the meaning of all its options.',
    readOnly: true,
    input: {
      search: optional(anyText, 'What one sees, in plain words: "retry 500"'),
      name: optional(anyText, 'Exactly this scenario, in full'),
      offset,
    },
    async run({ call }, { search, name, offset }) {
      const find = async (words?: string) => (await call('GET /scenarios', { search: words })).data
      if (name === undefined) {
        const whole = await find(search)
        const isFound = whole.length > 0 || search === undefined
        const data = isFound ? whole : nearest(await Promise.all(toWords(search).map(find)))
        const rows = data.slice(offset).map(({ name, title, covers, options }) => ({
          name,
          title,
          covers,
          options: Object.keys(options),
        }))
        return {
          ...toPage(rows, offset),
          hint: isFound ? undefined : hintFor(data.length),
        }
      }
      const data = await find()
      const found = data.find((scenario) => scenario.name === name)
      if (found) return toPage([found])
      const names = data.map((scenario) => scenario.name)
      throw invalid(describeProblem(`There is no scenario ${quote(name)}`, name, names))
    },
  }),
  defineTool({
    name: 'use_scenario',
    title: 'Switch a scenario on',
    description:
      'Makes the service behave as in a situation from list_scenarios, for all requests from now on, until clear_scenarios: "expired-key" answers 401 to every request with a key, "slow" delays replies, "empty-store" has no plants. Several can be active. Then let the app make its requests, and read `requests`. For one reply of your own, use `respond` instead.',
    input: {
      scenario: described(
        anyText,
        'A name from list_scenarios, also with options: expired-key, slow:ms=800. Every scenario that acts on requests also takes on, account, key, plan and times: expired-key:account=acct_lite,times=3',
      ),
      options: json(fields, '{"after": "10m"}, as list_scenarios describes them'),
      only: optional(z.boolean(), 'Switches all other scenarios off'),
    },
    async run({ call }, { scenario, options, only }) {
      const route = only ? 'PUT /worlds/{world}/scenarios' : 'POST /worlds/{world}/scenarios'
      const choice =
        options === undefined
          ? scenario
          : {
              ...options,
              name: scenario,
            }
      return showActiveNames(await call(route, { active: [choice] }))
    },
  }),
  defineActionTool({
    name: 'clear_scenarios',
    title: 'Switch scenarios off',
    description:
      'Ends what use_scenario and respond switched on: all of it, or one by the name that the answer of use_scenario shows. Records, keys, clock and recorded requests stay as they are; reset_world starts everything again.',
    input: {},
    actions: {
      'DELETE /worlds/{world}/scenarios': showActiveScenarios,
      'DELETE /worlds/{world}/scenarios/{scenario}': showActiveScenarios,
    },
  }),
  defineTool({
    name: 'respond',
    title: 'Answer an operation with a reply of your own',
    description:
      'Stubs an operation: answers its requests with a status, a body, headers or an error of the API, without checking the key or running the operation; `delay` makes a reply slow, alone or with a reply. Limit it with `times`, `after`, `every`, `where`. Ends with clear_scenarios. Example: {"operation": "plants.list", "status": 503, "times": 2}.',
    input: {
      operation: described(
        anyText,
        'An operation, or a pattern: plants.list, apps.create, apps.*. The OpenAPI resources have all ids',
      ),
      status: optional(z.int(), '200 to 599'),
      error: optional(
        anyText,
        'An error code of the API, in its own shape and with its status: invalid_api_key, rate_limit_exceeded',
      ),
      body: json(z.unknown(), 'the body'),
      text: optional(anyText, 'A body of plain text instead of JSON'),
      headers: json(z.record(anyText, z.unknown()), 'headers by name'),
      delay: optional(anyText, 'How late the reply comes: 800ms, 2s'),
      title: optional(anyText, 'Names the stub; a second one of the same title replaces it'),
      ...limitConditions,
      where,
    },
    async run({ call }, { operation, status, error, body, text, headers, delay, title, ...when }) {
      const replies = {
        status,
        error,
        body,
        text,
        headers,
      }
      const isReply = Object.values(replies).some((value) => value !== undefined)
      const isLate = delay !== undefined
      const choice = {
        title,
        respond: isReply || !isLate ? [{ on: operation, ...replies, ...when }] : undefined,
        fault: isLate ? [{ kind: 'delay', on: operation, fixed: delay, ...when }] : undefined,
      }
      return showActiveNames(await call('POST /worlds/{world}/scenarios', { active: [choice] }))
    },
  }),
]

async function showActiveScenarios(_answer: unknown, _given: unknown, { call }: ToolContext) {
  return showActiveNames(await call('GET /worlds/{world}/scenarios'))
}

function showActiveNames({ active }: ActiveList) {
  const names = takeFitting(toActiveNames(active))
  return {
    active: names,
    more: active.length - names.length || undefined,
  }
}
