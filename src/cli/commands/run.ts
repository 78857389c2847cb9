import { oneOf, readValue, textValue } from '../../api/config/flag-value.ts'
import { folder } from '../../api/config/settings.ts'
import { toOutline } from '../../core/journal/journal-entry.ts'
import type { JournalRecord } from '../../core/journal/journal-record.ts'
import { type Violation, type ViolationRule, violationRules } from '../../core/journal/violation.ts'
import { countOf, toVisible } from '../../core/text/messages.ts'
import { join } from 'node:path'
import type { World } from '../../api/world.ts'
import { createFolder, writeFile } from '../files.ts'
import { defineCommand } from '../command.ts'
import { startCommand, toCommandEnvironment } from '../process/run-command.ts'
import { shutDown } from '../process/shutdown.ts'
import { codeAfter, exitCode, reportError, runCodes, printError, type Terminal } from '../terminal.ts'
import { logRequests } from '../output/request-log.ts'
import { type ArgumentsOf, type Flags, servingFlags, variablesEpilogue } from '../flags/flags.ts'
import { startServing } from './start-serving.ts'
import type { EvidenceReport } from '../evidence/evidence-run.ts'
import type { Greenhouse } from '../../api/greenhouse.ts'

const cells = textValue('operations or cells of the coverage, with * for any characters', "'apps.*' or '*/413'")

const flags = {
  ...servingFlags,
  artifacts: {
    value: folder,
    describe: 'Folder for a case of each world that got requests, and for the reports in every format',
    variable: 'GREENHOUSE_ARTIFACTS',
  },
  coverage: { isOn: false, describe: 'Print which failures the command has seen, and the tests that add most' },
  'min-coverage': {
    value: readValue('a percentage from 0 to 100', '80', (given) =>
      /^\d{1,3}(\.\d+)?$/.test(given) && Number(given) <= 100 ? Number(given) : undefined,
    ),
    describe: 'Exit with 3 when it has seen less than this, in percent',
  },
  'coverage-only': { each: cells, describe: 'Operations or cells of the coverage that count: ids or globs' },
  'coverage-ignore': { each: cells, describe: 'Operations or cells of the coverage that do not count' },
  'report-card': { isOn: false, describe: 'Print how the client behaves: retries, keys, pages, streams' },
  'fail-on': {
    each: oneOf(['failed', 'violations'], 'failed'),
    describe: 'Exit with 4 when a rule of the report card failed, or when a request breaks the contract (violations)',
  },
  'fail-on-violations': { isOn: false, describe: 'Like --fail-on violations' },
  'ignore-violation': {
    each: { ...oneOf(violationRules, 'missing-key'), expected: `one of ${violationRules.join(', ')}` },
    describe: 'Rule that --fail-on violations ignores',
  },
} satisfies Flags

type RunArguments = ArgumentsOf<typeof flags>

export const runCommand = defineCommand({
  command: 'run',
  describe: 'Serve both APIs while a command runs: greenhouse-mock run [options] -- COMMAND',
  flags,
  runsCommand: 'run -- npm test',
  examples: [
    ['run -- npx vitest run', 'Run tests against their own server'],
    ["run -- 'npm run build && npm test'", 'A single argument with spaces runs in a shell'],
    ['run --coverage --report-card -- npm test', 'Say what the tests have not seen, and how the client behaves'],
    ['run --fail-on violations -- npm test', 'Fail when a request breaks the contract'],
  ],
  epilogue:
    'Sets PLANTS_BASE_URL, APPS_BASE_URL, GREENHOUSE_URL, GREENHOUSE_TOKEN (with --token), and a key of each plan in GREENHOUSE_KEY_FREE, _LITE, _PRO and _PRO_PLUS. Exits with the exit code of the command; if that is 0, with 4 for --fail-on and 3 for --min-coverage. --log prints to stderr. ' +
    variablesEpilogue,
  run: runWithServer,
})

