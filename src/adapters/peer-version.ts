import { codedError } from '../core/text/error-codes.ts'
import { findNode } from '../core/contract/platform.ts'

/**
 * @param user what needs msw: `greenhouse-mock/msw`. @throws Error if the project's msw is too old,
 * or needs another Node.
 */
export function assertMswRuns(user: string): void {
  const version = assertPeer(user, 'msw', '2.11')
  const node = findNode()?.versions.node
  // On earlier versions of Node, msw 3 loads, but every request fails with "fetch failed".
  if (
    version === undefined ||
    node === undefined ||
    isBefore(version, '3.0') ||
    !isBefore(node, '22.12')
  )
    return
  throw codedError(
    'GREENHOUSE_UNSUPPORTED_HOST',
    `${user} can't use msw ${version}: it runs on Node 22.12 or later, and this is Node ${node}. Update Node, or install msw 2: npm i -D msw@2`,
  )
}

/**
 * Returns the version of an optional peer; `undefined` if it is not found, or hides its version.
 * package.json allows every version: with a range, npm refuses to install Greenhouse next to an old
 * one, also for those who do not use it.
 * @param user what needs it. @param from a file of the project, or the URL of one. @throws Error if
 * it is too old.
 */
export function assertPeer(
  user: string,
  name: string,
  oldest: string,
  from?: string,
): string | undefined {
  const version = findVersion(name, from)
  if (version === undefined || !isBefore(version, oldest)) return version
  throw codedError(
    'GREENHOUSE_UNSUPPORTED_HOST',
    `${user} needs ${name} ${oldest} or later, but ${version} is installed. Update it: npm i -D ${name}@latest`,
  )
}

/** Compares majors and minors. A collator for numbers would take 6 ms to load. */
function isBefore(version: string, other: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [otherMajor = 0, otherMinor = 0] = other.split('.').map(Number)
  return (major - otherMajor || minor - otherMinor) < 0
}

function findVersion(name: string, from: string | undefined): string | undefined {
  const process = findNode()
  if (!process) return undefined
  try {
    const { createRequire } = process.getBuiltinModule('node:module')
    return createRequire(from ?? `${process.cwd()}/_.js`)(`${name}/package.json`).version
  } catch {
    return undefined
  }
}
