import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  failuresOf,
  type CommandReport,
  reportFiles,
  reportFormats,
  toAnnotations,
  toHtml,
  toMarkdown,
} from '../../output/reports.ts'
import { createFolder, withReason, writeFile } from '../files.ts'
import type { ArgumentsOf } from '../flags/flags.ts'
import type { reportFlags } from '../flags/report.ts'
import { codeAfter, print, printAsIs, printJson, type Terminal } from '../terminal.ts'

interface ReportArguments extends ArgumentsOf<typeof reportFlags> {
  readonly json?: boolean
}

/** Returns the exit code: 1 if something in the report fails the command, otherwise `code`. */
export function printReport(
  terminal: Terminal,
  { report: format, artifacts, json }: ReportArguments,
  report: CommandReport,
  code = 0,
): number {
  if (json) printJson(terminal, report.data)
  else if (format === 'json') printJson(terminal, report.data, true)
  else print(terminal, reportFormats[format](report, terminal.stdout.columns))
  const found = failuresOf(report).length > 0 ? 1 : code
  return codeAfter(terminal, found, () => writeReports(terminal, artifacts, [report]))
}

/**
 * Writes each format into a folder, and one page of all reports; in GitHub Actions also annotations
 * and the step's summary.
 */
export function writeReports(
  { env, stderr }: Terminal,
  folder: string | undefined,
  reports: readonly CommandReport[],
) {
  const { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY: summary } = env
  const isOnGithub = GITHUB_ACTIONS === 'true'
  if (isOnGithub) printAsIs(stderr, reports.map(toAnnotations).join(''))
  const [first] = reports
  if (folder !== undefined && first) {
    createFolder(folder)
    for (const report of reports)
      for (const [ending, write] of Object.entries(reportFiles))
        writeFile(join(folder, `${report.name}.${ending}`), write(report))
    writeFile(join(folder, `${first.name}.html`), toHtml(reports))
  }
  if (isOnGithub && summary)
    withReason(`write ${summary}`, () =>
      appendFileSync(summary, limitSummary(reports.map(toMarkdown).join('\n'))),
    )
}

/** GitHub drops a summary of more than 1 MiB. A character has at most four bytes. */
function limitSummary(text: string): string {
  const longest = 2 ** 18
  if (text.length < longest) return `${text}\n`
  return `${text.slice(0, text.lastIndexOf('\n', longest))}\n\nThe rest is in the files of --artifacts.\n`
}
