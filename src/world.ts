import { apps, type App } from './areas/apps/apps/schemas.ts'
import { plants, type Plant } from './areas/plants/schemas.ts'
import { accounts, keys, type Account, type Key } from './core/accounts.ts'
import type { Clock } from './core/clock.ts'
import type { Journal } from './core/journal.ts'
import type { Records } from './core/records.ts'
import type { World as CoreWorld } from './core/world.ts'

/** The records of a world by collection, to arrange and to look at. */
export interface WorldRecords {
  readonly accounts: Records<Account>
  readonly keys: Records<Key>
  readonly plants: Records<Plant>
  readonly apps: Records<App>
}

/** A whole service of its own: data, clock, quotas, scenarios, journal, assumptions, seed. */
export interface World {
  readonly name: string
  readonly clock: Clock
  readonly journal: Journal
  readonly records: WorldRecords
  /** The names of the active scenarios, in the order of their activation. */
  readonly scenarios: readonly string[]
  /** Switches a scenario on until it is cleared. @throws RangeError when there is none of that name or an option is wrong. */
  use(name: string, options?: Readonly<Record<string, unknown>>): void
  /** Switches a scenario off, or all of them. */
  clear(name?: string): void
  /** Answers a question that the reference leaves open in another way. @throws RangeError for an id or a value that is none. */
  assume(id: string, value: string): void
  /** Goes back to the start in everything. */
  reset(): void
  /** A key that names this world whatever the base URL: `'key_pro@checkout'`; in the world `default` the key itself. */
  key(secret: string): string
}

/** What a user sees of a world. */
export function toPublicWorld(world: CoreWorld): World {
  return {
    name: world.name,
    get clock() {
      return world.clock
    },
    get journal() {
      return world.journal
    },
    records: {
      get accounts() {
        return world.collection(accounts)
      },
      get keys() {
        return world.collection(keys)
      },
      get plants() {
        return world.collection(plants)
      },
      get apps() {
        return world.collection(apps)
      },
    },
    get scenarios() {
      return world.overlay.scenarios.map((scenario) => scenario.name)
    },
    use: (name, options) => world.use(name, options),
    clear: (name) => world.clear(name),
    assume: (id, value) => world.assume(id, value),
    reset: () => world.reset(),
    key: (secret) => (world.name === 'default' ? secret : `${secret}@${world.name}`),
  }
}
