import { Webhook as Signer } from 'standardwebhooks'
import { toMilliseconds } from '../../../core/time/time-text.ts'
import {
  valueOrUnknown,
  gap,
  type ProbeTools,
  realTimeLane,
  unknownValue,
  foundValue,
} from '../probe.ts'
import type { ReceivedDelivery, ReceiverAnswer } from '../session.ts'
import { assertSeen, InconclusiveError, member, valuesOfAssumption } from '../wire.ts'

/**
 * The waits for an event that may not come, for a second attempt and for an answer, in
 * milliseconds.
 */
const patience = {
  event: 3_000,
  retry: 7_000,
  answer: 32_000,
}

const rows = [
  gap('plants.webhook', ['other target', 'writes', 'receiver'], async (tools) => {
    const webhook = await subscribe(tools, 'plant.created')
    await webhook.sendTest()
    await tools.plants.make()
    const event = await webhook.untilReceived(2, patience.event)
    const none = `within ${patience.event / 1_000} s none about a plant that was created`
    if (!event) return foundValue('off', `a webhook received a test event, but ${none}`)
    return foundValue('on', 'a webhook received an event about a plant that was created')
  }),
  gap('webhooks.signature', ['writes', 'receiver'], async (tools) => {
    const webhook = await tools.session.remember('webhook', () => subscribe(tools, 'webhook.test'))
    const { headers, text } = await webhook.sendTest()
    const {
      'webhook-signature': signature,
      'webhook-id': id,
      'webhook-timestamp': timestamp,
    } = headers
    if (signature === undefined)
      return foundValue('none', 'a delivery carries no webhook-signature')
    assertSeen(
      typeof webhook.secret === 'string',
      'the reply that created the webhook has no secret',
    )
    const signedAt = { getTime: () => Number(timestamp) * 1_000 } as Date
    const expected = new Signer(webhook.secret).sign(id ?? '', signedAt, text)
    if (signature.split(' ').includes(expected))
      return foundValue('standard-webhooks', 'webhook-signature is that of Standard Webhooks')
    return unknownValue(`webhook-signature is ${signature}, not that of Standard Webhooks`)
  }),
  gap('webhooks.rotation-overlap', ['writes', 'receiver'], async (tools) => {
    const webhook = await subscribe(tools, 'webhook.test')
    const rotated = await tools.session.call('POST', `${webhook.path}/rotate-secret`)
    rotated.assertSucceeded()
    const signature = (await webhook.sendTest()).headers['webhook-signature']
    assertSeen(signature !== undefined, 'deliveries are not signed')
    const { length } = signature.split(' ')
    if (length === 1) return foundValue('none', 'after a rotation a delivery has one signature')
    throw new InconclusiveError(
      'after a rotation a delivery is signed with both secrets: a run is too short to show for how long',
      valuesOfAssumption('webhooks.rotation-overlap').filter((one) => one !== 'none'),
    )
  }),
  gap('webhooks.retries', ['writes', 'receiver'], async (tools) => {
    const webhook = await subscribe(tools, 'webhook.test', 500)
    const first = await webhook.sendTest()
    const second = await webhook.untilReceived(2, patience.retry)
    webhook.receiver.answer = 204
    if (!second) {
      const status = member(await webhook.newestDelivery(), 'status')
      if (status === 'failed')
        return foundValue('none', 'a delivery whose first attempt failed has failed')
      return unknownValue(
        `no second attempt came within ${patience.retry / 1_000} s, and the delivery is ${String(status)}`,
      )
    }
    const seconds = (second.at - first.at) / 1_000
    const from = `the second attempt came ${seconds.toFixed(1)} s after the first`
    if (seconds >= 0.5 && seconds < 2) return foundValue('fast', from)
    if (seconds >= 4 && seconds < 7) return foundValue('standard', from)
    return unknownValue(from)
  }),
  gap('webhooks.gone', ['writes', 'receiver'], async (tools) => {
    const { session } = tools
    const webhook = await subscribe(tools, 'webhook.test', 410)
    await webhook.sendTest()
    // The server records the attempt after the answer.
    await session.options.wait(500)
    const reply = await session.call('GET', webhook.path)
    const isEnabled = member(reply.json, 'enabled')
    if (isEnabled === false)
      return foundValue('disable', 'a webhook whose receiver answered 410 is disabled')
    assertSeen(isEnabled === true, `${reply}, without saying whether the webhook is enabled`)
    const status = member(await webhook.newestDelivery(), 'status')
    const from = `a webhook whose receiver answered 410 stays enabled, and the delivery is ${String(status)}`
    return valueOrUnknown(status === 'pending' ? 'retry' : undefined, from)
  }),
  gap('webhooks.timeout', ['writes', 'receiver', 'slow'], async (tools) => {
    const webhook = await subscribe(tools, 'webhook.test', 'nothing')
    await webhook.requestTest()
    const waited = await webhook.receiver.untilGivenUp(patience.answer)
    webhook.receiver.answer = 204
    if (waited === undefined)
      return unknownValue(`it still waits after ${patience.answer / 1_000} s`)
    const from = `it waited ${(waited / 1_000).toFixed(1)} s for an answer`
    const isNear = (time: number) => Math.abs(waited - time) <= 300 + time / 20
    const known = valuesOfAssumption('webhooks.timeout').find((text) =>
      isNear(toMilliseconds(text)),
    )
    return valueOrUnknown(known, from)
  }),
]

/**
 * Each has its webhook, so all can wait side by side, but for the one with a plant, which the rules
 * about the list would see.
 */
export const webhookGaps = rows.map((row) => {
  if (row.id === 'plants.webhook') return row
  return {
    ...row,
    lane: row.id === 'webhooks.timeout' ? realTimeLane : row.id,
  }
})

/** The longest wait for a delivery, and the polling interval, in milliseconds. */
const testPatience = 3_000
const step = 100

async function subscribe(
  { session, apps }: ProbeTools,
  event: string,
  answer: ReceiverAnswer = 204,
) {
  const receiver = await session.options.receive!()
  session.atEnd(() => receiver.close())
  receiver.answer = answer
  const { path, reply } = await apps.make('/webhooks', {
    url: receiver.url,
    events: [event],
  })
  const untilReceived = async (
    count: number,
    within = testPatience,
  ): Promise<ReceivedDelivery | undefined> => {
    const { received } = receiver
    for (let waited = 0; received.length < count && waited < within; waited += step)
      await session.options.wait(step)
    return received[count - 1]
  }
  const requestTest = async () => {
    const requested = await session.call('POST', `${path}/test`)
    requested.assertSucceeded()
  }
  return {
    path,
    receiver,
    secret: member(reply.json, 'secret'),
    untilReceived,
    requestTest,
    async sendTest(): Promise<ReceivedDelivery> {
      const { length } = receiver.received
      await requestTest()
      const received = await untilReceived(length + 1)
      if (!received)
        throw new InconclusiveError(
          `no test event came to ${receiver.url} within ${testPatience / 1_000} s`,
        )
      return received
    },
    async newestDelivery(): Promise<unknown> {
      const deliveries = await session.call('GET', `${path}/deliveries`)
      const [newest] = deliveries.items ?? []
      assertSeen(deliveries.isSuccess && newest !== undefined, `${deliveries}, without deliveries`)
      return newest
    },
  }
}
