import type { CommandModule } from 'yargs'
import { callControl, toTarget, withServerOptions, type ServerArguments } from '../control-client.ts'
import { UsageError } from '../errors.ts'
import * as values from '../flag-values.ts'
import { once } from '../flags.ts'
import { print } from '../print.ts'

interface TriggerArguments extends ServerArguments {
  event: string
  data: string | undefined
  account: string | undefined
  app: string | undefined
}

/** A delivery as the control API tells of it. */
interface ShownDelivery {
  id: string
  webhook_id: string
  url: string | null
  status: string
  attempts: { status: number | null; error: string | null; latency_ms: number }[]
  next_attempt_at: string | null
}

export const triggerCommand: CommandModule<object, TriggerArguments> = {
  command: 'trigger <event>',
  describe: 'Trigger an event in a running server, and see which webhooks got it',
  builder: (args) =>
    withServerOptions(
      args.positional('event', {
        type: 'string',
        demandOption: true,
        describe: 'Type of the event, such as message.sent',
      }),
    )
      .option('data', {
        type: 'string',
        requiresArg: true,
        coerce: once('data', values.json),
        describe: "The event's data, a JSON object; by default from the world's records",
      })
      .option('account', {
        type: 'string',
        requiresArg: true,
        coerce: once('account', values.id),
        describe: 'Id of the account that the event belongs to',
      })
      .option('app', {
        type: 'string',
        requiresArg: true,
        coerce: once('app', values.id),
        describe: 'Id of the app that the event belongs to',
      }) as never,
  handler: triggerEvent,
}

async function triggerEvent({ event, data, account, app, ...args }: TriggerArguments): Promise<void> {
  const target = toTarget(args)
  const { parseJson, toJson } = await import('../../core/http/json.ts')
  const body = {
    type: event,
    ...(data !== undefined && { data: readData(data, parseJson) }),
    ...(account !== undefined && { account }),
    ...(app !== undefined && { app_id: app }),
  }
  const { data: deliveries } = (await callControl(target, 'POST', '/events', body, toJson)) as { data: ShownDelivery[] }
  if (deliveries.length === 0)
    print(
      `${event}: no enabled webhook subscribes to it in the world "${target.world}". Make one with POST /v1/webhooks.\n`,
    )
  else
    print(deliveries.map((delivery) => `${event} ${delivery.id} → ${delivery.url}: ${describe(delivery)}\n`).join(''))
}

function readData(text: string, parse: (text: string) => unknown): object {
  let value: unknown
  try {
    value = parse(text)
  } catch (error) {
    throw new UsageError(`--data: ${(error as Error).message}`)
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new UsageError('--data: expected a JSON object, such as {"id": 1}.')
}

function describe({ status, attempts, next_attempt_at }: ShownDelivery): string {
  const last = attempts.at(-1)
  const outcome = last && `, ${last.status === null ? last.error : `${last.status} in ${last.latency_ms} ms`}`
  return `${status}${outcome ?? ''}${next_attempt_at === null ? '' : `, next attempt at ${next_attempt_at}`}`
}
