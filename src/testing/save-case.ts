import { toCaseText } from '../greenhouse/case/text.ts'
import type { World } from '../greenhouse/world.ts'

/** Where cases of failed tests go, unless GREENHOUSE_ARTIFACTS names a folder. */
const usualFolder = 'node_modules/.cache/greenhouse-mock/cases'

/**
 * Saves the world of a failed test as a case, and returns what to print of it; nothing without requests, in a page, or when the
 * file can't be written. A test that fails again replaces its case.
 */
function saveCase(world: World): string | undefined {
  if (world.journal.size === 0) return undefined
  try {
    const { mkdirSync, writeFileSync } = process.getBuiltinModule('node:fs')
    const { join } = process.getBuiltinModule('node:path')
    const folder = process.env['GREENHOUSE_ARTIFACTS'] || usualFolder
    mkdirSync(folder, { recursive: true })
    const file = join(folder, `${world.name}.case.yaml`)
    writeFileSync(file, toCaseText(world.toCase()))
    return `  All of it, to play again: npx greenhouse-mock case show ${file}`
  } catch {
    return undefined
  }
}

/** Lists what a failed test asked, and where its case is. */
export function withCase(text: string, world: World): string {
  const saved = saveCase(world)
  return saved === undefined ? text : `${text}\n${saved}`
}
