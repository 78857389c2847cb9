import { createGreenhouse, DataError, malformations } from 'greenhouse-mock'
import type {
  App,
  AppReply,
  Greenhouse,
  JournalEntry,
  ListReply,
  Malformation,
  Plant,
  WebhookEvent,
  World,
} from 'greenhouse-mock'
import { Query } from 'greenhouse-mock/data'
import { createMiddleware, type Middleware } from 'greenhouse-mock/express'
import { greenhouseMatchers } from 'greenhouse-mock/matchers'
import { createHandlers } from 'greenhouse-mock/msw'
import { loadFixtures, loadScenarios, watchFolders } from 'greenhouse-mock/node'
import { mountPanel, type MountedPanel } from 'greenhouse-mock/panel'
import { expect as browserExpect, test as browserTest } from 'greenhouse-mock/playwright'
import { serve, type RunningServer } from 'greenhouse-mock/server'
import type { NewApp, PlantReply } from 'greenhouse-mock/types'
import { setupServer } from 'msw/node'

const greenhouse: Greenhouse = createGreenhouse({
  fixtures: loadFixtures('fixtures'),
  scenarios: loadScenarios('scenarios'),
  seed: 1,
})
const world: World = greenhouse.world('checkout')
world.use('malformed-plant', { kind: 'missing' })
world.clock.advance('90s')
const [entry]: JournalEntry[] = world.journal.calls({ operation: 'plants.create', limit: 1 })
const name: string | undefined = world.records.apps.get('app_1')?.name
const trees: Readonly<Plant>[] = world.records.plants.find(
  new Query<Plant>().where({ tag: 'tree' }),
)
const [malformation]: Malformation[] = malformations('plants.list')
const middleware: Middleware = createMiddleware(greenhouse)
setupServer(
  ...createHandlers(greenhouse, { plants: 'https://plants.test', apps: 'https://apps.test/v1' }),
)
export const openPanel = (): MountedPanel =>
  mountPanel(greenhouse, { world: world.name, open: true })
watchFolders(greenhouse, {
  fixtures: 'fixtures',
  onReload: ({ records }) => void records.length,
}).close()
browserTest(
  'a test',
  async ({ page, world, greenhouseHost }) =>
    void (await page.goto(greenhouseHost.plants + world.name)),
)
export const ownTest = browserTest.extend<{ shop: string }>({
  shop: async ({ api }, use) => use(api.plantsUrl),
})
export const ownExpect = browserExpect.extend({})
export const handlers = createHandlers(greenhouse, { plants: [name][1] })
world.use('slow', { ms: [800][1] })
export const app: NewApp = { name: 'helper' }
export const nameOf = ({ name }: PlantReply): string => name
export const keptOf = (app: App): string => app.account
// @ts-expect-error -- there is no such option
createGreenhouse({ sed: 1 })
// @ts-expect-error -- there is no such scenario
world.use('slow', { delay: 5 }, 'x')

export function receive(event: WebhookEvent): string {
  return event.type === 'message.sent' ? event.data.conversation.last_message : event.timestamp
}

export async function run(): Promise<unknown> {
  const server: RunningServer = await serve(greenhouse, { port: 0 })
  const response: Response = await greenhouse.fetch(new Request(server.url + '/v1/apps'))
  const { data }: ListReply<AppReply> = await response.json()
  await server.close()
  return [data, middleware, entry, name, trees, malformation, DataError, greenhouseMatchers]
}
