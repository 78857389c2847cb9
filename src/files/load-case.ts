import { readFileSync } from 'node:fs'
import { withCallerStack, checkArgument, text } from '../core/contract/options.ts'
import { DataError } from '../core/contract/problem.ts'
import { findCaseProblems } from '../cases/format.ts'
import type { Case } from '../cases/generated/case.ts'
import { parseYamlBytes } from './yaml.ts'

const casePath = text('the path of a case, such as "./renewal.case.yaml"')

/**
 * Reads a case from a YAML or JSON file, and checks it.
 * @example const { differences } = await replayCase(loadCase('./renewal.case.yaml'))
 * @throws DataError with the file, line and column of every problem; Error if the file can't be read.
 */
export function loadCase(file: string): Case {
  return withCallerStack(loadCase, () => readCase(file))
}

function readCase(file: string): Case {
  checkArgument('loadCase', 'the first argument', file, casePath)
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (cause) {
    throw new Error(`Failed to read the case "${file}": ${(cause as Error).message}`, { cause })
  }
  const parsed = parseYamlBytes(file, bytes)
  const problems = parsed.problems.length > 0 ? parsed.problems : findCaseProblems(file, parsed.data).map(parsed.locate)
  if (problems.length > 0) throw new DataError(`the case in ${file}`, problems)
  return parsed.data as Case
}
