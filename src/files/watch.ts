import type { ReloadOptions } from '../api/options.ts'
import { withCallerStack } from '../core/contract/options.ts'
import { callback, checkOptions, type SchemasOf, text } from '../core/store/options.ts'
import { statSync, watch, type FSWatcher } from 'node:fs'
import { DataError, type Problem } from '../core/contract/problem.ts'
import { callSafely, toReason } from '../core/contract/errors.ts'
import { assertGreenhouse } from '../api/options.ts'
import type { Greenhouse } from '../api/greenhouse.ts'
import { afterIfAlive, systemNow } from '../core/time/clock.ts'
import { clearTimeout, setTimeout } from '../core/time/system-time.ts'
import type { Unchanged } from '../core/world/world-template.ts'
import { readFixtures, readScenarios } from './load.ts'

/** The folders to watch, and the function to call. */
export interface WatchOptions {
  fixtures?: string | undefined
  scenarios?: string | undefined
  /** Called after every reload, with what the reload did not change: see `greenhouse.reload`. */
  onReload?: ((unchanged: Unchanged) => void) | undefined
  /**
   * Called when a reload fails, with a `DataError` when files are wrong. Greenhouse keeps the data
   * that it loaded last.
   */
  onError?: ((error: unknown) => void) | undefined
}

const schemas: SchemasOf<WatchOptions> = {
  fixtures: text('the path of a folder'),
  scenarios: text('the path of a folder'),
  onReload: callback('a function'),
  onError: callback('a function'),
}

/**
 * The time that a folder must be quiet before it is read, in milliseconds: an editor saves in
 * several steps.
 */
const quietTime = 60

/** The longest time that a busy folder goes unread, in milliseconds. */
const maxUnreadTime = 1_000

/** The interval of checks for a replaced folder, in milliseconds. */
const checkInterval = 250

/**
 * Reloads fixtures and scenarios when a file in their folders changes. It reads and checks all
 * files first, then replaces everything in one step. `close` stops watching.
 * @example watchFolders(greenhouse, { fixtures: './fixtures', onError: console.error })
 * @throws Error when a folder can't be watched; TypeError for a wrong option.
 */
export function watchFolders(greenhouse: Greenhouse, options: WatchOptions): { close(): void } {
  return withCallerStack(watchFolders, () => startWatching(greenhouse, options))
}

function startWatching(greenhouse: Greenhouse, options: WatchOptions): { close(): void } {
  assertGreenhouse('watchFolders', greenhouse)
  checkOptions('watchFolders', options, schemas)
  const { fixtures, scenarios, onReload, onError } = options
  // Failed parts stay due, so a mistake in one folder does not lose a change in the other.
  const due = {
    fixtures: false,
    scenarios: false,
  }
  let timer: NodeJS.Timeout | undefined
  let deadline: NodeJS.Timeout | undefined
  const stopTimers = () => {
    clearTimeout(timer)
    clearTimeout(deadline)
    deadline = undefined
  }
  const reload = () => {
    stopTimers()
    // A file that changes while files are read is due again.
    const read = { ...due }
    due.fixtures = due.scenarios = false
    try {
      const changes: ReloadOptions = {}
      if (fixtures !== undefined && read.fixtures)
        changes.fixtures = readFixtures(fixtures, greenhouse.catalogue)
      if (scenarios !== undefined && read.scenarios)
        changes.scenarios = readScenarios(scenarios, greenhouse.catalogue)
      const unchanged = greenhouse.reload(changes)
      greenhouse.setFilesState({
        problems: [],
        loadedAt: systemNow(),
      })
      callSafely(callbackFailed, () => onReload?.(unchanged))
    } catch (error) {
      due.fixtures ||= read.fixtures
      due.scenarios ||= read.scenarios
      const folder = (due.fixtures ? fixtures : scenarios) ?? ''
      greenhouse.setFilesState({
        problems: problemsOf(error, folder),
        loadedAt: systemNow(),
      })
      callSafely(callbackFailed, () => onError?.(error))
    }
  }
  const closers = (['fixtures', 'scenarios'] as const).flatMap((kind) => {
    const folder = { fixtures, scenarios }[kind]
    if (folder === undefined) return []
    const changed = () => {
      due[kind] = true
      clearTimeout(timer)
      timer = setTimeout(reload, quietTime)
      deadline ??= setTimeout(reload, maxUnreadTime)
    }
    return [watchFolder(folder, changed)]
  })
  greenhouse.setFilesState({ watching: true })
  return {
    close() {
      greenhouse.setFilesState({ watching: false })
      for (const close of closers) close()
      stopTimers()
    },
  }
}

/**
 * Returns the problems that an error is about. @param path the path of what was read, for an error
 * that is not about the files in it
 */
export function problemsOf(error: unknown, path: string): readonly Problem[] {
  if (error instanceof DataError) return error.problems
  return [{ file: path, path: [], message: toReason(error) }]
}

const callbackFailed = 'A callback of watchFolders failed:'

/**
 * Watches the folder, not its files: editors save by replacing files. It notices when another
 * folder or link gets the path. Returns a function that stops watching.
 */
export function watchFolder(folder: string, changed: (name?: string | null) => void): () => void {
  let watcher: FSWatcher
  let inode = open()
  let stopTimer = afterIfAlive(checkInterval, check)
  return () => {
    stopTimer()
    watcher.close()
  }

  function open(): number {
    // No folder has the inode -1, so the next check opens the folder again.
    watcher = watch(folder, (_event, name) => changed(name)).on('error', () => (inode = -1))
    return statSync(folder).ino
  }

  function check() {
    stopTimer = afterIfAlive(checkInterval, check)
    try {
      if (statSync(folder).ino === inode) return
      watcher.close()
      inode = open()
    } catch {
      // 0 stands for a folder that is missing. That is one change, and its return is another.
      if (inode === 0) return
      inode = 0
    }
    changed()
  }
}
