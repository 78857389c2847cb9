import { findNode } from '../core/definitions/host.ts'

/** @param failed the start of the message: `Failed to call createHandlers()`. @throws Error if the project's msw, or Node, is too old. */
export function assertMswRuns(failed: string): void {
  const process = findNode()
  if (!process) return
  const { node } = process.versions
  const version = findVersion(process)
  if (version === undefined) return
  if (isBefore(version, 2, 11))
    throw new Error(
      `${failed}: msw ${version} is too old; Greenhouse needs 2.11 or later. Update it: npm i -D msw@latest`,
    )
  // On earlier versions of Node, msw 3 loads, but every request fails with "fetch failed".
  if (isBefore(version, 3, 0) || !isBefore(node, 22, 12)) return
  throw new Error(
    `${failed}: msw ${version} runs on Node 22.12 or later, and this is Node ${node}. Update Node, or install msw 2: npm i -D msw@2`,
  )
}

function isBefore(version: string, major: number, minor: number): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split('.').map(Number)
  return ownMajor < major || (ownMajor === major && ownMinor < minor)
}

/** Returns the version of the project's msw; `undefined` if msw is not found, or hides its version. */
function findVersion(process: NodeJS.Process): string | undefined {
  try {
    const { createRequire } = process.getBuiltinModule('node:module')
    return createRequire(`${process.cwd()}/_.js`)('msw/package.json').version
  } catch {
    return undefined
  }
}
