// Checks the report of `verify` on json-server, which stores plants without their rules: `node .ci/contract/json-server.mjs`.
import { deepStrictEqual } from 'node:assert'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const home = fileURLToPath(new URL('.', import.meta.url))
const greenhouse = fileURLToPath(new URL('../../dist/greenhouse.cjs', import.meta.url))

/** The rules that json-server breaks: it authorizes every client, accepts any body, and answers with what it stores. */
const broken = [
  'plants.create.auth',
  'plants.create.int64',
  'plants.create.refuses.empty',
  'plants.create.refuses.id-fraction',
  'plants.create.refuses.id-range',
  'plants.create.refuses.id-text',
  'plants.create.refuses.name-null',
  'plants.create.refuses.name-type',
  'plants.create.refuses.no-id',
  'plants.create.refuses.no-name',
  'plants.create.refuses.no-object',
  'plants.create.refuses.tag-type',
  'plants.create.status',
  'plants.delete.auth',
  'plants.delete.no-body',
  'plants.delete.own',
  'plants.errors.body',
  'plants.json',
  'plants.list.auth.invalid',
  'plants.list.auth.missing',
  'plants.list.auth.scheme',
  'plants.list.own',
]

const gaps = {
  'plants.list.limit-name': 'unknown',
  'plants.list.limit-default': 'all',
  'plants.list.order': 'created',
  'plants.create.unknown-fields': 'keep',
  'plants.body.includes-id': 'yes',
  'plants.delete.status': '200',
  'plants.delete.unknown': '404',
  'plants.delete.invalid-id': '404',
  'plants.rate-limits': 'off',
}

/** @throws AssertionError if `verify` reports anything else */
export async function compareWithJsonServer() {
  const folder = mkdtempSync(join(tmpdir(), 'greenhouse-json-server-'))
  const file = join(folder, 'db.json')
  writeFileSync(file, '{ "plants": [] }')
  const port = await findPort()
  const program = join(home, 'node_modules/json-server/lib/cli/bin.js')
  const server = spawn(process.execPath, [program, '--quiet', '--host', '127.0.0.1', '--port', String(port), file], {
    stdio: 'ignore',
  })
  try {
    const url = `http://127.0.0.1:${port}`
    await untilUp(url)
    const report = await verify(url)
    deepStrictEqual(
      report.rules
        .filter(({ outcome }) => outcome === 'broken')
        .map(({ id }) => id)
        .sort(),
      broken,
    )
    const found = Object.fromEntries(report.gaps.map(({ id, outcome, value }) => [id, value ?? outcome]))
    for (const [id, value] of Object.entries(gaps)) deepStrictEqual([id, found[id]], [id, value])
    console.log(`json-server: ${report.summary}`)
  } finally {
    server.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function verify(url) {
  const flags = ['--key', 'any', '--other-key', 'other', '--allow-writes', '--rate', '1000', '--report', 'json']
  const child = spawn(process.execPath, [greenhouse, 'verify', '--target-plants', url, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.on('data', (chunk) => (text += chunk))
  const [code] = await once(child, 'close')
  deepStrictEqual(code, 1, text)
  return JSON.parse(text)
}

async function findPort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

async function untilUp(url) {
  for (let tries = 0; tries < 300; tries++) {
    if (
      await fetch(`${url}/plants`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`json-server does not answer at ${url}.`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await compareWithJsonServer()
