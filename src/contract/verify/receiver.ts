import type { ServerReply } from './wire.ts'

export type ReceivedDelivery = Pick<ServerReply, 'headers' | 'text' | 'at'>

/** The answer of a receiver: a status, or nothing until the sender gives up. */
export type ReceiverAnswer = number | 'nothing'

export interface Receiver {
  readonly url: string
  /** Received deliveries, oldest first. */
  readonly received: readonly ReceivedDelivery[]
  answer: ReceiverAnswer
  /** Returns how long the first unanswered sender waited, in milliseconds of real time; `undefined` if none has given up within `longest`. */
  untilGivenUp(longest: number): Promise<number | undefined>
  close(): Promise<void>
}

export type Receive = () => Promise<Receiver>
