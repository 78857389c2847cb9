import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { toRow } from '../table.mjs'

const executablePath = process.env['CHROMIUM'] || '/usr/bin/chromium'

/**
 * What is turned off in Chromium: the pages that 156 loads for a window's address bar, on the same
 * processor, and of Playwright's own list what matters to painting, since Chromium takes the last
 * list alone.
 */
const turnedOff = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'PaintHolding',
]

/**
 * The first paint of the panel beside a blank page of the same server, and what live traffic costs
 * the page.
 */
export async function measure(context) {
  if (!existsSync(executablePath)) throw new Error(`there is no Chromium at ${executablePath}`)
  const [{ chromium }, { createGreenhouse }, { serve }] = await Promise.all([
    import('playwright-core'),
    import(pathToFileURL(`${context.dist}/index.js`).href),
    import(pathToFileURL(`${context.dist}/server.js`).href),
  ])
  const greenhouse = createGreenhouse({ journal: { entries: 25_000 } })
  const server = await serve(greenhouse)
  const browser = await chromium.launch({
    executablePath,
    args: ['--headless', '--no-sandbox', '--disable-gpu', `--disable-features=${turnedOff.join()}`],
  })
  try {
    const paints = await measurePaints(browser, server.url, context.quick ? 5 : 15)
    const live = await watchTraffic(browser, greenhouse, server.url, context.quick ? 1_000 : 20_000)
    return {
      rows: [
        toRow(
          'panel, from navigation to its frame : blank page',
          paints.frame,
          paints.blank,
          { atMost: 1.5 },
          ' ms',
        ),
        toRow(
          'panel, from navigation to the first view : blank page',
          paints.view,
          paints.blank,
          undefined,
          ' ms',
        ),
      ],
      notes: [
        `Panel: ${live.count} requests at ${Math.round(live.rate)}/s: ${live.long} tasks of the page over 50 ms, the longest ${Math.round(live.longest)} ms; heap ${live.before} MB after 500, ${live.after} MB at the end.`,
      ],
    }
  } finally {
    await browser.close()
    await server.close()
  }
}

/**
 * Milliseconds until the panel painted its frame and its first view, and until a blank page was
 * painted.
 */
async function measurePaints(browser, url, rounds) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  // A window that has just opened loads parts of the browser itself meanwhile: all rounds are in
  // one, without its cache.
  const session = await page.context().newCDPSession(page)
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  await page.addInitScript(() => {
    globalThis.viewShown = new Promise((resolve) => {
      const look = () =>
        document.querySelector('main h1') &&
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
      new MutationObserver(look).observe(document, { childList: true, subtree: true })
    })
  })
  const paints = { blank: [], frame: [], view: [] }
  for (let round = 0; round <= rounds; round++) {
    const blank = await untilPaint(page, `${url}/__greenhouse/health`)
    const frame = await untilPaint(page, `${url}/__greenhouse/`)
    const view = await page.evaluate(() => globalThis.viewShown)
    // The first round warms up.
    if (round === 0) continue
    paints.blank.push(blank)
    paints.frame.push(frame)
    paints.view.push(view)
  }
  await page.close()
  return paints
}

/** Milliseconds until a page first painted something. */
async function untilPaint(page, url) {
  await page.goto('about:blank')
  await new Promise((resolve) => setTimeout(resolve, 300))
  await page.goto(url)
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        const [paint] = performance.getEntriesByName('first-contentful-paint')
        if (paint) return resolve(paint.startTime)
        new PerformanceObserver((list) => resolve(list.getEntries()[0].startTime)).observe({
          type: 'paint',
          buffered: true,
        })
      }),
  )
}

/** Sends 200 requests a second while the panel shows them. */
async function watchTraffic(browser, greenhouse, url, count) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${url}/__greenhouse/#/traffic`)
  await page.locator('main h1').waitFor()
  await page.evaluate(() => {
    globalThis.longTasks = []
    new PerformanceObserver((list) =>
      globalThis.longTasks.push(...list.getEntries().map(({ duration }) => duration)),
    ).observe({
      type: 'longtask',
    })
  })
  const session = await page.context().newCDPSession(page)
  const heap = async () => {
    await session.send('HeapProfiler.collectGarbage')
    const { usedSize } = await session.send('Runtime.getHeapUsage')
    return Math.round(usedSize / 1e5) / 10
  }
  const headers = { authorization: 'Bearer key_pro_plus' }
  const began = performance.now()
  let before
  for (let sent = 0; sent < count; sent++) {
    const reply = await greenhouse.fetch(
      new Request(`${url}/plants?limit=${(sent % 20) + 1}`, { headers }),
    )
    await reply.text()
    if (sent === 500) before = await heap()
    const ahead = began + (sent * 1_000) / 200 - performance.now()
    if (ahead > 0) await new Promise((resolve) => setTimeout(resolve, ahead))
  }
  const rate = (count * 1_000) / (performance.now() - began)
  const tasks = await page.evaluate(() => globalThis.longTasks)
  const after = await heap()
  await page.close()
  return { count, rate, before, after, long: tasks.length, longest: Math.max(0, ...tasks) }
}
