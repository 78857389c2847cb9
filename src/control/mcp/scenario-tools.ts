import * as z from 'zod/mini'
import { type ActiveScenarios, toActiveNames } from '../shapes.ts'
import { describeProblem, quote } from '../../core/text/messages.ts'
import { limits } from '../../scenarios/language/condition.ts'
import { invalid } from '../errors.ts'
import { defineTool, next, offset, toPage, takeFitting } from './tool.ts'

const active = z.object({
  active: z
    .array(z.string())
    .check(
      z.describe('What is active in the world now, in the order of activation, in the form that use_scenario takes'),
    ),
  more: z.optional(z.int()).check(z.describe('How many others are not shown')),
})

const where = z
  .optional(z.record(z.string(), z.unknown()))
  .check(z.describe('Only requests of a key, an account or a plan: {"key": "key_pro"}'))

export const scenarioTools = [
  defineTool({
    name: 'list_scenarios',
    title: 'Find a scenario',
    description:
      'Finds ready-made situations (expired or revoked keys, rate limits, slow or broken replies, server errors, empty or huge stores, lost webhooks, failed payments) by the words of a bug report. Each has a name for use_scenario. Search with one or two plain words ("expired key", "empty", "slow", "429"); omit `search` to list all; give `name` to get one with the meaning of all its options.',
    readOnly: true,
    input: {
      search: z.optional(z.string()).check(z.describe('Words that must all appear: "retry 500"')),
      name: z.optional(z.string()).check(z.describe('Exactly this scenario, in full')),
      offset,
    },
    output: z.object({
      data: z.array(
        z.looseObject({
          name: z.string(),
          title: z.string(),
          covers: z.string().check(z.describe('What it tests in a client')),
          options: z.unknown().check(z.describe('The names of its options; with `name`, what each means')),
        }),
      ),
      total: z.int(),
      next,
    }),
    async run({ call }, { search, name, offset }) {
      const { data } = await call('GET /scenarios', { query: { search } })
      if (name === undefined)
        return toPage(
          data.map(({ name, title, covers, options }) => ({ name, title, covers, options: Object.keys(options) })),
          offset,
        )
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
      scenario: z
        .string()
        .check(
          z.describe(
            'A name from list_scenarios, also with options: expired-key, slow:ms=800. Every scenario that acts on requests also takes on, account, key, plan and times: expired-key:account=acct_lite,times=3',
          ),
        ),
      options: z
        .optional(z.record(z.string(), z.unknown()))
        .check(z.describe('Options by name, as list_scenarios describes them: {"after": "10m"}')),
      only: z.optional(z.boolean()).check(z.describe('Switches all other scenarios off')),
    },
    output: active,
    async run({ call }, { scenario, options, only }) {
      const route = only ? 'PUT /worlds/{world}/scenarios' : 'POST /worlds/{world}/scenarios'
      const choice = options === undefined ? scenario : { ...options, name: scenario }
      return showActive(await call(route, { body: { active: [choice] } }))
    },
  }),
  defineTool({
    name: 'clear_scenarios',
    title: 'Switch scenarios off',
    description:
      'Ends what use_scenario and respond switched on: all of it, or one by name. Records, keys, clock and recorded requests stay as they are; reset_world starts everything again.',
    input: {
      scenario: z
        .optional(z.string())
        .check(z.describe('Only this one, by the name that the answer of use_scenario shows')),
    },
    output: active,
    async run({ call }, { scenario }) {
      if (scenario === undefined) await call('DELETE /worlds/{world}/scenarios')
      else await call('DELETE /worlds/{world}/scenarios/{scenario}', { path: { scenario } })
      return showActive(await call('GET /worlds/{world}/scenarios'))
    },
  }),
  defineTool({
    name: 'respond',
    title: 'Answer an operation with a reply of your own',
    description:
      'Stubs an operation: answers its requests with a status, a body, headers or an error of the API, without checking the key or running the operation; `delay` makes a reply slow, alone or with a reply. Limit it with `times`, `after`, `every`, `where`. Ends with clear_scenarios. Example: {"operation": "plants.list", "status": 503, "times": 2}.',
    input: {
      operation: z
        .string()
        .check(
          z.describe(
            'An operation, or a pattern: plants.list, apps.create, apps.*. The OpenAPI resources have all ids',
          ),
        ),
      status: z.optional(z.int()).check(z.describe('200 to 599')),
      error: z
        .optional(z.string())
        .check(
          z.describe(
            'An error code of the API, in its own shape and with its status: invalid_api_key, rate_limit_exceeded',
          ),
        ),
      body: z.optional(z.unknown()).check(z.describe('A JSON body')),
      text: z.optional(z.string()).check(z.describe('A body of plain text instead of JSON')),
      headers: z.optional(z.record(z.string(), z.unknown())),
      delay: z.optional(z.string()).check(z.describe('How late the reply comes: 800ms, 2s')),
      title: z.optional(z.string()).check(z.describe('Names the stub; a second one of the same title replaces it')),
      ...limits,
      where,
    },
    output: active,
    async run({ call }, { operation, status, error, body, text, headers, delay, title, ...when }) {
      const replies = { status, error, body, text, headers }
      const isReply = Object.values(replies).some((value) => value !== undefined)
      const parts = {
        title,
        ...((isReply || delay === undefined) && { respond: [{ on: operation, ...replies, ...when }] }),
        ...(delay !== undefined && { fault: [{ kind: 'delay', on: operation, fixed: delay, ...when }] }),
      }
      const choice = JSON.parse(JSON.stringify(parts)) as object
      return showActive(await call('POST /worlds/{world}/scenarios', { body: { active: [choice] } }))
    },
  }),
]

function showActive({ active }: ActiveScenarios) {
  const names = takeFitting(toActiveNames(active))
  return { active: names, ...(names.length < active.length && { more: active.length - names.length }) }
}
