import { lstatSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const isWindows = process.platform === 'win32'

/**
 * What this system or its user lacks, and why a test that needs it is skipped there:
 * `test.skipIf(lacks.signals)`.
 */
export const lacks = {
  /**
   * Windows ends a process that is sent a signal, which hears nothing of it and has no exit code.
   */
  signals: isWindows,
  /**
   * The shell of Windows, cmd, has a language of its own; programs that are scripts of sh do not
   * start there.
   */
  sh: isWindows,
  /** Everyone may read and write a file on Windows, whatever mode it is given. */
  modes: isWindows,
  /** A folder whose mode takes no files takes them from root, and from everyone on Windows. */
  closedFolders: isWindows || process.getuid?.() === 0,
  /** Names of files have no control characters on Windows. */
  oddNames: isWindows,
  /** Windows makes links only for some users, and Wine makes none. */
  links: isWindows && !makesLinks(),
}

/**
 * The rows of a table that can be tried here: where no links can be made, those whose name has
 * none.
 */
export function possible<Row extends readonly [string, ...unknown[]]>(rows: readonly Row[]): Row[] {
  return rows.filter(([name]) => !lacks.links || !/\blink\b/.test(name))
}

function makesLinks(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'greenhouse-'))
  try {
    symlinkSync('target', join(folder, 'link'))
    // Wine says that it has made one.
    return lstatSync(join(folder, 'link')).isSymbolicLink()
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true })
  }
}
