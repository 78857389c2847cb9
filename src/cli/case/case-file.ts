import { toJson } from '../../core/http/json.ts'
import type { Case } from '../../cases/generated/case.ts'
import type { Additions } from '../../custom/definitions.ts'
import { UsageError, type Terminal } from '../terminal.ts'
import { writeFile } from '../output/write-file.ts'

export async function readCase(file: string): Promise<Case> {
  const { loadCase } = await import('../../files/load.ts')
  try {
    return loadCase(file)
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

/** Returns what the configuration file adds to the areas: a case may depend on it. */
export async function loadAdditions({ config }: Pick<Terminal, 'config'>): Promise<Additions> {
  return config ? (await import('../../files/load-config.ts')).toAdditions(config.config) : {}
}

export function assertFileName(file: string): void {
  if (!/\.(ya?ml|json)$/i.test(file))
    throw new UsageError(`${file}: expected a name that ends in .yaml or .json, such as renewal.case.yaml.`)
}

export async function writeCase(file: string, given: Case): Promise<void> {
  const { toCaseText } = await import('../../cases/text.ts')
  writeFile(file, /\.json$/i.test(file) ? `${toJson(given)}\n` : toCaseText(given))
}
