import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { startReceiver } from '../webhooks/receiver.ts'
import { chooseItem, click, clipboardOf, expectTexts, hashOf, requestsOf, undo } from './page.ts'
import { fillWorld, listenAt, openPanel, statusesOf, test } from './world.ts'

declare global {
  /** How often the browser saw a pointer and a key pressed. */
  var used: { clicks: number; keys: number }
}

/** Counts what the browser sees, so that no step of a task can be left out. */
const countUse = (page: Page) =>
  page.evaluate(() => {
    const used = { clicks: 0, keys: 0 }
    globalThis.used = used
    // A click that a key or a script makes has no detail.
    addEventListener('click', ({ detail }) => void (detail > 0 && used.clicks++), true)
    addEventListener('keydown', () => void used.keys++, true)
  })

type Opened = Awaited<ReturnType<typeof openPanel>>

interface Task {
  readonly clicks: number
  readonly keys?: number
  /** The view that it ends in. */
  readonly view?: string
  readonly before?: (panel: Opened) => unknown
  readonly work: (panel: Opened) => Promise<unknown>
}

const openRow = (page: Page, text: string) => requestsOf(page).filter({ hasText: text }).click()

const goToView = (page: Page, name: string) =>
  page.locator('.side-bar').getByRole('link', { name }).click()

async function searchFor(page: Page, text: string, answer: string): Promise<void> {
  // A key is heard once the page is drawn.
  await page.locator('.top-bar button').first().waitFor()
  await page.keyboard.press('/')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type(text)
  await page.getByRole('dialog').getByText(answer).waitFor()
  await page.keyboard.press('Enter')
}

/** What a frontend developer does most, from the list of requests. */
const tasks: Readonly<Record<string, Task>> = {
  'reads why a request failed': {
    clicks: 0,
    async work({ page }) {
      const why = requestsOf(page).filter({ hasText: '429' }).locator('.traffic-why')
      await expect
        .poll(() => why.innerText())
        .toContain('minute quota of plan free spent: 60 of 60')
    },
  },
  'answers the next two calls with 503': {
    clicks: 3,
    // Control and a, 2, Enter.
    keys: 4,
    async work({ page, send }) {
      await openRow(page, '/plants?limit=3')
      await click(page, 'Answer next')
      await page.getByLabel('How often').click()
      await page.keyboard.press('Control+a')
      await page.keyboard.type('2')
      await page.keyboard.press('Enter')
      await expectTexts(page, '“plants.list answers 503” is active')
      expect(await statusesOf(send, 'key_pro', 'key_pro', 'key_pro')).toEqual([503, 503, 200])
    },
  },
  'expires a key now': {
    clicks: 3,
    view: 'data',
    async work({ page, send }) {
      await openRow(page, '/plants?limit=3')
      await page.locator('.detail-facts').getByRole('link', { name: 'key_pro' }).click()
      await click(page, 'Expire now')
      await expectTexts(page, 'Expired the key')
      expect(await statusesOf(send, 'key_pro')).toEqual([401])
    },
  },
  'makes a value of a reply null': {
    clicks: 3,
    async work({ page, send, world }) {
      await openRow(page, '/plants?limit=3')
      await click(page, '"Lavandula angustifolia"', 'null')
      await expect.poll(() => world.scenarios.length).toBe(1)
      expect(await (await send('/plants?limit=1')).json()).toMatchObject([{ name: null }])
    },
  },
  'compares two requests': {
    clicks: 3,
    async work({ page }) {
      await openRow(page, '/plants?limit=3')
      await click(page, 'Compare')
      await openRow(page, '401')
      await page.getByRole('table', { name: 'Differences' }).getByText('status').waitFor()
    },
  },
  'copies a request as a test': {
    clicks: 3,
    async work({ page }) {
      await openRow(page, '/plants?limit=3')
      await chooseItem(page, 'Copy as', 'Copy as a test for Vitest')
      await expectTexts(page, 'Copied the request as a test for Vitest')
      expect(await clipboardOf(page)).toContain('greenhouse-mock/vitest')
    },
  },
  'moves the clock a month on': {
    clicks: 2,
    view: 'time',
    before: ({ world }) => world.clock.freeze(),
    async work({ page, world }) {
      const before = world.clock.now()
      await goToView(page, 'Time')
      await click(page, 'Advance by 30d')
      await expect.poll(() => world.clock.now() - before).toBe(30 * 86_400_000)
    },
  },
  'switches a scenario on and takes that back': {
    clicks: 3,
    view: 'scenarios',
    async work({ page, world }) {
      await goToView(page, 'Scenarios')
      await page.getByRole('switch', { name: 'expired-key', exact: true }).click()
      await expect.poll(() => world.scenarios).toEqual(['expired-key'])
      await undo(page, 'expired-key is active')
      await expect.poll(() => world.scenarios).toEqual([])
    },
  },
  'sends a request again': {
    clicks: 2,
    async work({ page, world }) {
      await openRow(page, '/plants?limit=3')
      await click(page, 'Send again')
      await expect.poll(() => world.journal.size).toBe(8)
    },
  },
  'edits a request and sends it': {
    clicks: 3,
    async work({ page, world }) {
      await openRow(page, '/plants?limit=3')
      await click(page, 'Edit', 'Send')
      await expect.poll(() => world.journal.size).toBe(8)
    },
  },
  'opens a record by its id': {
    clicks: 0,
    // The slash, the id, Enter.
    keys: 10,
    view: 'data',
    async work({ page }) {
      await searchFor(page, 'acct_pro', 'acct_pro in Accounts')
      await page.getByRole('complementary', { name: 'accounts acct_pro' }).waitFor()
    },
  },
  'delivers a webhook again': {
    clicks: 3,
    view: 'webhooks',
    async before({ greenhouse, world }) {
      const { url } = await startReceiver()
      await listenAt(greenhouse, url, ['app.updated'])
      await world.trigger('app.updated')
      await world.settled()
    },
    async work({ page }) {
      await goToView(page, 'Webhooks')
      await page.getByRole('cell', { name: 'app.updated' }).first().click()
      await click(page.getByRole('complementary'), 'Send again')
      await expectTexts(page, 'Sent again: 200')
    },
  },
  'begins again with a clean world': {
    clicks: 3,
    async work({ page, world }) {
      await chooseItem(page, 'Manage worlds', 'Reset default…')
      await click(page.getByRole('dialog'), 'Reset')
      await expect.poll(() => world.journal.size).toBe(0)
    },
  },
}

test.each(Object.entries(tasks))('a developer %s in few clicks', async (_, task) => {
  const { clicks, keys = 0, view = 'traffic', before, work } = task
  const panel = await openPanel('#/traffic', { before: fillWorld })
  await before?.(panel)
  await requestsOf(panel.page).first().waitFor()
  await countUse(panel.page)
  await work(panel)
  const used = await panel.page.evaluate(() => globalThis.used)
  expect(used).toEqual({ clicks, keys })
  expect(hashOf(panel.page)).toMatch(new RegExp(`^#/${view}\\b`))
})
