/** A delivery as a receiver got it. */
export interface Received {
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** When it came, in milliseconds since 1970. */
  readonly at: number
}

/** What a receiver answers: a status, or nothing until the sender gives up. */
export type Answer = number | 'nothing'

/** A server that webhooks are delivered to. */
export interface Receiver {
  readonly url: string
  /** What came, the oldest first. */
  readonly received: readonly Received[]
  /** What it answers from now on. */
  answer: Answer
  /** How long the first sender waited that got no answer, in milliseconds of real time; `undefined` when none has given up by then. */
  untilGivenUp(longest: number): Promise<number | undefined>
  close(): Promise<void>
}

/** Starts a receiver. */
export type Receive = () => Promise<Receiver>
