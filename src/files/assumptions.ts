import { readFileSync } from 'node:fs'
import { isObject } from '../core/contract/options.ts'
import { DataError, type Problem } from '../core/contract/problem.ts'
import { assumptionRegistry } from '../api/assembly/catalogue.ts'
import { parseYamlBytes } from './yaml.ts'

export function loadAssumptions(file: string): Record<string, string> {
  const parsed = parseYamlBytes(file, readBytes(file))
  const { data } = parsed
  const problems: Problem[] = [...parsed.problems]
  const choices: Record<string, string> = {}
  const addProblem = (path: string[], message: string) => problems.push(parsed.locate({ file, path, message }))
  if (problems.length === 0 && data !== null) {
    if (!isObject(data)) addProblem([], 'expected assumptions by id, such as plants.delete.unknown: 204')
    else
      for (const [id, value] of Object.entries(data)) {
        try {
          choices[id] = assumptionRegistry.check(id, typeof value === 'number' ? String(value) : value)
        } catch (error) {
          addProblem([id], (error as Error).message)
        }
      }
  }
  if (problems.length > 0) throw new DataError(`the assumptions in ${file}`, problems)
  return choices
}

function readBytes(file: string): Uint8Array {
  try {
    return readFileSync(file)
  } catch (cause) {
    throw new Error(`Failed to read the file "${file}": ${(cause as Error).message}.`, { cause })
  }
}
