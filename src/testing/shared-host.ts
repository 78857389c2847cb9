import type { AtCaller } from '../core/definitions/at-caller.ts'
import { after } from '../core/time/clock.ts'
import { toClientUrl } from '../core/http/client-url.ts'
import type { Greenhouse } from '../greenhouse/greenhouse.ts'
import { createWatched, onTopOf, Strays, toChecks, type RunningTest, type TestGreenhouseOptions } from './strict.ts'
import { hasBases, toBases, type Reach } from './reach.ts'
import { loadTestConfig } from './test-config.ts'
import { openTestHost } from './test-host.ts'
import { saveEvidence } from './save-evidence.ts'

type SharedHostOptions = TestGreenhouseOptions & Pick<Reach, 'plants' | 'apps' | 'server'>

/** How long a host waits for the next test, in milliseconds. */
const longestPause = 500

/**
 * Creates a host, with the configuration file's values for missing options. It opens with the first test. Between tests it does not
 * keep the process alive, and closes if no test comes: in Jest, the next file has a host of its own. A request must name a world
 * unless `strict` is `false`. @param create creates the Greenhouse.
 */
export function createSharedHost(given: SharedHostOptions, create: AtCaller) {
  const strays = new Strays()
  const running = new Map<string, RunningTest>()
  let greenhouse: Greenhouse | undefined
  let opened: ReturnType<typeof open> | undefined
  let config: ReturnType<typeof loadTestConfig> | undefined
  let stopWaiting = () => {}

  const open = async () => {
    // Without a file, the host opens in the same turn.
    config ??= loadTestConfig()
    const { plants, apps, server, ...options } = onTopOf(config instanceof Promise ? await config : config, given)
    const checks = toChecks(options.strict)
    const toUrl = hasBases({ plants, apps }) ? toClientUrl(toBases({ plants, apps })) : undefined
    greenhouse ??= createWatched(options, strays, toUrl, create)
    const bases = await openTestHost(greenhouse, { plants, apps, server, answersAll: checks.operation })
    return { greenhouse, bases }
  }

  const end = async () => {
    const [used, closing] = [greenhouse, opened]
    greenhouse = opened = undefined
    strays.forgetEnded()
    await (await closing)?.bases.close()
    used?.close()
  }

  return {
    enter: async (world: string) => {
      stopWaiting()
      running.set(world, strays.begin(world))
      try {
        const host = await (opened ??= open())
        host.bases.hold?.(true)
        return host
      } catch (error) {
        running.delete(world)
        if (running.size === 0) opened = undefined
        throw error
      }
    },
    end: (world: string) => running.get(world)?.end(),
    /** Deletes the test's world. After the last running test, deletes all others, and lets go of the process and of MSW. */
    leave: async (world: string, { greenhouse, bases }: Awaited<ReturnType<typeof open>>) => {
      running.delete(world)
      greenhouse.deleteWorld(world)
      if (running.size > 0) return
      for (const other of greenhouse.worlds()) greenhouse.deleteWorld(other)
      saveEvidence(greenhouse)
      stopWaiting = after(longestPause, () => void end(), false)
      if (bases.hold) return bases.hold(false)
      opened = undefined
      await bases.close()
    },
  }
}
