import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFolders, replaceFile } from '../files/replace-file.ts'
import { toSystemReason, UsageError, type Terminal } from './terminal.ts'
import { toJson } from '../core/http/json.ts'
import type { Case } from '../cases/generated/case.ts'
import type { Additions } from '../custom/definitions.ts'

export function writeFile(file: string, text: string) {
  withReason(`write ${file}`, () => replaceFile(file, text))
}

export function createFolder(folder: string) {
  withReason(`create the folder ${folder}`, () => createFolders(folder))
}

export function createTemporaryFolder(purpose: string): string {
  const folder = tmpdir()
  const what = `create a folder in ${folder}, which the variable ${process.platform === 'win32' ? 'TEMP' : 'TMPDIR'} names`
  return withReason(what, () => fs.mkdtempSync(join(folder, `greenhouse-${purpose}-`)))
}

/**
 * @throws Error that says what failed, and why: `Failed to write a.yaml: no space left on device.`
 */
export function withReason<Result>(what: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw new Error(`Failed to ${what}: ${toSystemReason(error)}.`, { cause: error })
  }
}

export async function readCase(file: string): Promise<Case> {
  const { loadCase } = await import('../files/load.ts')
  try {
    return loadCase(file)
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

/** Returns what the configuration file adds to the areas: a case may depend on it. */
export async function loadAdditions({ config }: Terminal): Promise<Additions> {
  if (config) return (await import('../files/load-config.ts')).toAdditions(config.config)
  return {}
}

export function assertFileName(file: string) {
  if (!/\.(ya?ml|json)$/i.test(file))
    throw new UsageError(
      `${file}: expected a name that ends in .yaml or .json, such as renewal.case.yaml.`,
    )
}

export async function writeCase(file: string, given: Case) {
  const { toCaseText } = await import('../cases/format.ts')
  writeFile(file, /\.json$/i.test(file) ? `${toJson(given)}\n` : toCaseText(given))
}
