import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../../core/contract/options.ts'
import { mergeCounts, toCoverage } from '../../evidence/coverage.ts'
import { mergeCards, type ReportCard } from '../../evidence/report-card.ts'
import { type BrokenContract, createViolationList } from '../../evidence/violations.ts'
import { defineCommand } from '../command.ts'
import { coverageFlags } from '../evidence/evidence-run.ts'
import { readWanted, toVerdict } from '../evidence/gates.ts'
import { withReason } from '../files.ts'
import { withUsageErrors } from '../flags/flags.ts'
import { gateFlags } from '../flags/gates.ts'
import { assertPassed, codeAfter, print, UsageError } from '../terminal.ts'

const mergeCommand = defineCommand({
  command: 'merge <folders..>',
  describe: 'Add up what the shards of a test suite have seen, and judge all of it',
  positionals: {
    folders: 'What each shard wrote with run --coverage --report-card --artifacts DIR',
  },
  flags: gateFlags,
  config: 'unused',
  examples: [
    [
      'coverage merge shard-1 shard-2 --min-coverage 50',
      'Exit with 3 if the shards saw less together',
    ],
  ],
  run({ folders, ...args }, terminal) {
    const wanted = readWanted({
      ...args,
      coverage: true,
    })
    const read = <Report>(name: string, field: string, isNeeded: boolean) =>
      folders.flatMap(
        (folder) => readReport<Report>(join(folder, `${name}.json`), field, isNeeded) ?? [],
      )
    const counts = mergeCounts(
      read<{ counts: Record<string, number> }>('coverage', 'counts', true).map((one) => one.counts),
    )
    const seen = Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
    const violations = createViolationList()
    for (const { ways } of read<{ ways: BrokenContract[] }>(
      'violations',
      'ways',
      wanted.violations,
    ))
      ways.forEach(violations.add)
    const found = {
      coverage: withUsageErrors(
        () => toCoverage(Object.keys(counts), seen, args.coverageIgnore, args.coverageOnly),
        coverageFlags,
      ),
      card: mergeCards(read<ReportCard>('report-card', 'rules', wanted.card)),
      violations: violations.all(),
    }
    const verdict = toVerdict(
      found,
      {
        ...args,
        coverage: true,
      },
      terminal,
    )
    print(terminal, verdict.text)
    assertPassed(codeAfter(terminal, verdict.code, verdict.write))
  },
})

function readReport<Report>(file: string, field: string, isNeeded: boolean): Report | undefined {
  if (!isNeeded && !existsSync(file)) return undefined
  const text = withReason(`read ${file}`, () => readFileSync(file, 'utf8'))
  try {
    const data: unknown = JSON.parse(text)
    if (isObject(data) && typeof data[field] === 'object' && data[field]) return data as Report
  } catch {
    // The message below says what to do.
  }
  throw new UsageError(`${file}: expected a report that run --artifacts DIR wrote.`)
}

export const coverageCommand = defineCommand({
  command: 'coverage',
  describe: 'Add up the coverage of several runs',
  subcommands: [mergeCommand],
})
