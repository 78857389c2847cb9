import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { soaks } from '../support/soak.ts'
import type { OpenPanel } from '../support/panel.ts'
import { copyAs, goTo, listPlaces, pressKeys, requestsOf } from './page.ts'
import { fillWorld, findBarriers, markups, openPanel, openSent, requestOf, test } from './world.ts'

// In full all that opens in the views; else a third of it in each look.

test.each([
  ['light', 1440, 'none'],
  ['dark', 360, 'none'],
  ['light', 1280, 'active'],
  ...(soaks
    ? ([
        ['light', 390, 'none'],
        ['dark', 1440, 'none'],
      ] as const)
    : []),
] as const)(
  'axe finds no barrier and nothing is wider than the screen, %s, at %i px, forced colours %s',
  async (...on) => {
    const [colorScheme, width, forcedColors] = on
    const { page } = await openPanel('', {
      before: fillWorld,
      browser: {
        colorScheme,
        viewport: { width, height: 900 },
        ...(forcedColors === 'active' && { forcedColors }),
      },
    })
    const places = (await listPlaces(page)).filter(
      (_, index) =>
        soaks ||
        index < 5 ||
        index % 3 === ['light1440', 'dark360', 'light1280'].indexOf(colorScheme + width),
    )
    for (const place of places) {
      await goTo(page, place)
      expect([place, await findBarriers(page)]).toEqual([place, []])
      expect([place, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([
        place,
        width,
      ])
    }
  },
)

declare global {
  var broken: string[] | undefined
  var pressed: Set<Element>
  /** The elements that Tab reached, including those of the frame in earlier views. */
  var walked: Set<Element>
  /** Whether Tab came to one of these again. */
  var isAround: boolean
}

function noteUsed(): void {
  globalThis.pressed = new Set()
  globalThis.walked = new Set()
  let last: Element | undefined
  addEventListener('focusin', ({ target }) => {
    // The one that has it gets it again where the page does.
    globalThis.isAround ||= target !== last && globalThis.walked.has(target as Element)
    globalThis.walked.add((last = target as Element))
  })
  const add = EventTarget.prototype.addEventListener
  EventTarget.prototype.addEventListener = function (
    this: EventTarget,
    type: string,
    ...rest: unknown[]
  ) {
    if (type === 'click' && this instanceof Element) globalThis.pressed.add(this)
    return (add as (...args: unknown[]) => void).call(this, type, ...rest)
  }
}

/**
 * Returns visible elements that work only with a pointer: not focusable, in no list with keys,
 * without an equivalent inside.
 */
function findPointerOnly(): string[] {
  const takesFocus = 'button, a[href], input, select, textarea, summary, label, [tabindex]'
  const lists = '[role=listbox][tabindex], [role=menu], [data-list]'
  return [...globalThis.pressed]
    .filter((element) => element.isConnected && element.checkVisibility())
    .filter((element) => !element.matches(takesFocus) && element.closest(lists) === null)
    .filter((element) => element.querySelector(takesFocus) === null)
    .map((element) => element.outerHTML.slice(0, 120))
}

/** Returns visible controls that Tab never reaches, except within groups for arrow keys. */
function findUnreached(): string[] {
  // While a dialog is open, the rest is out of reach for everyone.
  const within = document.querySelector('dialog:modal') ?? document
  const used = 'button, a[href], input, select, textarea, summary, [tabindex="0"]'
  return [...within.querySelectorAll<HTMLElement>(used)]
    .filter((element) => element.checkVisibility() && !(element as HTMLButtonElement).disabled)
    .filter((element) => element.closest('[inert]') === null && element.tabIndex >= 0)
    .filter((element) => !globalThis.walked.has(element))
    .map((element) => element.outerHTML.slice(0, 120))
}

/**
 * Skips the frame once Tab went through it, as its first button does, and forgets what was reached
 * in the view.
 */
function beginWalk(): void {
  ;(document.activeElement as HTMLElement | null)?.blur()
  for (const element of globalThis.walked)
    if (!element.isConnected || element.closest('#view, dialog') !== null)
      globalThis.walked.delete(element)
  if (globalThis.walked.size > 0) document.querySelector<HTMLElement>('.skip')!.click()
  globalThis.isAround = false
}

test('the keyboard reaches everything that a pointer can press, in every view', async () => {
  const route = async (page: Page) => {
    const script = await page.addInitScript(noteUsed)
    onTestFinished(() => script.dispose())
  }
  const { page } = await openPanel('', { before: fillWorld, route })
  for (const place of await listPlaces(page)) {
    await goTo(page, place)
    await page.evaluate(beginWalk)
    expect([place, await page.evaluate(findPointerOnly)]).toEqual([place, []])
    // Past the last one it leaves the page, and comes back to the first. Held down, it moves on for
    // each time that it is said to be.
    let steps = 0
    for (
      let left = (await page.evaluate(findUnreached)).length + 1;
      steps < 400 && left > 0;
      left = (await page.evaluate(() => globalThis.isAround)) ? 0 : 4
    )
      for (; left > 0; left--, steps++) await page.keyboard.down('Tab')
    await page.keyboard.up('Tab')
    expect([place, await page.evaluate(findUnreached)]).toEqual([place, []])
  }
})

const markup = `"><img src=x onerror="globalThis.broken=['ran']"><script>globalThis.broken=['ran']</script><b id=strange>`

test('500 texts of markup are text in every view, wherever they stand', async () => {
  expect(new Set(markups).size).toBe(500)
  const { page } = await openPanel('#/traffic', {
    greenhouse: { journal: { entries: 2_000 } },
    before: async (greenhouse) => {
      const world = greenhouse.world()
      const strange = { key: 'key_pro_plus', headers: { 'x-strange': markup } }
      const send = (path: string, body?: string) =>
        greenhouse.fetch(requestOf(path, body === undefined ? 'GET' : 'POST', { ...strange, body }))
      for (const [at, text] of [...markups, markup].entries()) {
        world.records.plants.create({
          id: 2_000 + at,
          name: text,
          tag: text.slice(0, 60),
          account: 'acct_pro_plus',
        })
        await send(
          `/plants?${encodeURIComponent(text)}`,
          JSON.stringify({ name: text, [text]: text }),
        )
      }
      await send(`/v1/${encodeURIComponent(markup)}`, markup)
      await send('/v1/apps', JSON.stringify({ name: markup, description: markup }))
      world.use('server-error')
    },
  })
  const assertText = async (place: string) =>
    expect([place, await page.locator('#strange, img, main script, main iframe').count()]).toEqual([
      place,
      0,
    ])
  const pages = Array.from({ length: 11 }, (_, index) => `#/data/plants?sort=-id&page=${index + 1}`)
  const records = [0, 123, 377, 500].map((at) => `#/data/plants/${2_000 + at}`)
  const requests = [501, 502, 503].flatMap((id) => [
    `#/traffic/${id}`,
    `#/traffic/${id}?face=request`,
  ])
  for (const place of [...(await listPlaces(page)), ...pages, ...records, ...requests]) {
    await goTo(page, place)
    await assertText(place)
  }
  await goTo(page, '#/traffic')
  // Each comes into sight as one moves on by pages, and the one that one stops at opens next to the
  // list.
  await page.locator('.virtual-list').focus()
  const last = page.locator('.virtual-row[aria-posinset="503"].is-active')
  for (let moves = 0; moves === 0 || (await last.count()) === 0; moves++) {
    await pressKeys(page, 'PageDown', 'Enter')
    await page.locator('.split-detail h2').waitFor()
    await assertText('#/traffic')
    await page.locator('.virtual-list').focus()
  }
  expect(await page.evaluate(() => globalThis.broken)).toBeUndefined()
})

const url = '/plants?tag={a,b}&limit=[1-3]'
const body = JSON.stringify({ id: 1000, name: "O'Ficus $HOME `x`", tag: 'tree' })

test('a request copied as curl or fetch, or sent again, is the same to the byte', async () => {
  const { page, world } = await openSent(url, { method: 'POST', body, headers: { 'x-empty': '' } })
  const run = promisify(execFile)
  await run('sh', ['-c', await copyAs(page, 'curl')])
  await run(process.execPath, ['--input-type=module', '-e', await copyAs(page, 'fetch')])
  await page.getByRole('button', { name: 'Send again', exact: true }).click()
  await page.getByRole('complementary', { name: 'Request 4' }).waitFor()
  const [first, ...others] = world.journal.calls()
  expect(first!.request.headers['x-empty']).toBe('')
  for (const { request } of others) {
    expect(request).toMatchObject({ method: 'POST', url, body })
    expect(request.headers['authorization']).toBe(first!.request.headers['authorization'])
  }
  await expect.poll(() => requestsOf(page).count()).toBe(4)
  await expect.poll(() => requestsOf(page).first().textContent()).toContain('key_pro')
})

interface TraceEvent {
  readonly name: string
  /** The processor time of the thread, in microseconds. */
  readonly tdur?: number
}

/** Returns the processor time of the longest task that the page has meanwhile, in milliseconds. */
async function findLongestTask(page: Page, work: () => Promise<unknown>): Promise<number> {
  const session = await page.context().newCDPSession(page)
  let longest = 0
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const { name, tdur = 0 } of value as unknown as TraceEvent[])
      if (name === 'ThreadControllerImpl::RunTask') longest = Math.max(longest, tdur / 1_000)
  })
  const traceConfig = { includedCategories: ['toplevel'], excludedCategories: ['*'] }
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig })
  await work()
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.end')
  await complete
  await session.detach()
  return longest
}

