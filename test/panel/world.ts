import type { Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { createGreenhouse, type Greenhouse, type World } from 'greenhouse-mock'
import { serve } from 'greenhouse-mock/server'
import { openPanel, type OpenPanel } from '../support/panel.ts'
import { createFetcher, toInit, type CallOptions } from '../support/test-api.ts'
import { startReceiver } from '../webhooks/receiver.ts'

export { findBarriers, openPanel, panelTest as test } from '../support/panel.ts'

/** Opens the traffic of a panel with one request in it, which is open. */
export async function openSent(...sent: Parameters<OpenPanel['send']>): Promise<OpenPanel> {
  const panel = await openPanel('#/traffic')
  await panel.send(...sent)
  await panel.page.locator('.virtual-row').click()
  return panel
}

/**
 * Holds back every answer of the paths that a glob matches in a page that opens, until they are
 * released.
 */
export function holdAnswers(path: string): { hold(page: Page): Promise<unknown>; release(): void } {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const hold = (page: Page) =>
    page.route(path, async (route) => {
      await released
      // The page may have dropped it by then.
      await route.continue().catch(() => undefined)
    })
  return { hold, release }
}

/** The statuses of lists of plants, sent one after the other with these keys. */
export async function statusesOf(
  send: OpenPanel['send'],
  ...keys: readonly string[]
): Promise<number[]> {
  const statuses: number[] = []
  for (const key of keys) statuses.push((await send('/plants', { key })).status)
  return statuses
}

export async function stopServer({ page, server }: OpenPanel): Promise<void> {
  await server.close()
  await page.getByText('offline').waitFor()
}

/** Serves a Greenhouse, a new one unless named, where a panel's server was. */
export async function serveAgain(
  { server: { port } }: OpenPanel,
  greenhouse: Greenhouse = createGreenhouse(),
) {
  const server = await serve(greenhouse, { port })
  onTestFinished(() => server.close())
  return { send: createFetcher(server.url) }
}

export const requestOf = (path: string, method = 'GET', options: CallOptions = {}) =>
  new Request(`http://greenhouse.test${path}`, toInit(method, options))

/** Sends requests of every kind, so that each view has something to show. */
export async function fillWorld(greenhouse: Greenhouse): Promise<void> {
  const send = async (...sent: Parameters<typeof requestOf>) =>
    (await greenhouse.fetch(requestOf(...sent))).text()
  const withScenario = (name: string) => ({ headers: { 'x-greenhouse-scenario': name } })
  greenhouse.world().snapshot('filled')
  await send('/plants?limit=3')
  await send('/v1/apps?limt=3', 'GET', { key: 'key_free', ...withScenario('rate-limited-plan') })
  await send('/plants', 'POST', { body: '{"id":9007199254740993,"name":"Ficus"}' })
  await send('/plants', 'POST', { body: '{"name":1}' })
  await send('/plants', 'GET', { key: 'key_revoked' })
  await send('/v1/appz')
  await send('/v1/apps', 'GET', withScenario('server-error'))
}

/**
 * Creates a webhook of key_pro's account at a receiver, and freezes the clock. Returns its id and
 * secret.
 */
export async function listenAt(greenhouse: Greenhouse, url: string, events: readonly string[]) {
  greenhouse.world().clock.freeze()
  const made = await greenhouse.fetch(requestOf('/v1/webhooks', 'POST', { body: { url, events } }))
  return (await made.json()) as { readonly id: string; readonly secret: string }
}

/** Texts that would run, or break out, if they were treated as markup: 500 different ones. */
export const markups: readonly string[] = toMarkups()

function toMarkups(): string[] {
  const acts = [
    'img src=x onerror',
    'svg onload',
    'iframe onload src=/',
    'details open ontoggle',
    'body onload',
  ]
  const ways = [
    '',
    '">',
    "'>",
    '</script>',
    '</style>',
    '-->',
    '</title>',
    '</textarea>',
    '`}',
    '{{',
  ]
  const ends = ['', ' ', '/', '//', '\t', ' x=', ' <b', '&gt;', '\u2028', '%3E']
  return ways.flatMap((way) =>
    acts.flatMap((act) =>
      ends.map((end) => `${way}<${act}="globalThis.broken=['ran']"${end}><b id=strange>`),
    ),
  )
}

/** Opens the panel in a world with a webhook at a receiver. */
export async function openListening(
  place: string,
  event = 'app.updated',
  answer?: Parameters<typeof startReceiver>[0],
) {
  const receiver = await startReceiver(answer)
  const now = new Date().toISOString()
  const panel = await openPanel(place, { greenhouse: { now } })
  const webhook = await listenAt(panel.greenhouse, receiver.url, [event])
  const row = panel.page.getByRole('row').filter({ hasText: receiver.url }).first()
  return { ...panel, ...webhook, receiver, row, detail: panel.page.getByRole('complementary') }
}

export async function deliver(world: World) {
  const [delivery] = await world.trigger('app.updated')
  await world.settled()
  return `#/webhooks/deliveries/${delivery!.id}`
}
