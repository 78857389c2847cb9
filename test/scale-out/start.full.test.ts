import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../package/packed.ts'
import { command, isAlive, startProcess } from '../support/process.ts'
import { writeFolder } from '../support/folder.ts'
import { findFreePort } from '../support/free-port.ts'
import { whyNot } from './proxied.ts'

test.skipIf(whyNot('haproxy') !== undefined)(
  'start.sh starts four processes and the proxy, and ends all of them when it is told to',
  async () => {
    const ports = await Promise.all([0, 1, 2, 3, 4].map(findFreePort))
    const own = (file: string) =>
      readFileSync(join(root, 'examples/scale-out', file), 'utf8').replace(/\b401([0-4])\b/g, (_, n) =>
        String(ports[n]),
      )
    const folder = writeFolder({
      'package.json': '{}',
      'scale-out/start.sh': own('start.sh'),
      'scale-out/haproxy.cfg': own('haproxy.cfg'),
    })
    mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
    symlinkSync(command, join(folder, 'node_modules/.bin/greenhouse-mock'))
    const { child, ended } = startProcess('sh', ['scale-out/start.sh'], {
      cwd: folder,
      detached: true,
      env: { ...process.env, GREENHOUSE_SCENARIO: 'expired-key' },
    })
    onTestFinished(() => void (isAlive(-child.pid!) && process.kill(-child.pid!, 'SIGKILL')))
    const health = (port: number) =>
      fetch(`http://127.0.0.1:${port}/__greenhouse/health`).then(
        ({ status }) => status,
        () => 0,
      )
    await expect.poll(() => health(ports[0]!)).toBe(200)
    const seen = new Set<string | null>()
    for (const world of ['w1', 'w2', 'w3', 'w4', 'w5', 'w6', 'w7', 'w8']) {
      const reply = await fetch(`http://127.0.0.1:${ports[0]}/~${world}/plants`, {
        headers: { authorization: 'Bearer key_pro' },
      })
      expect([reply.status, reply.headers.get('x-greenhouse')]).toEqual([401, expect.stringContaining('expired-key')])
      await reply.body?.cancel()
      seen.add(reply.headers.get('x-greenhouse-process'))
    }
    expect(seen.size).toBeGreaterThan(2)
    child.kill('SIGTERM')
    expect((await ended).code).toBe(0)
    for (const port of ports) expect(await health(port)).toBe(0)
  },
)
