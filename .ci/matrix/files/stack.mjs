// Starts a project's development server, opens its page, edits the page's file, and opens it again:
// the mock answers at the production URL, and keeps its data.
//     node stack.mjs PAGE_FILE browser|server COMMAND …
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'

const [, , file, where, ...command] = process.argv
const port = await findPort()
const url = `http://127.0.0.1:${port}/`
const words = [...command, '--port', String(port)]
const env = {
  ...process.env,
  MOCK: '1',
  NEXT_TELEMETRY_DISABLED: '1',
  ASTRO_TELEMETRY_DISABLED: '1',
}
const server = spawn(process.execPath, words, { env, stdio: ['ignore', 'inherit', 'inherit'] })
const browser = where === 'browser' ? await openBrowser() : undefined
const patience = AbortSignal.timeout(240_000)
const ended = () => server.exitCode !== null

try {
  const first = await readVisits(1)
  console.log(`The page shows visit ${first}.`)
  writeFileSync(file, readFileSync(file, 'utf8').replace('edition 1', 'edition 2'))
  const second = await readVisits(2)
  console.log(`After an edit of ${file}, it shows visit ${second}.`)
  if (!(second > first)) throw new Error('The edit lost the data of the mock.')
} catch (error) {
  console.error(error)
  process.exitCode = 1
} finally {
  await browser?.close()
  server.kill()
  setTimeout(() => server.kill('SIGKILL'), 5_000).unref()
}

/** Opens the page until it shows an edition, and returns the number of the visit. */
async function readVisits(edition) {
  let shown = 'nothing'
  while (!patience.aborted && !ended()) {
    shown = await (browser ? openPage() : fetchPage()).catch(String)
    const [, visits] =
      new RegExp(`edition ${edition}, visit (?:<!-- -->)?([1-9]\\d*)`).exec(shown) ?? []
    if (visits !== undefined) return Number(visits)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
  throw new Error(`The page does not show edition ${edition} and a visit, but ${shown}`)
}

async function fetchPage() {
  return (await fetch(url, { signal: patience })).text()
}

async function openPage() {
  const [page] = browser.contexts()[0].pages()
  await page.goto(url)
  const heading = page.getByRole('heading').filter({ hasText: /visit [1-9]/ })
  await heading.waitFor({ timeout: 10_000 })
  return heading.innerText()
}

async function openBrowser() {
  const { chromium } = await import('playwright-core')
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
  const opened = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  await (await opened.newContext()).newPage()
  return opened
}

async function findPort() {
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => taken.once('listening', resolve))
  const { port } = taken.address()
  await new Promise((resolve) => taken.close(resolve))
  return port
}
