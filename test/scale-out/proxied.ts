import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished, test } from 'vitest'
import { root } from '../package/packed.ts'
import { startProcess, startServeProcess } from '../support/process.ts'
import { writeFolder } from '../support/folder.ts'
import { findFreePort } from '../support/free-port.ts'

/** The commands and files of each proxy in `examples/scale-out`. */
const proxies = {
  haproxy: { file: 'haproxy.cfg', args: ['-db', '-f', 'haproxy.cfg'] },
  nginx: { file: 'nginx.conf', args: ['-p', '.', '-c', 'nginx.conf', '-g', 'daemon off;'] },
} as const

/** A proxy that the examples configure. */
export type Proxy = keyof typeof proxies

/**
 * Why the tests with a proxy are skipped; nothing where they run. HAProxy has to be there where CI
 * runs, nginx need not.
 */
export function whyNot(proxy: Proxy): string | undefined {
  const isThere = spawnSync(proxy, ['-v'], { stdio: 'ignore' }).status === 0
  if (isThere || (proxy === 'haproxy' && process.env['CI'] !== undefined)) return undefined
  return `there is no "${proxy}" on the path: apt-get install ${proxy === 'nginx' ? 'nginx-light' : proxy}`
}

/** Runs a test behind each of these proxies that is there. */
export function testBehind(
  proxies: readonly Proxy[],
  title: string,
  run: (proxy: Proxy) => Promise<void>,
): void {
  for (const proxy of proxies) {
    const reason = whyNot(proxy)
    test.skipIf(reason !== undefined)(
      `behind ${proxy} ${title}${reason === undefined ? '' : ` (${reason})`}`,
      () => run(proxy),
    )
  }
}

export const both: readonly Proxy[] = ['haproxy', 'nginx']

export type Member = Awaited<ReturnType<typeof startServeProcess>>

/** The worlds that a process has. */
export async function worldsOf({ ready }: Pick<Member, 'ready'>): Promise<string[]> {
  const reply = await fetch(`${ready.plants_url}/__greenhouse/worlds`)
  return ((await reply.json()) as { data: { name: string }[] }).data.map(({ name }) => name)
}

/** Greenhouses behind a proxy. */
export interface Proxied {
  readonly url: string
  readonly members: readonly Member[]
  /** The folder of the proxy. */
  readonly folder: string
  /** Starts a member again that has ended, at its port. */
  restart(place: number): Promise<Pick<Member, 'ready'>>
}

/**
 * Starts four Greenhouses and a proxy before them with the configuration of the example, on free
 * ports. @param args of every `serve`.
 */
export async function startProxied(proxy: Proxy, args: readonly string[] = []): Promise<Proxied> {
  const ports = await Promise.all([0, 1, 2, 3, 4].map(findFreePort))
  const start = (place: number) => startServeProcess(args, {}, ports[place + 1])
  const members = await Promise.all([0, 1, 2, 3].map(start))
  const { file, args: words } = proxies[proxy]
  const text = readFileSync(join(root, 'examples/scale-out', file), 'utf8')
  const folder = writeFolder({
    [file]: text.replace(/127\.0\.0\.1:401([0-4])\b/g, (_, n) => `127.0.0.1:${ports[n]}`),
  })
  const { child, output, ended } = startProcess(proxy, words, { cwd: folder })
  // Killed at once, nginx would leave its workers behind.
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
  const url = `http://127.0.0.1:${ports[0]}`
  while ((await fetch(`${url}/__greenhouse/health`).catch(() => undefined))?.status !== 200)
    if (child.exitCode !== null) throw new Error(`${proxy} ended: ${output.stdout}${output.stderr}`)
  return {
    url,
    members,
    folder,
    restart: start,
  }
}
