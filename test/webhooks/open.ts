import { onTestFinished } from 'vitest'
import type { GreenhouseOptions, Webhook, World } from 'greenhouse-mock'
import { serve } from 'greenhouse-mock/server'
import { open, type Client } from '../support/test-api.ts'
import { startReceiver, type Received, type ReceiverAnswer } from './receiver.ts'

export { open }

/** The same with a server, until the end of the test. */
export async function openServed(options: GreenhouseOptions = {}) {
  const client = open(options)
  const server = await serve(client.greenhouse)
  onTestFinished(() => server.close())
  return { client, server }
}

/**
 * Subscribes a receiver to events, created plants unless named; gives the webhook with its secret.
 */
export async function subscribe(
  { call }: Pick<Client, 'call'>,
  url: string,
  events: string[] = ['plant.created'],
): Promise<{ id: string; secret: string }> {
  return (await call('POST', '/v1/webhooks', { body: { url, events } })).body
}

/** Puts a webhook of `acct_pro` into the records, as nobody receives it. */
export async function putWebhook(
  { records }: World,
  id: string,
  own: Partial<Webhook>,
): Promise<void> {
  const usual = {
    account: 'acct_pro',
    app: null,
    url: 'http://127.0.0.1:9/none',
    enabled: true,
    events: [],
  }
  const secret = 'whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0'
  await records.webhooks.create({ ...usual, secret, created_at: 0, updated_at: 0, ...own, id })
}

/** Creates plants, one for each event. */
export async function createPlants(
  { call }: Pick<Client, 'call'>,
  count: number,
  from = 9_000,
): Promise<void> {
  for (let id = from; id < from + count; id++)
    await call('POST', '/plants', { body: { id, name: 'Fern' } })
}

/** Creates plants, and waits for the attempts to deliver them. */
export async function deliverPlants(
  client: Pick<Client, 'call' | 'world'>,
  count: number,
  from?: number,
) {
  await createPlants(client, count, from)
  await client.world.settled()
}

/** Moves the clock, and waits for the attempts that are due. */
export async function advance({ world }: Pick<Client, 'world'>, by: string): Promise<void> {
  world.clock.advance(by)
  await world.settled()
}

type AnswerOf = (received: Received, place: number) => ReceiverAnswer

/** Starts a receiver and subscribes it to created plants. */
export async function listen(client: Pick<Client, 'call'>, answer?: AnswerOf) {
  const receiver = await startReceiver(answer)
  const webhook = await subscribe(client, receiver.url)
  return { receiver, webhook, ...webhook }
}

/**
 * Opens a Greenhouse with a receiver, creates plants, and waits for the attempts to deliver them.
 */
export async function deliver(count: number, answer?: AnswerOf, options: GreenhouseOptions = {}) {
  const client = open(options)
  const listener = await listen(client, answer)
  await deliverPlants(client, count)
  return { client, ...listener }
}

/** The log of a webhook's deliveries, newest first. */
export async function logOf(
  { call }: Pick<Client, 'call'>,
  { id }: { id: string },
): Promise<any[]> {
  return (await call('GET', `/v1/webhooks/${id}/deliveries`)).body.data
}
