import { codedError } from '../core/text/error-codes.ts'
import { existsSync, lstatSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const names = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs', 'json', 'yaml', 'yml'].map(
  (end) => `greenhouse.config.${end}`,
)

/** The files that mark the root folder of a project or a workspace. The search ends there. */
const roots = ['package.json', '.git', 'pnpm-workspace.yaml', 'nx.json']

/**
 * Finds the configuration file: the named one, or that of the folder, or of the nearest folder
 * above it in the same project. `none` means no file. @param named a path; `undefined` or empty for
 * a search. @throws Error if it does not exist, if a folder has two, or if a search finds that of
 * another user.
 */
export function findConfig(named: string | undefined, folder: string): string | undefined {
  if (named === 'none') return undefined
  if (named) {
    const file = resolve(folder, named)
    if (isFile(file)) return file
    throw codedError(
      'GREENHOUSE_INVALID_FILE',
      `Failed to read the configuration "${named}": there is no such file.`,
    )
  }
  for (let at = resolve(folder); ; at = dirname(at)) {
    const [found, second] = names.map((name) => join(at, name)).filter(isFile)
    if (second !== undefined)
      throw codedError(
        'GREENHOUSE_INVALID_FILE',
        `Found two configuration files, ${found} and ${second}. Keep one, or name one with --config.`,
      )
    if (found !== undefined && !isOwn(found))
      throw codedError(
        'GREENHOUSE_INVALID_FILE',
        `Found the configuration ${found}, which another user owns. It is not read, because it can run code as you. Name it with --config or GREENHOUSE_CONFIG if you trust it, or ignore it with --config none.`,
      )
    const isRoot = at === dirname(at) || roots.some((name) => existsSync(join(at, name)))
    if (found !== undefined || isRoot) return found
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

/**
 * Returns whether a file, and a link to it, belong to this user, or to root, who can run code as
 * this user anyway. Windows has no numbers of users.
 */
function isOwn(path: string): boolean {
  const trusted = [process.getuid?.(), 0, Number(process.env['SUDO_UID'])]
  return [statSync(path), lstatSync(path)].every(({ uid }) => trusted.includes(uid))
}

export function toShownPath(path: string): string {
  const below = relative(process.cwd(), path)
  return below.startsWith('..') ? path : below
}