/** Returns the milliseconds that the page takes for work of 50 ms on a machine of today. */
const countFarEnough = (page: Page) =>
  page.evaluate(() => {
    const before = performance.now()
    let sum = 0
    for (let step = 0; step < 30_000_000; step++) sum = (sum * 31 + step) % 1_000_003
    // What uses the sum keeps a compiler from leaving the work out.
    return performance.now() - before + Math.min(sum, 0)
  })

test('20,000 requests make no task as long as a count to 30 million; only visible rows are drawn', async () => {
  const { page, greenhouse, send } = await openPanel('#/traffic', {
    greenhouse: { journal: { entries: 25_000 } },
  })
  const ask = async (id: number) => (await greenhouse.fetch(requestOf(`/plants/${id}`))).text()
  await ask(1)
  const rows = requestsOf(page)
  await rows.first().waitFor()
  const isWhole = () =>
    expect.poll(() => page.locator('.view-count').innerText()).toBe('20\u202f000 requests')
  const before = await countFarEnough(page)
  const longest = await findLongestTask(page, async () => {
    for (let id = 2; id <= 20_000; id++) {
      await ask(id)
      // The server sends what it has.
      if (id % 50 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    await isWhole()
  })
  expect(longest).toBeGreaterThan(0)
  // A machine may become slower meanwhile.
  expect(longest).toBeLessThan(Math.max(before, await countFarEnough(page)))

  // A page that opens now reads them all, and draws as few.
  await expect.poll(() => rows.count()).toBeLessThan(60)
  await page.reload()
  await isWhole()
  await expect.poll(() => rows.count()).toBeLessThan(60)
  await expectToKeepPlace(page, send)
})

/** Goes through a list of 20,000 requests, whose place stays while more requests arrive. */
async function expectToKeepPlace(page: Page, send: OpenPanel['send']): Promise<void> {
  const rows = requestsOf(page)
  await pressKeys(page, 'j', 'End')
  await page.getByTitle('/plants/1', { exact: true }).waitFor()
  await expect.poll(() => rows.count()).toBeLessThan(60)
  await page.keyboard.press('Home')
  await rows.filter({ hasText: '/plants/20000' }).waitFor()

  await page.locator('.virtual-list').evaluate((list) => void (list.scrollTop = 3_200))
  await rows.filter({ hasText: '/plants/19900' }).waitFor()
  const inSight = () =>
    rows.filter({ hasText: '/plants/19890' }).evaluate((row) => row.getBoundingClientRect().top)
  const before = await inSight()
  for (let limit = 1; limit <= 5; limit++)
    await send(`/v1/apps?limit=${limit}`, { key: 'key_lite' })
  await expect
    .poll(() => page.locator('.virtual-list').evaluate((list) => list.scrollTop))
    .toBe(3_200 + 5 * 32)
  expect(await inSight()).toBe(before)
}
