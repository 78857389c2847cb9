// Each test gets a world of its own. WebdriverIO only logs what its own hook `afterTest` throws;
// Mocha's hooks fail the run.
import { createWorld, describe, takeStrays } from './worlds.js'

export const mochaHooks = {
  async beforeEach() {
    browser.world = await createWorld()
  },
  async afterEach() {
    const { title, state } = this.currentTest
    if (state === 'failed') console.error(describe(title, await browser.world.calls()))
    await browser.world.delete()
    const strays = await takeStrays()
    if (strays.length > 0) throw new Error(describe('Requests named no world', strays))
  },
}
