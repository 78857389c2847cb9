import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createGreenhouse } from '../../src/index.ts'
import { createOpenApi } from '../../src/contract/document/index.ts'
import { serve } from '../../src/adapters/server.ts'
import { cases } from '../../test/coverage/cases/index.ts'
import { toSent } from '../../test/coverage/ways.ts'
import { createCaller, start } from '../../test/support/through.ts'

const program = fileURLToPath(new URL('node_modules/@stoplight/prism-cli/dist/index.js', import.meta.url))

test('Prism, fed with the document, finds nothing wrong with any reply of the API suite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'greenhouse-prism-'))
  const greenhouse = createGreenhouse({ now: start })
  const server = await serve(greenhouse)
  const world = greenhouse.world()
  const standard = JSON.stringify(world.assumptions)
  const file = join(folder, 'openapi.json')
  writeFileSync(file, JSON.stringify(await createOpenApi({ server: server.url })))
  const port = await freePort()
  const prism = spawn(process.execPath, [program, 'proxy', file, server.url, '--port', String(port)], { stdio: 'pipe' })
  prism.stdout.resume()
  prism.stderr.resume()
  const url = `http://127.0.0.1:${port}`
  const wrong: string[] = []
  let judged = 0
  try {
    await expect
      .poll(
        () =>
          fetch(url).then(
            () => true,
            () => false,
          ),
        { timeout: 60_000 },
      )
      .toBe(true)
    const call = createCaller((path, init) => fetch(server.url + path, init))
    for (const [operation, ways] of Object.entries(cases))
      for (const [, asked] of Object.entries(ways))
        for (const [what, ask] of asked) {
          world.reset()
          world.clock.freeze()
          const [method, path, { key = 'key_pro', body, headers } = {}] = await toSent(ask, call, world)
          // The document is of the defaults.
          if (JSON.stringify(world.assumptions) !== standard) continue
          // Prism never passes on a body that is no JSON, and never answers.
          if (typeof body === 'string') continue
          const response = await fetch(url + path, {
            signal: AbortSignal.timeout(20_000),
            method,
            headers: {
              ...(key !== null && { authorization: `Bearer ${key}` }),
              ...(body !== undefined && { 'content-type': 'application/json' }),
              ...headers,
            },
            ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
          })
          await response.text()
          const violations = JSON.parse(response.headers.get('sl-violations') ?? '[]') as { location: string[] }[]
          judged++
          const ofReply = violations.filter(({ location }) => location[0] === 'response')
          if (ofReply.length > 0) wrong.push(`${operation}, ${what}: ${JSON.stringify(ofReply).slice(0, 400)}`)
        }
  } finally {
    prism.kill()
    await once(prism, 'exit')
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
  console.log(`Prism judged ${judged} replies.`)
  expect(wrong.slice(0, 20), `${wrong.length} of ${judged}`).toEqual([])
  expect(judged).toBeGreaterThan(500)
})

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
