// Tasks for cy.task(), which run in Node. A task without a result returns null.
import { createWorld, describe, takeStrays } from './worlds.js'

const worlds = new Map()

/** @param {string} name */
function findWorld(name) {
  const world = worlds.get(name)
  if (!world) throw new Error(`There is no world ${name}: cy.task('startWorld') makes one.`)
  return world
}

export const tasks = {
  /** Starts a world. Gives its name and base URLs. */
  async startWorld(start) {
    const world = await createWorld(start ?? {})
    worlds.set(world.name, world)
    return { name: world.name, plantsUrl: world.plantsUrl, appsUrl: world.appsUrl }
  },
  async useScenarios({ world, scenarios }) {
    await findWorld(world).use(...scenarios)
    return null
  },
  async advance({ world, time }) {
    await findWorld(world).advance(time)
    return null
  },
  calls: ({ world, query }) => findWorld(world).calls(query),
  /**
   * Ends a world: prints its requests when its test failed, and fails when a request named no
   * world.
   */
  async endWorld({ world, title, failed }) {
    const ended = findWorld(world)
    if (failed) console.error(describe(title, await ended.calls()))
    worlds.delete(world)
    await ended.delete()
    const strays = await takeStrays()
    if (strays.length > 0) throw new Error(describe('Requests named no world', strays))
    return null
  },
}
