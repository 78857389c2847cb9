import type { Module } from 'node:module'
import { pathToFileURL } from 'node:url'
import { dirname, join } from 'node:path'

export type ImportAgain = (url: string) => Promise<unknown>

interface Jiti {
  createJiti(from: string, options: object): { import(file: string): Promise<unknown> }
}

let imports = 0

/**
 * Imports a module and returns its default export. Uses Node's own `require`, which loads every kind of module, even
 * under test runners without `import()`. Node before 22.18 needs jiti for TypeScript.
 * @param again for a module that was imported before. @throws whatever the module throws
 */
export async function importConfig(file: string, again?: ImportAgain): Promise<unknown> {
  const { createRequire } = findModule()
  // Node warns when ES modules are required, except from this folder.
  const require = createRequire(join(dirname(file), 'node_modules', '_.js'))
  const jiti = isTypeScript(file) && !readsTypeScript() ? findJiti([file, import.meta.url]) : undefined
  if (jiti)
    return toDefault(await jiti.createJiti(file, { moduleCache: again === undefined, fsCache: false }).import(file))
  if (again) {
    delete require.cache[file]
    return toDefault(await again(`${pathToFileURL(file).href}?${++imports}`))
  }
  return toDefault(require(file))
}

function findJiti(places: readonly string[]): Jiti | undefined {
  for (const place of places)
    try {
      const jiti = findModule().createRequire(place)('jiti') as Jiti
      // jiti 1, which other tools install, has another interface.
      if ('createJiti' in jiti) return jiti
    } catch {
      // It is not installed there.
    }
  return undefined
}

/** Returns Node's own `Module`. Under Jest, `node:module` has a subclass, whose `require` loads files as tests. */
function findModule(): Pick<typeof Module, 'createRequire'> {
  const { Module: own } = process.getBuiltinModule('node:module')
  const above = Object.getPrototypeOf(own) as Partial<typeof Module>
  return typeof above.createRequire === 'function' ? (above as typeof Module) : own
}

export function adviseOnTypeScript(file: string): string {
  return isTypeScript(file) && !readsTypeScript() && !findJiti([file, import.meta.url])
    ? `Node ${process.versions.node} does not read TypeScript: install jiti 2 or later (npm i -D jiti@latest), use Node 22.18 or later, or write greenhouse.config.mjs.`
    : ''
}

function isTypeScript(file: string): boolean {
  return /\.[cm]?ts$/.test(file)
}

function readsTypeScript(): boolean {
  return Boolean((process.features as { typescript?: unknown }).typescript)
}

function toDefault(module: unknown): unknown {
  const isModule = Object.prototype.toString.call(module) === '[object Module]' || isMarked(module)
  if (!isModule) return module
  const value = (module as { default?: unknown }).default
  // The module is CommonJS made from an ES module.
  return isMarked(value) ? (value as { default?: unknown }).default : value
}

function isMarked(value: unknown): boolean {
  return typeof value === 'object' && value !== null && '__esModule' in value
}
