import { itemsOf, make, type MadeResource } from './apps.ts'
import type { ReceivedDelivery, Receiver, ReceiverAnswer, Session } from './session.ts'
import { assertSeen, describeReply, Inconclusive } from './finding.ts'
import { isSuccess, member } from './wire.ts'

interface OwnWebhook extends MadeResource {
  readonly receiver: Receiver
  readonly secret: unknown
}

/** The longest wait for a delivery, and the polling interval, in milliseconds. */
const patience = 3_000
const step = 100

export async function subscribe(session: Session, event: string, answer: ReceiverAnswer = 204): Promise<OwnWebhook> {
  const receiver = await session.options.receive!()
  session.atEnd(() => receiver.close())
  receiver.answer = answer
  const webhook = await make(session, '/webhooks', { url: receiver.url, events: [event] })
  return { ...webhook, receiver, secret: member(webhook.reply.json, 'secret') }
}

export async function sendTest(session: Session, webhook: OwnWebhook): Promise<ReceivedDelivery> {
  const { length } = webhook.receiver.received
  const reply = await session.client.call('apps', 'POST', `${webhook.path}/test`)
  assertSeen(isSuccess(reply), describeReply(reply))
  const received = await untilReceived(session, webhook.receiver, length + 1)
  if (!received) throw new Inconclusive(`no test event came to ${webhook.receiver.url} within ${patience / 1_000} s`)
  return received
}

export async function untilReceived(
  session: Session,
  { received }: Receiver,
  count: number,
  within = patience,
): Promise<ReceivedDelivery | undefined> {
  for (let waited = 0; received.length < count && waited < within; waited += step) await session.options.wait(step)
  return received[count - 1]
}

export async function newestDelivery(session: Session, { path }: OwnWebhook): Promise<unknown> {
  const reply = await session.client.call('apps', 'GET', `${path}/deliveries`)
  const [newest] = itemsOf(reply) ?? []
  assertSeen(isSuccess(reply) && newest !== undefined, `${describeReply(reply)}, without deliveries`)
  return newest
}
