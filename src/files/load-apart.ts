import { existsSync } from 'node:fs'
import { DataError, type Problem } from '../core/contract/problem.ts'
import { parseCustomJson } from '../core/http/json.ts'
import { nextTurn } from '../core/time/system-time.ts'
import type { Fixtures } from '../fixtures/check.ts'
import { sizeOfDataFolder } from './folder.ts'
import { catalogue as builtIn } from '../api/assembly/catalogue.ts'
import type { Catalogue } from '../api/assembly/make-catalogue.ts'
import { loadScenariosInSteps, readFixtures } from './load.ts'

export type ReaderReply =
  | { readonly parts: readonly (readonly [collection: string, records: string])[] }
  | { readonly problems: readonly Problem[] }
  | { readonly message: string }

/** Smaller folders are read synchronously, which is faster than starting a thread. In bytes. */
const small = 131_072

/**
 * Like `loadFixtures`, but another thread reads and checks a large folder, so that the process is not blocked. @throws
 * DataError; Error if the folder cannot be read, or if `signal` aborts.
 */
export async function loadFixturesAsync(folder: string, known: Catalogue, signal: AbortSignal): Promise<Fixtures> {
  // Another thread does not know the collections of plug-ins.
  const reader = sizeOfDataFolder(folder) > small && known === builtIn ? findReader() : undefined
  if (reader === undefined) return readFixtures(folder, known)
  const reply = await readIn(reader, folder, signal)
  if ('problems' in reply) throw new DataError(`the fixtures in ${folder}`, reply.problems)
  if ('message' in reply) throw new Error(reply.message)
  const fixtures: Record<string, unknown[]> = {}
  for (const [name, records] of reply.parts) {
    ;(fixtures[name] ??= []).push(...(parseCustomJson(records) as unknown[]))
    await nextTurn()
    signal.throwIfAborted()
  }
  return fixtures
}

export async function loadScenariosAsync(
  folder: string,
  known: Catalogue,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const steps = loadScenariosInSteps(folder, known)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await nextTurn()
    signal.throwIfAborted()
  }
}

/** Finds the thread's code next to the command's files; `undefined` if a bundler left it out. */
function findReader(): URL | undefined {
  const places = ['./', './cli/', '../cli/', '../../dist/cli/']
  return places.map((place) => new URL(`${place}fixture-reader.cjs`, import.meta.url)).find((file) => existsSync(file))
}

async function readIn(reader: URL, folder: string, signal: AbortSignal): Promise<ReaderReply> {
  const { Worker } = process.getBuiltinModule('node:worker_threads')
  const thread = new Worker(reader, { workerData: folder, execArgv: [] })
  const end = () => void thread.terminate()
  signal.addEventListener('abort', end)
  try {
    return await new Promise((resolve, reject) => {
      thread.once('message', resolve)
      thread.once('error', reject)
      thread.once('exit', () => reject(signal.reason ?? new Error(`The thread that reads ${folder} ended.`)))
    })
  } finally {
    signal.removeEventListener('abort', end)
  }
}
