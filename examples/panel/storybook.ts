import { createGreenhouse, type ScenarioChoice, type World } from 'greenhouse-mock'
import { createHandlers } from 'greenhouse-mock/msw'
import { mountPanel, type MountedPanel } from 'greenhouse-mock/panel'
import { setupWorker } from 'msw/browser'

const greenhouse = createGreenhouse({ seed: 1 })
const handlers = createHandlers(greenhouse, {
  plants: 'https://plants.example.com',
  apps: 'https://api.example.com/v1',
})
const started = setupWorker(...handlers).start({ quiet: true })
let panel: MountedPanel | undefined

/**
 * What Storybook tells of a story: `parameters: { greenhouse: ['rate-limited-plan', 'slow:ms=800']
 * }` are its scenarios.
 */
export interface StoryContext {
  readonly id: string
  readonly parameters: { readonly greenhouse?: readonly ScenarioChoice[] }
}

const longIds: string[] = []

/**
 * The name of a story's world. It has at most 64 characters, and longer ids may begin alike: a
 * number tells them apart.
 */
function nameOf(id: string): string {
  if (id.length <= 64) return id
  if (!longIds.includes(id)) longIds.push(id)
  return `${id.slice(0, 58)}-${longIds.indexOf(id) + 1}`
}

/**
 * A loader for `.storybook/preview.ts`: `export default { loaders: [loadWorld] }`. Each story gets
 * a world of its own, as new, and the panel shows it. A story sends `loaded.world.key('key_pro')`
 * as its key.
 */
export async function loadWorld({ id, parameters }: StoryContext): Promise<{ world: World }> {
  await started
  const world = greenhouse.world(nameOf(id))
  world.reset()
  for (const scenario of parameters.greenhouse ?? []) world.use(scenario)
  panel?.unmount()
  panel = mountPanel(greenhouse, { world: world.name, position: 'right' })
  return { world }
}