async function runWithServer(args: RunArguments & { '--': readonly string[] }, terminal: Terminal): Promise<void> {
  const serving = await startServing(args, terminal)
  const endLog = logRequests(serving.greenhouse, args.log, terminal.stderr, terminal.env)
  const violations =
    args.failOnViolations || args.failOn.includes('violations')
      ? countViolations(serving.greenhouse, args.ignoreViolation)
      : undefined
  const [evidence, endCases] = await Promise.all([
    openEvidence(args, serving.greenhouse),
    args.artifacts === undefined ? undefined : saveCases(serving.greenhouse, args.artifacts),
  ]).catch(async (error: unknown) => {
    await serving.close()
    throw error
  })
  const env = {
    ...(await toCommandEnvironment(serving, args.token, terminal.env)),
    ...evidence?.env,
    ...(args.artifacts !== undefined && { GREENHOUSE_ARTIFACTS: args.artifacts }),
  }
  const code = await startCommand(args['--'], env, terminal).catch((error: unknown) => {
    reportError(terminal, error)
    return exitCode(error)
  })
  let found: EvidenceReport | undefined
  let failedCode = code
  const toCode = () => failedCode || (violations && violations.count() > 0 ? runCodes.failOn : (found?.code ?? 0))
  failedCode ||= serving.save()
  await shutDown(terminal, toCode(), async () => {
    // Replies that end now are counted too.
    const unsaved = await serving.close()
    failedCode = codeAfter(terminal, failedCode || unsaved, () => printError(terminal, endCases?.() ?? ''))
    endLog()
    printError(terminal, violations?.end() ?? '')
    found = evidence?.end(terminal)
    printError(terminal, found?.text ?? '')
    failedCode = codeAfter(terminal, failedCode, () => found?.write())
    return toCode()
  })
}

async function openEvidence(args: RunArguments, greenhouse: Greenhouse) {
  const { minCoverage, coverageOnly, coverageIgnore } = args
  const coverage = args.coverage || minCoverage !== undefined || [...coverageOnly, ...coverageIgnore].length > 0
  const failOnCard = args.failOn.includes('failed')
  const reportCard = args.reportCard || failOnCard
  if (!coverage && !reportCard) return undefined
  const { startEvidence } = await import('../evidence/evidence-run.ts')
  return startEvidence(greenhouse, { ...args, coverage, reportCard, failOnCard })
}

const maxCases = 1_000

/** A world is saved when it is deleted or at the end. The function that is returned throws if a case can't be written. */
async function saveCases(greenhouse: Greenhouse, folder: string): Promise<() => string> {
  const { toCaseText } = await import('../../cases/format.ts')
  const saved = new Set<string>()
  let left = 0
  let failure: unknown
  createFolder(folder)
  const end = greenhouse.observeChanges((change) => {
    if (change.type === 'world-ends') save(greenhouse.findWorld(change.world)!)
  })
  return () => {
    end()
    for (const name of greenhouse.worlds()) save(greenhouse.findWorld(name)!)
    if (failure !== undefined) throw failure
    const count = saved.size === 1 ? '1 case' : `${saved.size || 'no'} cases`
    return `Saved ${count} in ${folder}${left > 0 ? `; ${left} more were left out` : ''}.\n`
  }

  function save(world: World): void {
    if (world.journal.size === 0) return
    if (saved.size >= maxCases && !saved.has(world.name)) left++
    else
      try {
        writeFile(join(folder, `${world.name}.case.yaml`), toCaseText(world.toCase()))
      } catch (error) {
        failure ??= error
      }
    if (left === 0) saved.add(world.name)
  }
}

const maxGroups = 200

type Group = Violation & Record<'method' | 'url' | 'world' | 'operation', string> & { count: number }

function countViolations(greenhouse: Greenhouse, ignored: readonly ViolationRule[]) {
  const groups = new Map<string, Group>()
  let requests = 0
  let others = 0
  const count = (record: JournalRecord) => {
    if (record.leftAt === 0) return
    const broken = record.journal.validate(record).filter(({ rule }) => !ignored.includes(rule))
    if (broken.length === 0) return
    requests++
    const { request, world, operation = '(no operation)', violations = [] } = toOutline(record)
    for (const violation of violations) {
      if (ignored.includes(violation.rule)) continue
      const key = `${violation.rule} ${operation}`
      const group = groups.get(key)
      if (group) group.count++
      else if (groups.size < maxGroups) groups.set(key, { ...violation, ...request, world, operation, count: 1 })
      else others++
    }
  }
  const stop = greenhouse.observe(count)
  return {
    count: () => requests,
    end() {
      stop()
      return requests === 0 ? '' : describeViolations([...groups.values()], requests, others)
    },
  }
}

function describeViolations(groups: Group[], requests: number, others: number): string {
  return [
    `${requests} ${requests === 1 ? 'request breaks' : 'requests break'} the contract:`,
    ...groups
      .sort((one, other) => other.count - one.count)
      .map(
        ({ rule, operation, count, message, method, url, world }) =>
          `\n  ${rule}  ${operation}  ${countOf(count, 'time')}\n    ${toVisible(message)}\n    ${toVisible(method)} ${toVisible(url)}${world === 'default' ? '' : `  world=${toVisible(world)}`}`,
      ),
    ...(others === 0 ? [] : [`\n  … and ${others} of other rules and operations`]),
    '',
  ].join('\n')
}
