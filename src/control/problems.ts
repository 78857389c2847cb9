import type { Problem } from '../core/contract/problem.ts'
import { toIso } from '../core/time/time-text.ts'
import type { Greenhouse } from '../api/greenhouse.ts'
import type { FileProblem, FileProblems } from './answers.ts'

const maxShown = 1_000

export function showProblems({ files }: Greenhouse): FileProblems {
  const { unsaved, problems, watching, loadedAt } = files
  const all = unsaved ? [unsaved, ...problems] : problems
  return { data: all.slice(0, maxShown).map(showProblem), watching, loaded_at: toIso(loadedAt) }
}

export function showProblem({ file, line, column, path, message }: Problem): FileProblem {
  const place = path.length === 0 ? '' : `${path.map(String).join('.')}: `
  return { file, line: line ?? null, column: column ?? null, message: place + message }
}
