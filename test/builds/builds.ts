import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { resolve } from 'node:path'
import type { Greenhouse, OperationSummary, World } from '../../src/index.ts'
import { startServe } from '../support/cli.ts'
import { start } from '../support/through.ts'
import { Client } from './client.ts'

/** A server of one build of the product. */
export interface Build {
  readonly name: 'source' | 'ESM' | 'CommonJS' | 'CLI'
  readonly client: Client
}

export interface Builds {
  readonly builds: readonly Build[]
  /** The world `default` of the source's server. */
  readonly world: World
  readonly operations: readonly OperationSummary[]
  close(): Promise<void>
}

type Index = typeof import('../../src/index.ts')
type Server = typeof import('../../src/server.ts')

const seed = 7

/** Starts a server of each build, all of them with the same seed and the same frozen clock. Call it in a test. */
export async function openBuilds(): Promise<Builds> {
  const load = (file: string) => import(pathToFileURL(resolve('dist', file)).href)
  const require = createRequire(resolve('dist/cjs/index.cjs'))
  const modules: Record<string, [Index, Server]> = {
    source: [await import('../../src/index.ts'), await import('../../src/server.ts')],
    // By their files: with GREENHOUSE_TEST=src the package's name stands for the source.
    ESM: [(await load('index.js')) as Index, (await load('server.js')) as Server],
    CommonJS: [require('./index.cjs') as Index, require('./server.cjs') as Server],
  }
  const builds: Build[] = []
  const ends: (() => unknown)[] = []
  let source: Greenhouse | undefined
  for (const [name, [{ createGreenhouse }, { serve }]] of Object.entries(modules)) {
    const greenhouse = createGreenhouse({ seed, now: start, frozen: true })
    source ??= greenhouse
    const server = await serve(greenhouse)
    const client = new Client(server.port)
    builds.push({ name: name as Build['name'], client })
    ends.push(() => (client.close(), server.close()))
  }
  const { ready, stop } = await startServe(['--seed', String(seed), '--now', start, '--frozen'])
  const client = new Client(Number(new URL(ready.plants_url).port))
  builds.push({ name: 'CLI', client })
  ends.push(() => (client.close(), stop()))
  return {
    builds,
    world: source!.world(),
    operations: source!.operations(),
    close: async () => {
      await Promise.all(ends.map((end) => end()))
    },
  }
}
