import { parseJson } from '../../core/http/json.ts'
import type { TriggeredDelivery } from '../../control/answers.ts'
import { isObject } from '../../core/contract/options.ts'
import { type Command, withFlags } from '../command.ts'
import { connect } from '../connect.ts'
import { UsageError } from '../errors.ts'
import * as values from '../flags/values.ts'
import type { ArgumentsOf, Flags } from '../flags/flags.ts'
import { print, printJson } from '../output/print.ts'
import { jsonFlag, serverFlags } from '../flags/server.ts'
import type { Terminal } from '../terminal.ts'

const flags = {
  ...serverFlags,
  data: { value: values.json, describe: "Data of the event, a JSON object; by default from the world's records" },
  account: { value: values.id, describe: 'Account of the event' },
  app: { value: values.id, describe: 'App of the event' },
  ...jsonFlag,
} satisfies Flags

type TriggerArguments = ArgumentsOf<typeof flags> & { event: string }

export const triggerCommand: Command<TriggerArguments> = {
  command: 'trigger <event>',
  describe: 'Send a webhook event from a running server',
  builder: (args, terminal) =>
    withFlags(
      args.positional('event', {
        type: 'string',
        demandOption: true,
        describe: 'Type of the event, such as message.sent',
      }),
      flags,
      terminal,
    ),
  handler: triggerEvent,
}

async function triggerEvent(
  { event, data, account, app, json, ...args }: TriggerArguments,
  terminal: Terminal,
): Promise<void> {
  const client = await connect(args, terminal)
  const body = {
    type: event,
    ...(data !== undefined && { data: readData(data) }),
    ...(account !== undefined && { account }),
    ...(app !== undefined && { app_id: app }),
  }
  const answer = await client.call('POST /worlds/{world}/events', { body })
  if (json) return printJson(terminal, answer)
  const deliveries = answer.data
  if (deliveries.length === 0)
    print(
      terminal,
      `${event}: no enabled webhook subscribes to it in the world "${client.world}". Create one with POST /v1/webhooks.\n`,
    )
  else
    print(
      terminal,
      deliveries.map((delivery) => `${event} ${delivery.id} → ${delivery.url}: ${describe(delivery)}\n`).join(''),
    )
}

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
