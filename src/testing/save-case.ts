import { toCaseText } from '../cases/text.ts'
import type { Case } from '../cases/types.ts'
import type { World } from '../api/world.ts'
import { describeRequests } from './test-world.ts'

const usualFolder = 'node_modules/.cache/greenhouse-mock/cases'

interface CaseSource {
  readonly given?: Case | undefined
  readonly file?: string | undefined
}

/** Makes the usual folder, without the cases of earlier runs. Only the first process of a run that comes here removes them. */
function openUsualFolder(): void {
  const { mkdirSync, readdirSync, rmSync, statSync } = process.getBuiltinModule('node:fs')
  // A worker that is its own process belongs to the run of its parent.
  const isWorker = process.send !== undefined || process.env['NODE_TEST_CONTEXT'] !== undefined
  const mark = `${usualFolder}/.run-${isWorker ? process.ppid : process.pid}`
  if (mkdirSync(mark, { recursive: true }) === undefined) return
  const { mtimeMs } = statSync(mark)
  for (const file of readdirSync(usualFolder).map((name) => `${usualFolder}/${name}`))
    if (statSync(file).mtimeMs < mtimeMs) rmSync(file, { recursive: true })
}

/**
 * Saves the world of a failed test as a case, and returns what to print; `undefined` in a page, or if the file can't be
 * written. The usual folder has only those of the last run. A test that fails again replaces its case.
 */
function saveCase(world: World, { given = world.toCase(), file: source }: CaseSource): string | undefined {
  try {
    const { mkdirSync, writeFileSync } = process.getBuiltinModule('node:fs')
    const { join } = process.getBuiltinModule('node:path')
    const folder = process.env['GREENHOUSE_ARTIFACTS'] || usualFolder
    if (folder === usualFolder) openUsualFolder()
    else mkdirSync(folder, { recursive: true })
    const file = join(folder, `${source === undefined ? '' : `${source}-`}${world.name}.case.yaml`)
    writeFileSync(file, toCaseText(given))
    return `  All of it, to play again: npx greenhouse-mock case show ${file}`
  } catch {
    return undefined
  }
}

export function describeFailure(world: World, source: CaseSource = {}): string {
  const text = describeRequests(world)
  const saved = world.journal.size === 0 ? undefined : saveCase(world, source)
  return saved === undefined ? text : `${text}\n${saved}`
}
