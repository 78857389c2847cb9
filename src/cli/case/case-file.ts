import { toJson } from '../../core/http/json.ts'
import { writeFileSync } from 'node:fs'
import type { Case } from '../../greenhouse/case/types.ts'
import type { Additions } from '../../greenhouse/own/definitions.ts'
import { UsageError } from '../errors.ts'
import type { Terminal } from '../terminal.ts'

/** Reads a case. @throws DataError; UsageError if the file can't be read */
export async function readCase(file: string): Promise<Case> {
  const { loadCase } = await import('../../files/load-case.ts')
  try {
    return loadCase(file)
  } catch (error) {
    throw (error as Error).message.startsWith('Failed to read') ? new UsageError((error as Error).message) : error
  }
}

/** Returns what the configuration file adds to the areas: a case may depend on it. */
export async function loadAdditions({ config }: Pick<Terminal, 'config'>): Promise<Additions> {
  return config ? (await import('../../files/load-config.ts')).toAdditions(config.config) : {}
}

/** @throws UsageError for a file that is neither YAML nor JSON. */
export function assertFileName(file: string): void {
  if (!/\.(ya?ml|json)$/i.test(file))
    throw new UsageError(`${file}: expected a name that ends in .yaml or .json, such as renewal.case.yaml.`)
}

/** Writes a case, as JSON if the name ends in `.json`. @throws UsageError if it can't be written. */
export async function writeCase(file: string, given: Case): Promise<void> {
  const { toCaseText } = await import('../../greenhouse/case/text.ts')
  try {
    writeFileSync(file, /\.json$/i.test(file) ? `${toJson(given)}\n` : toCaseText(given))
  } catch (error) {
    throw new UsageError(`Failed to write ${file}: ${(error as Error).message}`)
  }
}
