import type { AtCaller } from '../core/definitions/at-caller.ts'
import { toClientUrl } from '../core/http/client-url.ts'
import type { Greenhouse } from '../greenhouse/greenhouse.ts'
import { createWatched, onTopOf, Strays, toChecks, type RunningTest, type TestGreenhouseOptions } from './strict.ts'
import { hasBases, toBases, type Reach } from './reach.ts'
import { loadTestConfig } from './test-config.ts'
import { openTestHost } from './test-host.ts'
import { closeWithEvidence } from './save-evidence.ts'

type SharedHostOptions = TestGreenhouseOptions & Pick<Reach, 'plants' | 'apps' | 'server'>

/**
 * Creates a host, with the configuration file's values for missing options. It opens with the first test and closes with the last
 * running one, so it does not keep the process alive or serve another file's tests. A request must name a world unless `strict`
 * is `false`. @param create creates the Greenhouse.
 */
export function createSharedHost(given: SharedHostOptions, create: AtCaller) {
  const strays = new Strays()
  const running = new Map<string, RunningTest>()
  let greenhouse: Greenhouse | undefined
  let opened: ReturnType<typeof open> | undefined
  let config: ReturnType<typeof loadTestConfig> | undefined

  const open = async () => {
    // Without a file, the host opens in the same turn.
    config ??= loadTestConfig()
    const { plants, apps, server, ...options } = onTopOf(config instanceof Promise ? await config : config, given)
    const checks = toChecks(options.strict)
    const toUrl = hasBases({ plants, apps }) ? toClientUrl(toBases({ plants, apps })) : undefined
    greenhouse ??= createWatched(options, strays, toUrl, create)
    return {
      greenhouse,
      bases: await openTestHost(greenhouse, { plants, apps, server, answersAll: checks.operation }),
    }
  }

  return {
    /** Opens the host for the first test. @param world the name of the test's world. */
    enter: async (world: string) => {
      running.set(world, strays.begin(world))
      try {
        return await (opened ??= open())
      } catch (error) {
        running.delete(world)
        if (running.size === 0) opened = undefined
        throw error
      }
    },
    /** Ends a test. @throws Error if the test has stray requests. */
    end: (world: string) => running.get(world)?.end(),
    /** Deletes the test's world, and closes the host and its Greenhouse after the last test. */
    leave: async (world: string) => {
      running.delete(world)
      greenhouse?.deleteWorld(world)
      if (running.size > 0) return
      const [closing, used] = [opened, greenhouse]
      opened = greenhouse = undefined
      strays.forgetEnded()
      await (await closing)?.bases.close()
      if (used) closeWithEvidence(used)
    },
  }
}
