import { readFileSync } from 'node:fs'
import type { Module } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isObject } from '../core/contract/options.ts'
import { toReason } from '../core/contract/errors.ts'
import { DataError, type Problem } from '../core/contract/problem.ts'
import { section } from '../core/store/options.ts'
import { readBySchema } from '../core/store/validation-message.ts'
import { configSchemas, isSection } from '../api/config/settings.ts'
import type { GreenhouseConfig } from '../api/config/types.ts'
import { toShownPath } from './find-config.ts'
import { parseYamlBytes } from './yaml.ts'
import type { Fields } from '../core/text/values.ts'

/** A configuration file whose settings are checked. The files that it names are not read yet. */
export interface ConfigFile {
  readonly file: string
  readonly config: GreenhouseConfig
  toError(problems: readonly Problem[]): DataError
}

const paths =
  'fixtures scenarios assumptions case handlers state proxy.ca proxy.record tls.cert tls.key'.split(
    ' ',
  )

export async function readConfig(file: string, again?: ImportAgain): Promise<ConfigFile> {
  const shown = toShownPath(file)
  const { data, problems, locate } = /\.(json|ya?ml)$/.test(file)
    ? parseYamlBytes(shown, readFileSync(file))
    : await readModule(file, shown, again)
  const toError = (found: readonly Problem[]) => new DataError(`the configuration ${shown}`, found)
  const config = isObject(data) ? withoutSchema(data) : (data ?? {})
  const wrong = problems.length > 0 ? problems : findConfigProblems(shown, config).map(locate)
  if (wrong.length > 0) throw toError(wrong)
  const own = config as GreenhouseConfig
  return {
    file,
    config: withAbsolutePaths(own, dirname(file)),
    toError: (found) =>
      toError(
        found.map((problem) =>
          locate({
            ...problem,
            file: shown,
          }),
        ),
      ),
  }
}

/** Leaves out the name of the schema, which is for editors. */
function withoutSchema({ $schema: _, ...settings }: Fields): object {
  return settings
}

function withAbsolutePaths<Settings extends object>(
  settings: Settings,
  folder: string,
  above = '',
): Settings {
  const toAbsolute = ([name, value]: [string, unknown]) => {
    if (isSection(name)) return [name, value && withAbsolutePaths(value, folder, `${name}.`)]
    const isPath =
      paths.includes(above + name) && typeof value === 'string' && !value.includes('-----BEGIN')
    return [name, isPath ? resolve(folder, value) : value]
  }
  return Object.fromEntries(Object.entries(settings).map(toAbsolute)) as Settings
}

async function readModule(file: string, shown: string, again: ImportAgain | undefined) {
  const locate = (problem: Problem) => problem
  const fail = (message: string, place?: object) => ({
    data: undefined,
    problems: [{ file: shown, path: [], message, ...place }],
    locate,
  })
  try {
    const data = await importConfig(file, again)
    if (data === undefined || data === null)
      return fail('expected a default export: export default defineConfig({ port: 4100 })')
    return {
      data,
      problems: [],
      locate,
    }
  } catch (error) {
    const advice = adviseOnTypeScript(file, error)
    const message = explainLoadError(error)
    return fail(advice === '' ? message : `${advice} (${message})`, findPosition(error, file))
  }
}

/**
 * Returns the first line of an error's message. Under Jest, errors come from another realm:
 * `instanceof Error` is false.
 */
function explainLoadError(error: unknown): string {
  const { code, message } = (error ?? {}) as {
    code?: unknown
    message?: unknown
  }
  if (code === 'ERR_REQUIRE_ASYNC_MODULE') return 'expected no await outside of functions'
  const text = typeof message === 'string' ? message : toReason(error)
  return text.trim().replace(/\n.*/s, '')
}

/** Finds where an error was thrown in a file: Node's stack of a syntax error has no such place. */
function findPosition(error: unknown, file: string): object | undefined {
  const stack = String((error as { stack?: unknown } | null)?.stack)
  for (const name of [pathToFileURL(file).href, file]) {
    const start = stack.indexOf(name)
    const [, line, column] = /^(?:\?\d+)?:(\d+):(\d+)/.exec(stack.slice(start + name.length)) ?? []
    if (start >= 0 && line !== undefined)
      return {
        line: Number(line),
        column: Number(column),
      }
  }
  return undefined
}

function findConfigProblems(file: string, config: unknown): Problem[] {
  const schema = section(configSchemas, 'an object of settings, such as { port: 4100 }')
  return readBySchema(schema, config, 'config').findings.map((finding) => ({ file, ...finding }))
}

type ImportAgain = (url: string) => Promise<unknown>

interface Jiti {
  createJiti(from: string, options: object): { import(file: string): Promise<unknown> }
}

let imports = 0

/**
 * Imports a module and returns its default export. Uses Node's own `require`, which loads every
 * kind of module, even under test runners without `import()`. Node before 22.18 needs jiti for
 * TypeScript.
 * @param again for a module that was imported before. @throws whatever the module throws
 */
async function importConfig(file: string, again?: ImportAgain): Promise<unknown> {
  const { createRequire } = findModule()
  // Node warns when ES modules are required, except from this folder.
  const require = createRequire(join(dirname(file), 'node_modules', '_.js'))
  const jiti = needsJiti(file) ? findJiti(file) : undefined
  if (jiti)
    return toDefault(
      await jiti
        .createJiti(file, {
          moduleCache: again === undefined,
          fsCache: false,
        })
        .import(file),
    )
  if (again) {
    delete require.cache[file]
    return toDefault(await again(`${pathToFileURL(file).href}?${++imports}`))
  }
  return toDefault(require(file))
}

function findJiti(file: string): Jiti | undefined {
  for (const place of [file, import.meta.url])
    try {
      const jiti = findModule().createRequire(place)('jiti') as Jiti
      // jiti 1, which other tools install, has another interface.
      if ('createJiti' in jiti) return jiti
    } catch {
      // It is not installed there.
    }
  return undefined
}

/**
 * Returns Node's own `Module`. Under Jest, `node:module` has a subclass, whose `require` loads
 * files as tests.
 */
function findModule(): typeof Module {
  const { Module: own } = process.getBuiltinModule('node:module')
  const above = Object.getPrototypeOf(own) as Partial<typeof Module>
  if (typeof above.createRequire === 'function') return above as typeof Module
  return own
}

/**
 * Returns what to do if Node failed to read the types of a file: any other error is of what the
 * file says.
 */
function adviseOnTypeScript(file: string, error: unknown): string {
  const { name, code } = (error ?? {}) as {
    name?: unknown
    code?: unknown
  }
  const isOfTypes = name === 'SyntaxError' || code === 'ERR_UNKNOWN_FILE_EXTENSION'
  if (isOfTypes && needsJiti(file) && !findJiti(file))
    return `Node ${process.versions.node} does not read TypeScript: install jiti 2 or later (npm i -D jiti@latest), use Node 22.18 or later, or write greenhouse.config.mjs.`
  return ''
}

/** Returns whether a file is TypeScript, and this Node does not read it. */
function needsJiti(file: string): boolean {
  return /\.[cm]?ts$/.test(file) && !(process.features as { typescript?: unknown }).typescript
}

function toDefault(module: unknown): unknown {
  const isModule = Object.prototype.toString.call(module) === '[object Module]' || isMarked(module)
  if (!isModule) return module
  const value = (module as { default?: unknown }).default
  // The module is CommonJS made from an ES module.
  if (isMarked(value)) return (value as { default?: unknown }).default
  return value
}

function isMarked(value: unknown): boolean {
  return typeof value === 'object' && value !== null && '__esModule' in value
}
