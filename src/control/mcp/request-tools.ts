import * as z from 'zod/mini'
import type { JournalEntry } from '../../core/journal/journal-entry.ts'
import { toJson } from '../../core/http/json.ts'
import { codeForms } from '../../output/code.ts'
import { countOf } from '../../core/text/messages.ts'
import { invalid } from '../call.ts'
import { defineActionTool } from './action-tools.ts'
import {
  defineTool,
  limit,
  fit,
  takeFitting,
  type ToolContext,
  naturalNumber,
  cutToRoom,
} from './tool.ts'
import { described, optional } from '../../core/contract/zod.ts'

export const requestTools = [
  defineActionTool({
    name: 'requests',
    title: 'List what the app requested',
    description:
      'Lists the recorded requests with their replies, newest first: what the app really sent, the status it got (0: no reply), and for each error or changed reply the reason in one sentence; also how a request breaks the contract. Call it after the app did something. Empty: the app sent nothing to this world, so compare its base URLs with those of `status`.',
    input: { limit },
    actions: {
      'GET /worlds/{world}/journal': ({ data, size }, { limit }) => {
        const rows = takeFitting(data.map(toEntryRow).reverse())
        const isMore = rows.length < data.length || data.length === limit
        const oldest = isMore ? rows.at(-1) : undefined
        return {
          data: rows,
          size,
          next: oldest && { before: oldest.id },
        }
      },
    },
  }),
  defineTool({
    name: 'explain_request',
    title: 'Explain why a request got its reply',
    description:
      'Shows one request and its reply in full: headers, bodies, the reason of the reply, what each active scenario did and why, the assumptions it depends on, how the request breaks the contract, and for an unknown path the operations it may have meant. Without `id`, the newest request. With `as`, it is code instead: a test that arranges what the request needs and expects its reply, to run before and after a fix.',
    readOnly: true,
    input: {
      id: optional(z.int(), 'From `requests`'),
      body_of: optional(
        z.enum(['request', 'response']),
        'Shows only this body, from `offset`: for bodies that are too long for the answer',
      ),
      as: optional(z.enum(codeForms), 'The command or the test runner to write it for'),
      offset: naturalNumber,
    },
    async run(context, { id, body_of, as, offset }) {
      const entry = await readEntry(context, id)
      if (as !== undefined) {
        const { text, notes } = await context.call('GET /worlds/{world}/journal/{id}/code', {
          id: entry.id,
          as,
        })
        return {
          id: entry.id,
          as,
          notes,
          ...cutToRoom(text, offset),
        }
      }
      if (body_of === undefined) return showEntry(entry)
      const body = entry[body_of].body ?? ''
      return {
        id: entry.id,
        body_of,
        ...cutToRoom(body, offset),
      }
    },
  }),
  defineActionTool({
    name: 'assert_requests',
    title: 'Check what the app requested',
    description:
      'Checks how many recorded requests match: the final step of a reproduction or of a fix. Example: {"operation": "apps.create", "status": "201", "count": 1}. The answer has `holds`, a sentence, and the newest matching requests.',
    input: {
      count: described(naturalNumber, 'Exactly this many'),
      at_least: described(naturalNumber, '1 by default, if nothing else is given'),
      at_most: described(naturalNumber, '0: it must not have happened'),
    },
    without: ['limit', 'before'],
    actions: {
      'GET /worlds/{world}/journal': async ({ data }, { count, at_least, at_most }, { call }) => {
        const least = count ?? at_least ?? (at_most === undefined ? 1 : 0)
        const max = count ?? at_most ?? Infinity
        const holds = data.length >= least && data.length <= max
        const shown =
          data.length > 0
            ? data
            : (await call('GET /worlds/{world}/journal', { limit: maxShown })).data
        return {
          holds,
          count: data.length,
          message: `${countOf(data.length, 'request')} matched; expected ${describeCounts(least, max)}.`,
          requests: takeFitting(shown.slice(-maxShown).map(toEntryRow).reverse()),
        }
      },
    },
  }),
  defineActionTool({
    name: 'save_case',
    title: 'Save the situation as a case file',
    description:
      'Saves everything that matters for a bug in one file: how the world started, which scenarios were on, and each request with its reply; keys are placeholders. The answer has the commands that write the file and turn it into a failing test, and the beginning of the file itself. Do this once `requests` shows the bug.',
    input: { offset: described(naturalNumber, 'Where the part of the text begins') },
    actions: {
      'GET /worlds/{world}/case': (saved, { offset }, { server, world }) => ({
        steps: saved.steps?.length ?? 0,
        save_with: `npx greenhouse-mock case save bug.case.yaml --server ${server} --world ${world}`,
        test_with: 'npx greenhouse-mock case test bug.case.yaml --runner vitest',
        ...cutToRoom(toJson(saved), offset),
      }),
    },
  }),
]

function describeCounts(least: number, max: number): string {
  if (least === max) return `${least}`
  if (max === Infinity) return `at least ${least}`
  return `${least} to ${max}`
}

/** Returns the row of an entry. JSON leaves out what is `undefined`. */
function toEntryRow({ request, response, violations, scenarios, ms, ...entry }: JournalEntry) {
  const { id, at, operation, account, reason, pending } = entry
  return {
    id,
    at,
    method: request.method,
    url: request.url,
    status: response.status,
    operation,
    account,
    reason,
    scenarios: scenarios.length > 0 ? scenarios : undefined,
    violations: violations?.map(({ message }) => message),
    pending,
    ms: Math.round(ms),
  }
}

async function readEntry(
  { call, world }: ToolContext,
  id: number | undefined,
): Promise<JournalEntry> {
  if (id !== undefined) return call('GET /worlds/{world}/journal/{id}', { id })
  const { data } = await call('GET /worlds/{world}/journal', { limit: 1 })
  const [newest] = data
  if (newest) return newest
  throw invalid(`The journal of the world "${world}" is empty: no request was sent to it.`)
}

/** The most of a body that is shown with the rest of its entry. */
const maxBody = 1_500

function showEntry(entry: JournalEntry) {
  const { request, response } = entry
  const shown = {
    ...entry,
    request: {
      ...request,
      body: request.body?.slice(0, maxBody),
    },
    response: {
      ...response,
      body: response.body?.slice(0, maxBody),
    },
  }
  const body_of = (['response', 'request'] as const).find(
    (part) => (entry[part].body?.length ?? 0) > maxBody,
  )
  return {
    ...fit(shown),
    next: body_of && {
      body_of,
      offset: maxBody,
    },
  }
}

const maxShown = 5
