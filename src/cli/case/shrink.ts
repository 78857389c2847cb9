import { rmSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { Case } from '../../cases/generated/case.ts'
import { UsageError, printError, type Terminal } from '../terminal.ts'
import { createTemporaryFolder, writeCase } from '../files.ts'
import { notFoundCode, startCommand, explainStartError } from '../process/run-command.ts'

const pace = 20

/**
 * Delta debugging: drops halves of the steps, then quarters, down to single ones; then what the
 * world starts with.
 */
export async function shrinkCase(
  given: Case,
  words: readonly string[],
  options: {
    readonly target: string
    readonly maxRuns: number
    readonly keepsReplies: boolean
  },
  terminal: Terminal,
): Promise<{
  made: Case
  runs: number
}> {
  const { replayHere } = await import('./rerun.ts')
  const { target, maxRuns, keepsReplies } = options
  const folder = createTemporaryFolder('case')
  const file = join(folder, `small.case${extname(target)}`)
  const nowhere = {
    ...terminal.stderr,
    write: () => true,
  }
  const { stdio: _, ...quiet } = {
    ...terminal,
    stdout: nowhere,
    stderr: nowhere,
  }
  let runs = 0
  let best = given

  const stillFails = async (candidate: Case): Promise<boolean> => {
    if (runs >= maxRuns) return false
    const replayed = await replayHere(candidate, terminal).catch(() => undefined)
    if (!replayed) return false
    const made = keepsReplies
      ? candidate
      : {
          ...candidate,
          steps: [...replayed.steps],
        }
    await writeCase(file, made)
    if (runs > 0 && runs % pace === 0)
      printError(
        terminal,
        `${runs} runs: ${best.steps?.length ?? 0} of ${given.steps?.length ?? 0} steps are left.\n`,
      )
    runs++
    const code = await startCommand(
      words,
      {
        ...terminal.env,
        GREENHOUSE_CASE: file,
      },
      quiet,
    )
    if (code === 0) return false
    if (code === notFoundCode) throw explainStartError(words, { code: 'ENOENT' })
    best = made
    await writeCase(target, made)
    return true
  }

  try {
    if (!(await stillFails(given)))
      throw new UsageError(
        `The command passes with the whole case: ${words.join(' ')}. There is nothing to shrink.`,
      )
    const { end: _end, ...withoutEnd } = best
    await shrinkList(best.steps ?? [], (steps) => stillFails({ ...withoutEnd, steps }))
    const { records = {}, assumptions = {}, scenarios = [] } = best.start ?? {}
    const withStart = (changes: Partial<NonNullable<Case['start']>>) =>
      stillFails({
        ...best,
        start: { ...best.start, ...changes },
      })
    await shrinkList(Object.entries(records), (left) =>
      withStart({ records: Object.fromEntries(left) }),
    )
    await shrinkList(Object.entries(assumptions), (left) =>
      withStart({ assumptions: Object.fromEntries(left) }),
    )
    await shrinkList(scenarios, (left) => withStart({ scenarios: left }))
    return {
      made: best,
      runs,
    }
  } finally {
    rmSync(folder, {
      recursive: true,
      force: true,
    })
  }
}

/**
 * Removes as many items as possible (ddmin, Zeller and Hildebrandt 2002). @param accepts whether a
 * shorter list is as good.
 */
async function shrinkList<T>(
  items: readonly T[],
  accepts: (shorter: T[]) => Promise<boolean>,
): Promise<readonly T[]> {
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
