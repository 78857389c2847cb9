import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DataError, type Problem } from '../core/definitions/problem.ts'
import { toReason } from '../core/definitions/reason.ts'
import { findConfigProblems } from '../greenhouse/config/check.ts'
import type { GreenhouseConfig } from '../greenhouse/config/types.ts'
import { adviseOnTypeScript, importConfig, type ImportAgain } from './import-config.ts'
import { toShownPath } from './shown-path.ts'
import { parseYamlBytes } from './yaml.ts'

/** A configuration file whose settings are checked. The files that it names are not read yet. */
export interface ConfigFile {
  readonly file: string
  readonly config: GreenhouseConfig
  refuse(problems: readonly Problem[]): DataError
}

const paths = ['fixtures', 'scenarios', 'assumptions', 'case', 'handlers', 'state'] as const

export async function readConfig(file: string, again?: ImportAgain): Promise<ConfigFile> {
  const shown = toShownPath(file)
  const { data, problems, locate } = /\.(json|ya?ml)$/.test(file)
    ? parseYamlBytes(shown, readFileSync(file))
    : await readModule(file, shown, again)
  const refuse = (found: readonly Problem[]) => new DataError(`the configuration ${shown}`, found)
  const config = data ?? {}
  const wrong = problems.length > 0 ? problems : findConfigProblems(shown, config).map(locate)
  if (wrong.length > 0) throw refuse(wrong)
  const own = config as GreenhouseConfig
  const absolute = paths.flatMap((name) => {
    const value = own[name]
    return typeof value === 'string' ? [[name, resolve(dirname(file), value)]] : []
  })
  return {
    file,
    config: { ...own, ...Object.fromEntries(absolute) },
    refuse: (found) => refuse(found.map((problem) => locate({ ...problem, file: shown }))),
  }
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
    return data === undefined || data === null
      ? fail('expected a default export: export default defineConfig({ port: 4100 })')
      : { data, problems: [], locate }
  } catch (error) {
    const advice = adviseOnTypeScript(file)
    const message = toMessage(error)
    return fail(advice === '' ? message : `${advice} (${message})`, findPlace(file, error))
  }
}

/**
 * Returns the first line of an error's message. Under Jest, errors come from another realm: `instanceof Error` is
 * false.
 */
function toMessage(error: unknown): string {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  if (code === 'ERR_REQUIRE_ASYNC_MODULE') return 'expected no await outside of functions'
  return (typeof message === 'string' ? message : toReason(error)).trim().split('\n')[0]!
}

/** Finds the line and the column of an error in a file. Node does not report that for a syntax error in an ES module. */
function findPlace(file: string, error: unknown): object | undefined {
  const stack = String((error as { stack?: unknown } | null)?.stack)
  if (placeIn(stack, file) || !/^SyntaxError/m.test(stack)) return placeIn(stack, file)
  return placeIn(spawnSync(process.execPath, ['--check', file], { encoding: 'utf8' }).stderr, file)
}

/** Finds `file:3:8`, or `file:3` above a line with a caret. */
function placeIn(text: string, file: string): object | undefined {
  for (const name of [pathToFileURL(file).href, file]) {
    const start = text.indexOf(name)
    const [, line, column, below = ''] =
      /^(?:\?\d+)?:(\d+)(?::(\d+))?([^]*)/.exec(text.slice(start + name.length)) ?? []
    if (start < 0 || line === undefined) continue
    const caret = /^( *)\^/m.exec(below)?.[1]?.length ?? 0
    return { line: Number(line), column: column === undefined ? caret + 1 : Math.max(1, Number(column)) }
  }
  return undefined
}
