import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { resolve } from 'node:path'
import type * as Index from '../../src/index.ts'
import type * as Server from '../../src/server.ts'
import { startServe } from '../support/cli.ts'
import { start } from '../support/test-api.ts'
import { Client } from './client.ts'

/** A server of one build of the product. */
export interface Build {
  readonly name: 'source' | 'ESM' | 'CommonJS' | 'CLI'
  readonly client: Client
}

export interface Builds {
  readonly builds: readonly Build[]
  /** The world `default` of the source's server. */
  readonly world: Index.World
  readonly operations: readonly Index.OperationSummary[]
  close(): Promise<void>
}

const seed = 7

/** Starts a server of each build, all of them with the same seed and the same frozen clock. Call it in a test. */
export async function openBuilds(): Promise<Builds> {
  const load = (file: string) => import(pathToFileURL(resolve('dist', file)).href)
  const require = createRequire(resolve('dist/cjs/index.cjs'))
  const modules: Record<string, [typeof Index, typeof Server]> = {
    source: [await import('../../src/index.ts'), await import('../../src/server.ts')],
    // By their files: with GREENHOUSE_TEST=src the package's name stands for the source.
    ESM: [(await load('index.js')) as typeof Index, (await load('server.js')) as typeof Server],
    CommonJS: [require('./index.cjs') as typeof Index, require('./server.cjs') as typeof Server],
  }
  const builds: Build[] = []
  const ends: (() => unknown)[] = []
  let source: Index.Greenhouse | undefined
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
