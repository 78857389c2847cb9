// Opens the built Storybook in Chromium: npm run build && npm test
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname } from 'node:path'
import { after, before, test } from 'node:test'
import { chromium } from 'playwright-core'

const states = {
  plants: '14 plants',
  empty: '0 plants',
  loading: 'Loading …',
  'expired-key': 'Your key has expired. Please get a new one.',
  'out-of-reach': 'The plants are out of reach. Please try again later.',
  'too-many-requests': 'Too many requests. Please wait.',
  'forgotten-world': 'The plants are out of reach. Please try again later.',
}

const types = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.css': 'text/css',
}
const site = createServer(async (request, response) => {
  const path = new URL(request.url, 'http://localhost').pathname
  try {
    const body = await readFile(
      new URL(`../storybook-static${path === '/' ? '/index.html' : path}`, import.meta.url),
    )
    response
      .writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' })
      .end(body)
  } catch {
    response.writeHead(404).end()
  }
})
let browser
let url

before(async () => {
  await new Promise((resolve) => site.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${site.address().port}`
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  })
})

after(async () => {
  await browser?.close()
  site.closeAllConnections()
  site.close()
})

const toStory = (name) => `plant-list--${name}`

/** Waits until the story has sent its request and shows what came of it. */
async function expectState(page, name, root = '#storybook-root') {
  const status = page.locator(`${root} [role=status]`).first()
  await status.getByText(states[name], { exact: true }).waitFor({ timeout: 60_000 })
}

test('each story shows its state, opened on its own', async () => {
  for (const name of Object.keys(states)) {
    const page = await browser.newPage()
    const calls = []
    page.on(
      'response',
      (response) => response.url().startsWith('https://') && calls.push(response.status()),
    )
    await page.goto(`${url}/iframe.html?viewMode=story&id=${toStory(name)}`)
    await expectState(page, name)
    await page.close()
  }
})

test('each story shows its state after another one, there and back', async () => {
  const page = await browser.newPage()
  await page.goto(`${url}/iframe.html?viewMode=story&id=${toStory('plants')}`)
  await expectState(page, 'plants')
  const names = Object.keys(states)
  for (const name of [...names, ...names.toReversed()]) {
    await page.evaluate(
      (storyId) =>
        globalThis.__STORYBOOK_PREVIEW__.channel.emit('setCurrentStory', {
          storyId,
          viewMode: 'story',
        }),
      toStory(name),
    )
    await page.waitForFunction(
      (id) => globalThis.__STORYBOOK_PREVIEW__.selectionStore.selection.storyId === id,
      toStory(name),
    )
    await expectState(page, name)
  }
  await page.close()
})

test('all states are true side by side, on the page of documentation', async () => {
  const page = await browser.newPage()
  await page.goto(`${url}/iframe.html?viewMode=docs&id=plant-list--docs`)
  for (const name of Object.keys(states)) await expectState(page, name, `#story--${toStory(name)}`)
  await page.close()
})

test('a request that names no world is told of', async () => {
  const page = await browser.newPage()
  const errors = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  await page.goto(`${url}/iframe.html?viewMode=story&id=${toStory('forgotten-world')}`)
  await expectState(page, 'forgotten-world')
  assert.match(errors.join('\n'), /GET https:\/\/plants\.example\.com\/plants names no world/)
  await page.close()
})
