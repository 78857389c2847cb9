import { halve } from '../../../../core/store/halve.ts'

/** An attempt that is due. */
export interface Job {
  /** The delivery's id. */
  readonly delivery: string
  readonly webhook: string
  readonly account: string
  /** When, in milliseconds since 1970 on the world's clock. */
  readonly at: number
}

/** What is under way, so that it can be stopped. A signal for each would cost as much as the rest of the queue. */
export interface Run {
  /** Why it must end at once; absent as long as it need not. */
  stopped?: Error
  /** Is called as `stopped` is set. */
  onStop?: () => void
}

/** How many webhooks of one account are sent to at the same time. */
const perAccount = 8

/** How many webhooks are sent to at the same time; past it an account is sent one thing at a time. */
const inAll = 64

/** What is to be sent to one webhook. */
interface WebhookQueue {
  readonly webhook: string
  readonly account: Account
  /** In the order in which they are due. */
  readonly jobs: Job[]
  isBusy: boolean
}

interface Account {
  readonly name: string
  /** How many of its webhooks are sent to now. */
  running: number
  /** Those that something could be sent to now; the one that has waited the longest is the first. */
  readonly ready: Set<WebhookQueue>
}

/**
 * Attempts that are due. A webhook is sent one thing at a time, in the order in which it was due. An account's webhooks take
 * turns, and so do accounts: one whose receivers hang fills the places that it has, and holds up no other.
 */
export class DeliveryQueue {
  readonly #queues = new Map<string, WebhookQueue>()
  readonly #accounts = new Map<string, Account>()
  /** Accounts that wait for one of the shared slots. */
  readonly #turns = new Set<Account>()
  readonly #running = new Set<Run>()
  readonly #attempt: (job: Job, run: Run) => Promise<void>
  #idle: (() => void) | undefined
  #hasEnded = false

  /** @param attempt makes an attempt; never rejects. */
  constructor(attempt: (job: Job, run: Run) => Promise<void>) {
    this.#attempt = attempt
  }

  /** Puts a job in its place. Gives what waits for the end of all jobs where none was under way. */
  add(job: Job): Promise<void> | undefined {
    if (this.#hasEnded) return undefined
    const queue = this.#queueOf(job)
    insert(queue.jobs, job)
    if (!queue.isBusy) {
      queue.account.ready.add(queue)
      this.#serve(queue.account)
    }
    if (this.#idle) return undefined
    return new Promise((resolve) => (this.#idle = resolve))
  }

  /** Removes the attempt of a delivery, unless it has started. */
  remove(webhook: string, delivery: string): void {
    const queue = this.#queues.get(webhook)
    const place = queue?.jobs.findIndex((job) => job.delivery === delivery) ?? -1
    if (!queue || place < 0) return
    queue.jobs.splice(place, 1)
    if (queue.jobs.length > 0 || queue.isBusy) return
    queue.account.ready.delete(queue)
    this.#queues.delete(webhook)
  }

  /** Stops running attempts, and returns those that have not started. */
  end(reason: Error): Job[] {
    this.#hasEnded = true
    const dropped = [...this.#queues.values()].flatMap(({ jobs }) => jobs.splice(0))
    for (const { ready } of this.#accounts.values()) ready.clear()
    this.#turns.clear()
    for (const run of this.#running) {
      run.stopped = reason
      run.onStop?.()
    }
    if (this.#running.size === 0) this.#idle?.()
    return dropped
  }

  #queueOf({ webhook, account: name }: Job): WebhookQueue {
    let queue = this.#queues.get(webhook)
    if (!queue) {
      let account = this.#accounts.get(name)
      if (!account) this.#accounts.set(name, (account = { name, running: 0, ready: new Set() }))
      this.#queues.set(webhook, (queue = { webhook, account, jobs: [], isBusy: false }))
    }
    return queue
  }

  /** Begins what this account and those whose turn it is have places for. */
  #serve(account: Account): void {
    // Each has one place of its own, whatever the others hold.
    if (account.running === 0) this.#begin(account)
    if (account.ready.size > 0) this.#turns.add(account)
    for (const next of this.#turns) {
      if (this.#running.size >= inAll) return
      this.#turns.delete(next)
      if (next.running < perAccount) this.#begin(next)
      // Behind the others; this loop comes to it again.
      if (next.ready.size > 0 && next.running < perAccount) this.#turns.add(next)
    }
  }

  #begin(account: Account): void {
    const [queue] = account.ready
    if (!queue) return
    account.ready.delete(queue)
    account.running++
    queue.isBusy = true
    const run: Run = {}
    this.#running.add(run)
    void this.#attempt(queue.jobs.shift()!, run).finally(() => this.#finish(queue, run))
  }

  #finish(queue: WebhookQueue, run: Run): void {
    const { account } = queue
    this.#running.delete(run)
    account.running--
    queue.isBusy = false
    if (queue.jobs.length > 0) account.ready.add(queue)
    else this.#queues.delete(queue.webhook)
    this.#serve(account)
    if (account.running === 0) this.#accounts.delete(account.name)
    if (this.#running.size > 0) return
    const idle = this.#idle
    this.#idle = undefined
    idle?.()
  }
}

/** Behind all that was due at the same time or earlier. */
function insert(jobs: Job[], job: Job): void {
  const place = halve(jobs.length, (at) => jobs[at]!.at <= job.at)
  jobs.splice(place, 0, job)
}
