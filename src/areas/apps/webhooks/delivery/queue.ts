import { cached } from '../../../../core/contract/cache.ts'
import { binarySearch } from '../../../../core/text/values.ts'

/** An attempt of a delivery that is due. */
export interface Job {
  readonly delivery: string
  readonly webhook: string
  readonly account: string
  readonly at: number
}

/**
 * A running attempt that can be stopped. An AbortSignal for each attempt would cost as much as the
 * rest of the queue.
 */
export interface AttemptRun {
  stopped?: Error
  onStop?: () => void
}

/** The most webhooks of an account to send to at the same time. */
const maxConcurrentPerAccount = 8

/**
 * The most webhooks to send to at the same time; beyond it, an account can still send to one
 * webhook at a time.
 */
const maxConcurrent = 64

interface WebhookQueue {
  readonly webhook: string
  readonly account: AccountQueue
  /** The waiting attempts, in order of time. */
  readonly jobs: Job[]
  /** True while an attempt runs. */
  isBusy: boolean
}

interface AccountQueue {
  readonly name: string
  /** The number of running attempts. */
  running: number
  /** Webhooks with work and no running attempt, longest waiting first. */
  readonly ready: Set<WebhookQueue>
  /**
   * Where `ready` goes on: a new iterator would pass over all that were deleted since the set last
   * shrank.
   */
  turns: Iterator<WebhookQueue>
}

/**
 * The queue of attempts that are due. A webhook gets one request at a time, in order of time. An account's webhooks take
 * turns, and so do accounts: an account with hanging receivers fills its own slots and delays no
 * other account.
 */
export class DeliveryQueue {
  readonly #queues = new Map<string, WebhookQueue>()
  readonly #accounts = new Map<string, AccountQueue>()
  readonly #waitingAccounts = new Set<AccountQueue>()
  readonly #running = new Set<AttemptRun>()
  readonly #attempt: (job: Job, run: AttemptRun) => Promise<void>
  /** Settles the promise of `add`; absent while nothing runs. */
  #resolveIdle: (() => void) | undefined

  /** @param attempt makes an attempt; never rejects. */
  constructor(attempt: (job: Job, run: AttemptRun) => Promise<void>) {
    this.#attempt = attempt
  }

  /** Adds an attempt. If nothing ran before, returns a promise that resolves when nothing runs. */
  add(job: Job): Promise<void> | undefined {
    const queue = this.#queueOf(job)
    insertJob(queue.jobs, job)
    if (!queue.isBusy) {
      queue.account.ready.add(queue)
      this.#startJobs(queue.account)
    }
    if (this.#resolveIdle) return undefined
    return new Promise((resolve) => (this.#resolveIdle = resolve))
  }

  remove(webhook: string, delivery: string): void {
    const queue = this.#queues.get(webhook)
    if (!queue) return
    const index = queue.jobs.findIndex((job) => job.delivery === delivery)
    if (index < 0) return
    queue.jobs.splice(index, 1)
    if (queue.jobs.length > 0 || queue.isBusy) return
    queue.account.ready.delete(queue)
    this.#queues.delete(webhook)
  }

  /** Stops all running attempts, and returns those that waited. */
  end(reason: Error): Job[] {
    const dropped = [...this.#queues.values()].flatMap(({ jobs }) => jobs.splice(0))
    for (const { ready } of this.#accounts.values()) ready.clear()
    this.#waitingAccounts.clear()
    for (const run of this.#running) {
      run.stopped = reason
      run.onStop?.()
    }
    return dropped
  }

  #queueOf({ webhook, account: name }: Job): WebhookQueue {
    return cached(this.#queues, webhook, () => {
      const account = cached(this.#accounts, name, () => {
        const ready = new Set<WebhookQueue>()
        return {
          name,
          running: 0,
          ready,
          turns: ready.values(),
        }
      })
      return {
        webhook,
        account,
        jobs: [],
        isBusy: false,
      }
    })
  }

  #startJobs(account: AccountQueue): void {
    // An account that runs nothing may always begin, whatever the others do.
    if (account.running === 0) this.#begin(account)
    if (account.ready.size > 0) this.#waitingAccounts.add(account)
    for (const next of this.#waitingAccounts) {
      if (this.#running.size >= maxConcurrent) return
      this.#waitingAccounts.delete(next)
      if (next.running < maxConcurrentPerAccount) this.#begin(next)
      // The account moves to the end of the set; this loop reaches it again.
      if (next.ready.size > 0 && next.running < maxConcurrentPerAccount)
        this.#waitingAccounts.add(next)
    }
  }

  #begin(account: AccountQueue): void {
    if (account.ready.size === 0) return
    let next = account.turns.next()
    // An iterator that has reached the end stays there, so a new round needs a new one.
    if (next.done) next = (account.turns = account.ready.values()).next()
    const queue = next.value as WebhookQueue
    // A webhook without jobs is not ready.
    const job = queue.jobs.shift() as Job
    account.ready.delete(queue)
    account.running++
    queue.isBusy = true
    const run: AttemptRun = {}
    this.#running.add(run)
    void this.#attempt(job, run).finally(() => this.#finish(queue, run))
  }

  #finish(queue: WebhookQueue, run: AttemptRun): void {
    const { account } = queue
    this.#running.delete(run)
    account.running--
    queue.isBusy = false
    if (queue.jobs.length > 0) account.ready.add(queue)
    else this.#queues.delete(queue.webhook)
    this.#startJobs(account)
    if (account.running === 0) this.#accounts.delete(account.name)
    if (this.#running.size > 0) return
    this.#resolveIdle?.()
    this.#resolveIdle = undefined
  }
}

function insertJob(jobs: Job[], job: Job): void {
  const index = binarySearch(jobs, ({ at }) => at <= job.at)
  jobs.splice(index, 0, job)
}
