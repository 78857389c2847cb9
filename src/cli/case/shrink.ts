import { rmSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { Case } from '../../cases/types.ts'
import type { Additions } from '../../custom/definitions.ts'
import { replayCase } from '../../cases/replay.ts'
import { loadAdditions, writeCase } from './case-file.ts'
import { UsageError } from '../errors.ts'
import { printError, type Terminal } from '../terminal.ts'
import { createTemporaryFolder } from '../output/write-file.ts'
import { notFoundCode, startCommand, toStartError } from '../process/run-command.ts'

const pace = 20

/**
 * Finds a smaller case with which a command still fails, by delta debugging: drops halves of the steps, then quarters, down to
 * single ones; then what the world starts with. @throws UsageError if the command passes with the whole case.
 */
export async function shrinkCase(
  given: Case,
  words: readonly string[],
  {
    target,
    maxRuns,
    keepsReplies,
  }: { readonly target: string; readonly maxRuns: number; readonly keepsReplies: boolean },
  terminal: Terminal,
): Promise<{ made: Case; runs: number }> {
  const folder = createTemporaryFolder('case')
  const file = join(folder, `small.case${extname(target)}`)
  const additions = await loadAdditions(terminal)
  let runs = 0
  let best = given

  const stillFails = async (candidate: Case): Promise<boolean> => {
    if (runs >= maxRuns) return false
    const repeated = await withCustomReplies(candidate, additions)
    if (!repeated) return false
    const made = keepsReplies ? candidate : repeated
    await writeCase(file, made)
    if (runs > 0 && runs % pace === 0)
      printError(terminal, `${runs} runs: ${best.steps?.length ?? 0} of ${given.steps?.length ?? 0} steps are left.\n`)
    runs++
    const code = await startCommand(words, { ...terminal.env, GREENHOUSE_CASE: file }, withoutOutput(terminal))
    if (code === 0) return false
    if (code === notFoundCode) throw toStartError(words, { code: 'ENOENT' })
    best = made
    await writeCase(target, made)
    return true
  }

  try {
    if (!(await stillFails(given)))
      throw new UsageError(`The command passes with the whole case: ${words.join(' ')}. There is nothing to shrink.`)
    await shrinkList(best.steps ?? [], (steps) => stillFails(withoutUnusedEnd({ ...best, steps })))
    const { records = {}, assumptions = {}, scenarios = [] } = best.start ?? {}
    const withStart = (changes: Partial<NonNullable<Case['start']>>) =>
      stillFails({ ...best, start: { ...best.start, ...changes } })
    await shrinkList(Object.entries(records), (left) => withStart({ records: Object.fromEntries(left) }))
    await shrinkList(Object.entries(assumptions), (left) => withStart({ assumptions: Object.fromEntries(left) }))
    await shrinkList(scenarios, (left) => withStart({ scenarios: left }))
    return { made: best, runs }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function withoutUnusedEnd({ end: _, ...rest }: Case): Case {
  return rest
}

/** Removes as many items as possible (ddmin, Zeller and Hildebrandt 2002). @param accepts whether a shorter list is as good. */
async function shrinkList<T>(items: readonly T[], accepts: (shorter: T[]) => Promise<boolean>): Promise<readonly T[]> {
  let current = items
  if (current.length > 0 && (await accepts([]))) return []
  let parts = 2
  while (current.length >= 2) {
    const size = Math.ceil(current.length / parts)
    let hasShrunk = false
    for (let start = 0; start < current.length; start += size) {
      const shorter = [...current.slice(0, start), ...current.slice(start + size)]
      if (shorter.length === 0 || !(await accepts(shorter))) continue
      current = shorter
      parts = Math.max(parts - 1, 2)
      hasShrunk = true
      break
    }
    if (hasShrunk) continue
    if (size === 1) break
    parts = Math.min(current.length, parts * 2)
  }
  return current
}

async function withCustomReplies(given: Case, additions: Additions): Promise<Case | undefined> {
  try {
    const { greenhouse, steps } = await replayCase(given, additions)
    greenhouse.close()
    return { ...given, steps: [...steps] }
  } catch {
    return undefined
  }
}

function withoutOutput(terminal: Terminal): Terminal {
  const { stdio: _, ...rest } = terminal
  const nowhere = { ...terminal.stderr, write: () => true }
  return { ...rest, stdout: nowhere, stderr: nowhere }
}
