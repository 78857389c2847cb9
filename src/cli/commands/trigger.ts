import { textValue } from '../../api/config/flag-value.ts'
import { parseJson } from '../../core/http/json.ts'
import type { TriggeredDelivery } from '../../control/actions/webhooks.ts'
import { isObject } from '../../core/contract/options.ts'
import { UsageError } from '../errors.ts'
import type { Flags } from '../flags/flags.ts'
import { defineServerCommand } from '../running-server.ts'

const flags = {
  data: {
    value: textValue('a JSON object', '\'{"id": 1}\''),
    describe: "Data of the event, a JSON object; by default from the world's records",
  },
  account: { value: textValue('an id', 'acct_pro'), describe: 'Account of the event' },
  app: { value: textValue('an id', 'acct_pro'), describe: 'App of the event' },
} satisfies Flags

export const triggerCommand = defineServerCommand({
  command: 'trigger <event>',
  describe: 'Send a webhook event from a running server',
  positionals: () => ({ event: { describe: 'Type of the event, such as message.sent' } }),
  flags,
  async run(server, { event, data, account, app }) {
    // JSON leaves out what is undefined.
    const body = { type: event, data: data === undefined ? undefined : readData(data), account, app_id: app }
    const answer = await server.call('POST /worlds/{world}/events', { body })
    const lines = answer.data.map((delivery) => `${event} ${delivery.id} → ${delivery.url}: ${describe(delivery)}\n`)
    const none = `${event}: no enabled webhook subscribes to it in the world "${server.world}". Create one with POST /v1/webhooks.\n`
    return { answer, toText: () => lines.join('') || none }
  },
})

function readData(text: string): object {
  let value: unknown
  try {
    value = parseJson(text)
  } catch (error) {
    throw new UsageError(`--data: ${(error as Error).message}`)
  }
  if (isObject(value)) return value
  throw new UsageError('--data: expected a JSON object, such as {"id": 1}.')
}

function describe({ status, attempts, next_attempt_at }: TriggeredDelivery): string {
  const last = attempts.at(-1)
  const outcome = last && `, ${last.status === null ? last.error : `${last.status} in ${last.latency_ms} ms`}`
  return `${status}${outcome ?? ''}${next_attempt_at === null ? '' : `, next attempt at ${next_attempt_at}`}`
}
