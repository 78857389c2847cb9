// `npm run panel:screenshots`: takes pictures of all views, light, dark and in forced colours, on
// four screens and zoomed to 200 % and 400 %, into panel-screenshots; `-- light-1440` only those.
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'panel-screenshots')
const executablePath = process.env['CHROMIUM'] || '/usr/bin/chromium'
if (!existsSync(executablePath))
  throw new Error(
    `Failed to take pictures: there is no Chromium at ${executablePath}. Install it, or name it with CHROMIUM.`,
  )

const [{ createGreenhouse }, { serve }] = await Promise.all([
  import(new URL('../dist/index.js', import.meta.url)),
  import(new URL('../dist/server.js', import.meta.url)),
])
const greenhouse = createGreenhouse({ now: '2026-03-01T12:00:00Z' })
const server = await serve(greenhouse)
await fill(server.url)

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const [, , wanted = ''] = process.argv
const browser = await chromium.launch({
  executablePath,
  args: ['--headless', '--no-sandbox', '--disable-gpu'],
})
const schemes = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  forced: { forcedColors: 'active' },
}
const sizes = {
  1440: [1440, 900, 1],
  1024: [1024, 768, 1],
  768: [768, 1024, 1],
  390: [390, 844, 1],
  '200-percent': [720, 450, 2],
  '400-percent': [360, 225, 4],
}
try {
  for (const [scheme, colors] of Object.entries(schemes))
    for (const [size, [width, height, deviceScaleFactor]] of Object.entries(sizes)) {
      if (!`${scheme}-${size}`.includes(wanted)) continue
      const page = await browser.newPage({
        ...colors,
        viewport: { width, height },
        deviceScaleFactor,
        reducedMotion: 'reduce',
      })
      page.on('pageerror', ({ message }) => console.error(`${page.url()}: ${message}`))
      await page.goto(`${server.url}/__greenhouse/`)
      const views = await page
        .locator('.side-bar a')
        .evaluateAll((links) =>
          links.map((link) => [link.getAttribute('href').replace(/^#\/|\?.*$/g, ''), link.hash]),
        )
      for (const [name, hash] of [...views, ['traffic-entry', '#/traffic/5']]) {
        await page.goto(`${server.url}/__greenhouse/${hash}`)
        await page.locator('main h1').waitFor({ state: 'attached' })
        await page.waitForFunction(() => document.querySelector('main [aria-busy]') === null)
        await page.screenshot({ path: join(folder, `${name}-${scheme}-${size}.png`) })
      }
      await page.close()
    }
} finally {
  await browser.close()
  await server.close()
}
console.log(`Pictures of the panel are in ${folder}.`)

/** Sends one request of each kind, so that every view has something to show. */
async function fill(url) {
  const send = async (path, { key = 'key_pro', scenario, ...init } = {}) => {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(scenario !== undefined && { 'x-greenhouse-scenario': scenario }),
    }
    const response = await fetch(url + path, {
      ...init,
      headers: {
        ...headers,
        ...(init.body !== undefined && { 'content-type': 'application/json' }),
      },
    }).catch(() => undefined)
    await response?.text().catch(() => undefined)
  }
  await send('/plants?limit=3')
  await send('/v1/apps', { key: 'key_free' })
  await send('/plants', {
    method: 'POST',
    body: '{"id":9007199254740993,"name":"Ficus","tag":"tree"}',
  })
  await send('/plants', { method: 'POST', body: '{"name":1}' })
  await send('/v1/apps?limt=3', { key: 'key_free', scenario: 'rate-limited-plan:plan=free' })
  await send('/plants', { key: 'key_revoked' })
  await send('/v1/appz')
  await send('/v1/apps', { scenario: 'server-error, slow:ms=300' })
  await send('/plants', { scenario: 'connection-reset' })
  greenhouse.world().use('rate-limited-plan', { plan: 'free' })
  greenhouse.world().use('slow', { ms: 800 })
}
