/** The part of Node's `process` that is used here; pages do not have it. */
interface NodeProcess {
  readonly versions?: { readonly node?: string }
  cwd(): string
  getBuiltinModule?(name: 'node:module'): { createRequire(file: string): (name: string) => { version: string } }
}

/** The first Node version that msw 3 supports. On earlier versions msw loads, but every request fails with "fetch failed". */
const needed = { major: 22, minor: 12 }

/** @param failed the start of the message: `Failed to call createHandlers()`. @throws Error if the project's msw, or Node, is too old. */
export function assertMswRuns(failed: string): void {
  const { process } = globalThis as { process?: NodeProcess }
  const node = process?.versions?.node
  if (node === undefined || typeof process?.getBuiltinModule !== 'function') return
  const version = findVersion(process)
  if (version === undefined) return
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major < 2 || (major === 2 && minor < 11))
    throw new Error(
      `${failed}: msw ${version} is too old; Greenhouse needs 2.11 or later. Update it: npm i -D msw@latest`,
    )
  if (major < 3 || !isOlder(node)) return
  throw new Error(
    `${failed}: msw ${version} runs on Node ${needed.major}.${needed.minor} or later, and this is Node ${node}. Update Node, or install msw 2: npm i -D msw@2`,
  )
}

function isOlder(node: string): boolean {
  const [major = 0, minor = 0] = node.split('.').map(Number)
  return major < needed.major || (major === needed.major && minor < needed.minor)
}

/** Returns the version of the project's msw; `undefined` if msw is not found, or hides its version. */
function findVersion(process: NodeProcess): string | undefined {
  try {
    return process.getBuiltinModule!('node:module').createRequire(`${process.cwd()}/_.js`)('msw/package.json').version
  } catch {
    return undefined
  }
}
