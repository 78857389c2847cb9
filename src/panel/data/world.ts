import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { ControlApi } from '../../control/client/control-api.ts'
import { CallError } from '../../control/client/errors.ts'
import { after, monotonicNow } from '../../core/time/clock.ts'
import { isSame } from '../../core/text/values.ts'
import { toTimestamp } from '../../core/time/time-text.ts'
import { type ActiveEntry, toEntries } from './choice.ts'
import { latest, type Live, type Reading } from './live.ts'
import type { ClockChange, ClockSummary } from './shapes.ts'

type WorldPresence = 'loading' | 'there' | 'missing' | 'impossible'

const stateByCode: Record<string, WorldPresence> = {
  unknown_world: 'missing',
  invalid_world: 'impossible',
}

/** The part of the chosen world that the page shows. Events of the server keep it up to date. */
export class ShownWorld {
  readonly name: ReadonlySignal<string>
  readonly state = signal<WorldPresence>('loading')
  readonly clock = signal<ClockSummary | undefined>(undefined)
  /** Its time in milliseconds since 1970, updated every second while the clock runs. */
  readonly now = signal<number | undefined>(undefined)
  readonly active = signal<readonly ActiveEntry[]>([])
  readonly snapshots = signal<readonly string[]>([])
  readonly worlds = signal<readonly string[]>([])
  readonly error = signal<Error | undefined>(undefined)
  #control: ControlApi
  #reading: Reading
  #naming: Reading
  #clockRead = 0
  #stopTicking = () => {}

  constructor(control: ControlApi, live: Live, name: ReadonlySignal<string>) {
    this.#control = control
    this.name = name
    this.#reading = latest(live, this.error, (isLatest) => this.#read(isLatest))
    this.#naming = latest(live, signal(undefined), (isLatest) => this.#readNames(isLatest))
    this.#tick()
    name.subscribe(() => {
      this.#reading.discard()
      this.#forget('loading')
    })
    this.#follow(live)
  }

  readonly changeClock = (change: ClockChange, world = this.name.peek()) =>
    this.#thenRead(this.#control.call('PATCH /worlds/{world}/clock', { ...change, world }))

  readonly runNext = () => this.#thenRead(this.#control.call('POST /worlds/{world}/due/next'))

  /** Also reads the names of the worlds, which no event brings. */
  readonly refresh = () => Promise.all([this.#reading.load(), this.#naming.load()])

  readonly end = () => {
    this.#stopTicking()
    this.#reading.end()
    this.#naming.end()
  }

  #follow(live: Live) {
    const { load, loadSoon } = this.#reading
    live.onRestart(() => this.#forget('loading'))
    // The answer says why there is no stream. Without a stream, nothing else would load the world.
    live.connection.subscribe((connection) => /rejected|crowded/.test(connection) && void load())
    live.on(['clock', 'scenarios', 'world', 'snapshots', 'reload'], loadSoon)
    // An event does not say whether a scenario acted for the last time.
    live.on(
      ['request'],
      (events) => events.some(({ data }) => data.scenarios.length > 0) && loadSoon(),
    )
  }

  async #read(isLatest: () => boolean) {
    try {
      const [summary, { active }] = await Promise.all([
        this.#control.call('GET /worlds/{world}'),
        this.#control.call('GET /worlds/{world}/scenarios'),
      ])
      if (!isLatest()) return
      this.#clockRead = monotonicNow()
      batch(() => {
        this.state.value = 'there'
        set(this.clock, summary.clock)
        this.now.value = toTimestamp(summary.clock.now)
        set(this.active, toEntries(active, summary.scenarios, summary.used_up))
        set(this.snapshots, summary.snapshots)
      })
    } catch (thrown) {
      const found = thrown instanceof CallError ? stateByCode[thrown.code] : undefined
      if (!found) throw thrown
      if (isLatest()) this.#forget(found)
    }
  }

  async #readNames(isLatest: () => boolean) {
    const { data } = await this.#control.call('GET /worlds')
    if (isLatest()) set(this.worlds, data.map((world) => world.name).sort())
  }

  async #thenRead<T>(call: Promise<T>) {
    const answer = await call
    await this.#reading.load()
    return answer
  }

  #forget(next: WorldPresence) {
    batch(() => {
      this.state.value = next
      this.clock.value = this.now.value = this.error.value = undefined
      this.active.value = this.snapshots.value = []
    })
  }

  #tick() {
    const shown = this.clock.peek()
    if (shown && !shown.frozen)
      this.now.value = toTimestamp(shown.now) + (monotonicNow() - this.#clockRead)
    this.#stopTicking = after(1_000, () => this.#tick())
  }
}

/** Draws nothing again that is the same. */
function set<T>(of: Signal<T>, value: T) {
  if (!isSame(of.peek(), value)) of.value = value
}
