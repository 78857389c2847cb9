import { toCaseText } from '../greenhouse/case/text.ts'
import type { Case } from '../greenhouse/case/types.ts'
import type { World } from '../greenhouse/world.ts'
import { describeRequests } from './test-world.ts'

/** Where cases of failed tests go, unless GREENHOUSE_ARTIFACTS names a folder. */
const usualFolder = 'node_modules/.cache/greenhouse-mock/cases'

interface CaseSource {
  /** The case, if the world has ended since. */
  readonly given?: Case | undefined
  /** The name of the test's file, for the name of the case's file. Absent if the world's name has it. */
  readonly file?: string | undefined
}

/**
 * Saves the world of a failed test as a case, and returns what to print; `undefined` in a page, or if the file can't be
 * written. A test that fails again replaces its case.
 */
function saveCase(world: World, { given = world.toCase(), file: source }: CaseSource): string | undefined {
  try {
    const { mkdirSync, writeFileSync } = process.getBuiltinModule('node:fs')
    const { join } = process.getBuiltinModule('node:path')
    const folder = process.env['GREENHOUSE_ARTIFACTS'] || usualFolder
    mkdirSync(folder, { recursive: true })
    const file = join(folder, `${source === undefined ? '' : `${source}-`}${world.name}.case.yaml`)
    writeFileSync(file, toCaseText(given))
    return `  All of it, to play again: npx greenhouse-mock case show ${file}`
  } catch {
    return undefined
  }
}

/** Lists the requests of a failed test, saves its case, and says where. */
export function describeFailure(world: World, source: CaseSource = {}): string {
  const text = describeRequests(world)
  const saved = world.journal.size === 0 ? undefined : saveCase(world, source)
  return saved === undefined ? text : `${text}\n${saved}`
}
