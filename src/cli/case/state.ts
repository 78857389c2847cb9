import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { GreenhouseOptions, Greenhouse } from '../../greenhouse/greenhouse.ts'
import { after } from '../../core/time/clock.ts'
import { toCaseText } from '../../greenhouse/case/text.ts'
import { UsageError } from '../errors.ts'
import { printError } from '../output/print.ts'
import type { Terminal } from '../terminal.ts'
import { readCase } from './case-file.ts'

/** The time from a change to the write, in milliseconds, so that many changes cause one write. */
const pause = 300

/**
 * Adds the state in a file to the options, if the file exists. The state wins over them. @throws DataError, UsageError
 */
export async function withState(options: GreenhouseOptions, file: string): Promise<GreenhouseOptions> {
  if (!existsSync(file)) return options
  const given = await readCase(file)
  if (given.steps?.length) throw new UsageError(`--state: ${file} has steps. Open it with --case.`)
  const { fixtures: _f, seed: _s, now: _n, frozen: _z, assumptions: _a, use: _u, ...rest } = options
  return { ...rest, case: given }
}

/**
 * Writes the state of the world `default` after each change and at the end. Replaces the file in one step, so a process that is
 * killed leaves the previous one. Prints one message while it can't be written. Returns a function that writes it for the last time.
 */
export function keepState(greenhouse: Greenhouse, file: string, terminal: Pick<Terminal, 'stderr'>): () => void {
  const next = `${file}.${process.pid}.tmp`
  let isReported = false
  /** The stamp of the file that this process wrote last. */
  let written: string | undefined
  let stop: (() => void) | undefined
  const write = () => {
    stop?.()
    stop = undefined
    try {
      if (written !== undefined && existsSync(file) && stampOf(file) !== written)
        throw new Error('another process has changed it since')
      const text = toCaseText(greenhouse.world().toState())
      writeFileSync(next, text, { mode: 0o600 })
      renameSync(next, file)
      written = stampOf(file)
      isReported = false
    } catch (error) {
      rmSync(next, { force: true })
      if (!isReported)
        printError(
          terminal,
          `Failed to save the state in ${file}: ${(error as Error).message}. It is in memory only.\n`,
        )
      isReported = true
    }
  }
  write()
  const end = greenhouse.observeChanges((change) => {
    if ('world' in change && change.world !== 'default') return
    stop ??= after(pause, write, false)
  })
  return () => {
    end()
    write()
  }
}

/** Returns a string that changes when a file is replaced or written. */
function stampOf(file: string): string {
  const { ino, mtimeMs } = statSync(file)
  return `${ino} ${mtimeMs}`
}
