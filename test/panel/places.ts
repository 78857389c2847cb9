import type { Page } from 'playwright-core'

const details = [
  '#/traffic/1',
  '#/traffic/1?face=request',
  '#/traffic/2?face=decisions',
  '#/traffic/3?face=timing',
  '#/scenarios/rate-limited-plan?how=code&option.remaining=many',
  '#/assumptions/plants.list.order?search=plants.list',
  '#/data/plants/9007199254740993',
  '#/data/messages?where.role=user&sort=-created_at&page=2',
  '#/data/webhooks?new=*',
  '#/data/plants?search=nothing-like-it',
  '#/data?face=snapshots&snapshot=filled',
  '#/account/acct_pro',
  '#/webhooks?trigger=app.created',
  '#/webhooks/deliveries/del_lrtulzjiz4ruujdv',
  '#/webhooks/deliveries/del_lrtulzjiz4ruujdv?face=signature',
  '#/webhooks/endpoints/wh_bcjl342gumzojejh',
  '#/docs/apps.create',
  '#/docs/messages.list',
]

export async function listPlaces(page: Page): Promise<string[]> {
  const views = page.locator('.side-link')
  await views.first().waitFor()
  // The controls of the clock appear when the clock is known.
  await page.locator('.clock-time').first().waitFor({ state: 'attached' })
  return [...(await views.evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).hash))), ...details]
}

export async function goTo(page: Page, place: string): Promise<void> {
  await page.evaluate(
    (hash) =>
      new Promise<void>((resolve) => {
        if (location.hash === hash) return resolve()
        // The panel listens for it too, and draws before the task after it.
        addEventListener('hashchange', () => setTimeout(resolve), { once: true })
        location.hash = hash
      }),
    place,
  )
  await page.locator('main h1').waitFor()
  await page.waitForFunction(() => document.querySelector('main [aria-busy]') === null)
}
