import { readValue, withVariables } from '../../api/config/flag.ts'
import { folder } from '../../api/config/settings.ts'
import { oneOf, text } from '../../core/store/options.ts'
import { violationRules } from '../../core/journal/violation.ts'
import { cardRuleNames } from '../../evidence/report-card.ts'
import type { ArgumentsOf, Flags } from './flags.ts'

const cells = text(
  "operations or cells of the coverage, with * for any characters, such as 'apps.*' or '*/413'",
)

/**
 * What evidence to print and to write, and what of it fails a run: of `run`, and of `coverage
 * merge`.
 */
export const gateFlags = withVariables({
  artifacts: {
    value: folder,
    describe:
      'Folder for the reports in every format; with run, also for a case of each world that got requests',
  },
  coverage: {
    isOn: false,
    describe: 'Print which failures the command has seen, and the tests that add most',
  },
  'min-coverage': {
    value: readValue('a percentage from 0 to 100, such as 80', (given) => {
      if (/^\d{1,3}(\.\d+)?$/.test(given) && Number(given) <= 100) return Number(given)
      return undefined
    }),
    describe: 'Exit with 3 when it has seen less than this, in percent',
  },
  'coverage-only': {
    each: cells,
    describe: 'Operations or cells of the coverage that count: ids or globs',
  },
  'coverage-ignore': {
    each: cells,
    describe: 'Operations or cells of the coverage that do not count',
  },
  'report-card': {
    isOn: false,
    describe: 'Print how the client behaves: retries, keys, pages, streams',
  },
  'fail-on': {
    each: oneOf(['failed', 'violations', ...cardRuleNames]),
    describe:
      'Exit with 4 when this rule of the report card failed, or any (failed), or a request breaks the contract (violations)',
  },
  'fail-on-violations': {
    isOn: false,
    describe: 'Like --fail-on violations',
  },
  'ignore-rule': {
    each: oneOf(cardRuleNames),
    describe: 'Rule of the report card that --fail-on failed ignores',
  },
  'ignore-violation': {
    each: oneOf(violationRules),
    describe: 'Rule of the contract that --fail-on violations ignores',
  },
} satisfies Flags)

export type GateArguments = ArgumentsOf<typeof gateFlags>
