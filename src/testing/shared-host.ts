import type { JournalEntry } from '../core/journal/journal-entry.ts'
import type { Greenhouse } from '../greenhouse/greenhouse.ts'
import { openTestHost, type TestHost } from './test-host.ts'
import { newest } from './test-world.ts'

/** What answers the tests that run. */
export interface OpenHost {
  readonly greenhouse: Greenhouse
  readonly bases: TestHost
}

/** A host that is open while a test needs it, so that nothing keeps the process alive and no file answers for another one. */
export interface SharedHost {
  /** Opens the host for the first test. @param world the name of the test's world. */
  enter(world: string): Promise<OpenHost>
  /** The requests since the first test that reached no running test's world. */
  strays(): JournalEntry[]
  /** Deletes the test's world, and closes the host after the last test. */
  leave(world: string): Promise<void>
}

/** Makes a host that opens with the first test and closes with the last one that runs. */
export function createSharedHost(
  create: () => Greenhouse,
  urls: { plants?: string | undefined; apps?: string | undefined },
): SharedHost {
  const running = new Set<string>()
  const ended = new Set<string>()
  let greenhouse: Greenhouse | undefined
  let opened: Promise<OpenHost> | undefined

  const open = async (): Promise<OpenHost> => {
    greenhouse ??= create()
    return { greenhouse, bases: await openTestHost(greenhouse, urls) }
  }

  const close = async (): Promise<void> => {
    const closing = opened
    opened = undefined
    ended.clear()
    greenhouse?.world().reset()
    const host = await closing?.catch(() => undefined)
    await host?.bases.close()
  }

  return {
    enter: async (world) => {
      running.add(world)
      try {
        return await (opened ??= open())
      } catch (error) {
        running.delete(world)
        if (running.size === 0) opened = undefined
        throw error
      }
    },
    strays: () =>
      (greenhouse?.worlds() ?? [])
        .filter((name) => name === 'default' || ended.has(name))
        .flatMap((name) => newest(greenhouse!.world(name).journal)),
    leave: async (world) => {
      running.delete(world)
      ended.add(world)
      greenhouse?.deleteWorld(world)
      if (running.size === 0) await close()
    },
  }
}
