import { once } from 'node:events'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../package/packed.ts'
import { startServe } from '../support/cli.ts'
import { command, isAlive, startProcess } from '../support/process.ts'
import { writeFolder } from '../support/folder.ts'
import { findFreePort } from '../support/free-port.ts'
import { whyNot } from './proxied.ts'

const haproxy = test.skipIf(whyNot('haproxy') !== undefined)

/**
 * Runs start.sh with ports of this test's in place of its own: first that of the proxy, then those
 * of the processes.
 */
function start(ports: readonly number[], env: NodeJS.ProcessEnv = {}) {
  const own = (file: string) =>
    readFileSync(join(root, 'examples/scale-out', file), 'utf8').replace(
      /\b401([0-4])\b/g,
      (_, n) => String(ports[n]),
    )
  const folder = writeFolder({
    'package.json': '{}',
    'scale-out/start.sh': own('start.sh'),
    'scale-out/haproxy.cfg': own('haproxy.cfg'),
  })
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  symlinkSync(command, join(folder, 'node_modules/.bin/greenhouse-mock'))
  const started = startProcess('sh', ['scale-out/start.sh'], {
    cwd: folder,
    detached: true,
    env: { ...process.env, ...env },
  })
  const { pid } = started.child
  onTestFinished(() => void (isAlive(-pid!) && process.kill(-pid!, 'SIGKILL')))
  return started
}

const findPorts = () => Promise.all([0, 1, 2, 3, 4].map(findFreePort))

const health = (port: number) =>
  fetch(`http://127.0.0.1:${port}/__greenhouse/health`).then(
    ({ status }) => status,
    () => 0,
  )

haproxy(
  'start.sh starts four processes and the proxy, and ends all of them when it is told to',
  async () => {
    const ports = await findPorts()
    const { child, ended } = start(ports, { GREENHOUSE_SCENARIO: 'expired-key' })
    await expect.poll(() => health(ports[0]!)).toBe(200)
    const seen = new Set<string | null>()
    for (const world of ['w1', 'w2', 'w3', 'w4', 'w5', 'w6', 'w7', 'w8']) {
      const reply = await fetch(`http://127.0.0.1:${ports[0]}/~${world}/plants`, {
        headers: { authorization: 'Bearer key_pro' },
      })
      expect([reply.status, reply.headers.get('x-greenhouse')]).toEqual([
        401,
        expect.stringContaining('expired-key'),
      ])
      await reply.body?.cancel()
      seen.add(reply.headers.get('x-greenhouse-process'))
    }
    expect(seen.size).toBeGreaterThan(2)
    child.kill('SIGTERM')
    expect((await ended).code).toBe(0)
    for (const port of ports) expect(await health(port)).toBe(0)
  },
)

haproxy(
  'start.sh fails where another program has a port, also one that never answers',
  async () => {
    const ports = await findPorts()
    const silent = createServer().listen(ports[2], '127.0.0.1')
    await once(silent, 'listening')
    onTestFinished(() => void silent.close())
    const { code, stderr } = await start(ports).ended
    expect([code, stderr]).toEqual([1, `Port ${ports[2]} is taken by another program.\n`])
    expect(await health(ports[1]!)).toBe(0)
  },
)

haproxy('start.sh takes no other Greenhouse for its own', async () => {
  const { ready, stop } = await startServe()
  const ports = await findPorts()
  ports[3] = Number(new URL(ready.plants_url).port)
  const { code, stderr } = await start(ports).ended
  expect([code, stderr]).toEqual([1, `Port ${ports[3]} is taken by another program.\n`])
  await stop()
})

haproxy('start.sh fails where a process does not start', async () => {
  const ports = await findPorts()
  const { code, stderr } = await start(ports, { GREENHOUSE_SCENARIO: 'expired-kye' }).ended
  expect(code).toBe(1)
  expect(stderr).toContain('Did you mean "expired-key"?')
  expect(stderr).toContain(`The process at port ${ports[1]} has ended.\n`)
  for (const port of ports) expect(await health(port)).toBe(0)
})
