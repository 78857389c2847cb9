/** An attempt that is due. */
export interface Job {
  /** The delivery's id. */
  readonly delivery: string
  readonly webhook: string
  /** When, in milliseconds since 1970 on the world's clock. */
  readonly at: number
}

/** How many webhooks are sent to at the same time. */
const width = 16

/**
 * Attempts that are due, in one lane a webhook: a webhook is sent one thing at a time, in the order in which it was due.
 * Sixteen webhooks are sent to at once; the one whose turn comes next is the one that waits the longest.
 */
export class Lanes {
  readonly #lanes = new Map<string, Job[]>()
  readonly #busy = new Set<string>()
  readonly #run: (job: Job) => Promise<void>
  #idle: (() => void) | undefined
  #ended = false

  constructor(run: (job: Job) => Promise<void>) {
    this.#run = run
  }

  /** Puts a job in its place. Gives what waits for the end of all jobs where none was under way. */
  add(job: Job): Promise<void> | undefined {
    if (this.#ended) return undefined
    const lane = this.#lanes.get(job.webhook)
    if (lane) insert(lane, job)
    else this.#lanes.set(job.webhook, [job])
    this.#start()
    if (this.#idle) return undefined
    return new Promise((resolve) => (this.#idle = resolve))
  }

  /** Forgets what has not begun. */
  end(): void {
    this.#ended = true
    this.#lanes.clear()
    if (this.#busy.size === 0) this.#idle?.()
  }

  #start(): void {
    while (this.#busy.size < width) {
      const job = this.#next()
      if (!job) return
      this.#busy.add(job.webhook)
      void this.#run(job).finally(() => this.#finish(job))
    }
  }

  #finish({ webhook }: Job): void {
    this.#busy.delete(webhook)
    this.#start()
    if (this.#busy.size > 0) return
    const idle = this.#idle
    this.#idle = undefined
    idle?.()
  }

  #next(): Job | undefined {
    let next: Job[] | undefined
    for (const [webhook, lane] of this.#lanes) if (!this.#busy.has(webhook) && (!next || lane[0]!.at < next[0]!.at)) next = lane
    const job = next?.shift()
    if (job && next!.length === 0) this.#lanes.delete(job.webhook)
    return job
  }
}

/** Behind all that was due at the same time or earlier. */
function insert(lane: Job[], job: Job): void {
  let low = 0
  let high = lane.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (lane[middle]!.at <= job.at) low = middle + 1
    else high = middle
  }
  lane.splice(low, 0, job)
}
