import {
  existsSync,
  lstatSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { afterIfAlive } from '../../core/time/clock.ts'
import { joinNames } from '../../core/text/messages.ts'
import { toCaseText } from '../../cases/format.ts'
import type { Greenhouse, GreenhouseOptions } from '../../api/greenhouse.ts'
import { sourcesOf } from '../flags/flags.ts'
import { UsageError, printError, type Terminal, toSystemReason } from '../terminal.ts'
import { findTarget, removeTemporaryFiles, replaceFile } from '../../files/replace-file.ts'
import { withReason, readCase } from '../files.ts'

/** The time from a change to the write, in milliseconds, so that many changes cause one write. */
const pause = 200

/** The longest time from a write that failed to the next one, in milliseconds. */
const longestPause = 30_000

/** The flags that say how a world starts, as a state does. */
const ofStart = ['fixtures', 'scenario', 'seed', 'now', 'frozen', 'assume', 'assume-file']

export type StateFile = ReturnType<typeof openState>

/** YAML that is cut short is still YAML, so the first line of a state says what its last one is. */
const lastLine = '# The end of the state'
const firstLine = `# Whole if its last line is "${lastLine}"`

/**
 * Opens the file of `--state` for this process alone. @throws Error if another server has it, or if
 * it can't be a file
 */
export function openState(file: string, terminal: Terminal) {
  const close = withReason(purposeOf(file), () => {
    const target = findTarget(file)
    const unlock = lockFile(`${target}.lock`)
    removeTemporaryFiles(target)
    return unlock
  })

  return {
    close,
    addTo: (options: GreenhouseOptions) => addState(options, file, terminal),
    keep: (greenhouse: Greenhouse) => keepState(greenhouse, file, terminal, close),
  }
}

/**
 * Adds the state to the options, if the file exists. The state wins over them. @throws DataError,
 * UsageError
 */
async function addState(
  options: GreenhouseOptions,
  file: string,
  terminal: Terminal,
): Promise<GreenhouseOptions> {
  if (!existsSync(file)) return options
  const text = readFileSync(file, 'utf8')
  if (text.startsWith(firstLine) && !text.trimEnd().endsWith(`\n${lastLine}`))
    throw new UsageError(
      `--state: ${file} is cut short: its last line is missing. Restore a copy of it, or remove it to start anew.`,
    )
  const given = await readCase(file)
  if (given.steps?.length) throw new UsageError(`--state: ${file} has steps. Open it with --case.`)
  const overruled = ofStart.flatMap((flag) => sourcesOf(flag, terminal))
  if (overruled.length > 0)
    printError(
      terminal,
      `The state in ${file} overrules ${joinNames(overruled, 'and')}. To start with what they say, remove the file.\n`,
    )
  const { fixtures: _f, seed: _s, now: _n, frozen: _z, assumptions: _a, use: _u, ...rest } = options
  return {
    ...rest,
    case: given,
  }
}

/**
 * Writes the state after each change. After a failure it tries again, and says so in the panel.
 * @throws Error if it can't be written now
 */
function keepState(greenhouse: Greenhouse, file: string, terminal: Terminal, close: () => void) {
  let written: string | undefined
  let nextPause = pause
  /** Cancels the next write; present if something is not written yet. */
  let cancel: (() => void) | undefined
  const write = () => {
    if (written !== undefined && existsSync(file) && stampOf(file) !== written)
      throw new Error('another process has changed it since')
    const text = toCaseText(greenhouse.world().toState())
    replaceFile(file, `${firstLine}\n${text}${lastLine}\n`, 0o600)
    written = stampOf(file)
  }
  const report = (error: unknown) => {
    const why = `${toSystemReason(error)}. It is in memory only; Greenhouse tries again.`
    const message = `Failed to save the state: ${why}`
    greenhouse.setFilesState({ unsaved: { file, path: [], message } })
    printError(terminal, `Failed to ${purposeOf(file)}: ${why}\n`)
  }
  /** Returns whether the file has the state. */
  const save = (): boolean => {
    cancel?.()
    cancel = undefined
    const hadFailed = nextPause > pause
    try {
      write()
    } catch (error) {
      nextPause = Math.min(nextPause * 2, longestPause)
      cancel = afterIfAlive(nextPause, save)
      if (!hadFailed) report(error)
      return false
    }
    nextPause = pause
    if (hadFailed) {
      greenhouse.setFilesState({ unsaved: undefined })
      printError(terminal, `Saved the state in ${file} again.\n`)
    }
    return true
  }
  withReason(purposeOf(file), write)
  const end = greenhouse.changes.observe((change) => {
    if (change.type === 'problems' || ('world' in change && change.world !== 'default')) return
    cancel ??= afterIfAlive(nextPause, save)
  })
  return {
    save,
    /** Writes what is not written yet, for the last time, as `save` does. */
    end() {
      if (cancel) save()
      end()
      cancel?.()
      close()
      return cancel === undefined
    },
  }
}

function purposeOf(file: string): string {
  return `save the state in ${file}`
}

function stampOf(file: string): string {
  const { ino, size, mtimeMs } = statSync(file)
  return `${ino} ${size} ${mtimeMs}`
}

/**
 * A file of a process that has ended, or of another machine, is replaced. Where none can be
 * created, there is no lock.
 */
function lockFile(file: string): () => void {
  for (;;) {
    try {
      writeFileSync(file, describeHolder(process.pid), {
        flag: 'wx',
        mode: 0o600,
      })
      return () => {
        try {
          rmSync(file, { force: true })
        } catch {
          // It is out of reach. Its process is about to end, and the next one replaces it.
        }
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        rmSync(file, { force: true })
        return () => {}
      }
    }
    const holder = lstatSync(file).isFile() ? readFileSync(file, 'utf8') : ''
    const id = Number.parseInt(holder)
    if (id > 0 && isRunning(id) && holder === describeHolder(id))
      throw new Error(`process ${id} uses it`)
    unlinkSync(file)
  }
}

/** Identifies a process on this machine, so that a later one with the same id is another one. */
function describeHolder(id: number): string {
  return `${id} ${startTimeOf(id)} ${hostname()}\n`
}

/** Returns the start of a process that has not ended, where the system has it in a file. */
function startTimeOf(id: number): string {
  try {
    // The name of the program, which stands before, may have spaces and parentheses.
    const fields = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').pop()?.split(' ') ?? []
    return fields[0] === 'Z' ? 'ended' : (fields[19] ?? 'unknown')
  } catch {
    return 'unknown'
  }
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch (error) {
    // It belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
