import { fromNumber, nonNegative, target, words } from '../../api/config/flag.ts'
import { oneOf, wholeNumber } from '../../core/store/options.ts'
import { filePath, settings } from '../../api/config/settings.ts'
import { shrinkCase } from '../case/shrink.ts'
import { defineCommand } from '../command.ts'
import { countOf, toVisible } from '../../core/text/messages.ts'
import type { Case } from '../../cases/generated/case.ts'
import { assertPassed, print, printError, UsageError } from '../terminal.ts'
import { assertFileName, loadAdditions, readCase, writeCase } from '../files.ts'
import { jsonFlag } from '../flags/flags.ts'
import { reportFlags } from '../flags/report.ts'
import { callFlags, RemoteServer } from '../running-server.ts'
import { toTable } from '../../output/table.ts'

const positionals = { file: 'File of the case, YAML or JSON' }

const saveCommand = defineCommand({
  command: 'save <file>',
  describe: 'Save a world of a running server, with its requests and replies',
  positionals,
  flags: {
    ...callFlags,
    title: {
      value: words,
      describe: 'What it shows, in one line',
    },
    until: {
      value: nonNegative,
      describe: 'The id of the last request in it; the newest by default',
    },
  },
  examples: [
    ['case save renewal.case.yaml', 'Save the world default'],
    ['case save renewal.case.yaml --world checkout', 'Save another one'],
  ],
  async run({ file, title, until, json, ...args }, terminal) {
    assertFileName(file)
    const server = new RemoteServer(args, terminal)
    const made = await server.call('GET /worlds/{world}/case', { title, until })
    await writeCase(file, made)
    const requests = (made.steps ?? []).filter(({ request }) => request !== undefined).length
    const { incomplete } = made
    if (incomplete !== undefined && !json)
      printError(terminal, `It can be read, but not replayed: ${toVisible(incomplete)}.\n`)
    const toText = () => `Saved ${countOf(requests, 'request')} in ${file}.\n`
    return {
      answer: {
        file,
        requests,
        incomplete,
      },
      toText,
    }
  },
})

const replayCommand = defineCommand({
  command: 'replay <file>',
  describe: 'Play a case again, and compare the replies',
  positionals,
  flags: {
    against: {
      value: target,
      describe: 'Send the requests to this server, in place of a world of its own',
    },
    'allow-writes': {
      isOn: false,
      describe: 'Send requests that write, too, with --against',
    },
    key: {
      value: settings.token.value,
      describe: 'Key to send in place of those of the case, with --against',
    },
    ...jsonFlag,
    ...reportFlags,
  },
  examples: [
    ['case replay renewal.case.yaml', 'Compare with what this Greenhouse replies'],
    [
      'case replay renewal.case.yaml --against https://api.example.com',
      'Compare with another server',
    ],
  ],
  epilogue:
    'Exits with 1 when a reply differs. --against sends only the requests, with their keys or --key; those that write only with --allow-writes.',
  async run({ file, against, allowWrites, key, ...args }, terminal) {
    const given = await readCase(file)
    const { replayAgainst, replayHere, toReplayReport } = await import('../case/rerun.ts')
    const replayed = await (against === undefined
      ? replayHere(given, terminal)
      : replayAgainst(given, against, { allowWrites, key }))
    if (!args.json) for (const note of replayed.notes) printError(terminal, `${note}\n`)
    const { printReport } = await import('../output/report.ts')
    assertPassed(printReport(terminal, args, toReplayReport(file, given, replayed)))
  },
})

const showCommand = defineCommand({
  command: 'show <file>',
  config: 'unused',
  describe: 'Show what happened, step by step',
  positionals,
  flags: jsonFlag,
  async run({ file }, { stdout }) {
    const given = await readCase(file)
    const { toTimeline } = await import('../../cases/format.ts')
    const rows = toTimeline(given)
    const cells = rows.map(({ at, what, status, why }, index) => [
      String(index + 1),
      at,
      what,
      status,
      why,
    ])
    const table = toTable([['STEP', 'AT', 'WHAT', 'STATUS', 'WHY'], ...cells], stdout.columns)
    const toText = () =>
      `${describeHead(file, given)}\n\n${cells.length === 0 ? 'Nothing happened yet.\n' : table}`
    return {
      answer: { data: rows },
      toText,
    }
  },
})

const testCommand = defineCommand({
  command: 'test <file>',
  describe: 'Print a test that plays a case again',
  positionals,
  flags: {
    runner: {
      value: oneOf(['vitest', 'jest', 'playwright', 'node']),
      describe: 'vitest, jest, playwright or node',
      default: 'vitest',
    },
  },
  examples: [
    ['case test renewal.case.yaml --runner node > renewal.test.mjs', 'Write a test for node:test'],
  ],
  async run({ file, runner }, terminal) {
    const given = await readCase(file)
    if (given.incomplete !== undefined)
      throw new UsageError(`${file} can't be replayed: ${toVisible(given.incomplete)}.`)
    const { toTestOfFile } = await import('../../replay/test-code.ts')
    const test = await toTestOfFile(given, file, runner, await loadAdditions(terminal))
    if (test === undefined)
      throw new UsageError(`${file} has no request: there is nothing to test.`)
    print(terminal, test)
  },
})

const shrinkCommand = defineCommand({
  command: 'shrink <file>',
  describe:
    'Drop steps and records from a case while a command still fails: shrink FILE -- COMMAND',
  positionals,
  flags: {
    out: {
      value: filePath,
      describe: 'Where to write the smaller case; by default bug.small.case.yaml for bug.case.yaml',
    },
    runs: {
      value: fromNumber(wholeNumber('a whole number, 1 or more, such as 200', 1, 999_999_999)),
      describe: 'The most runs of the command',
      default: 200,
    },
    'keep-replies': {
      isOn: false,
      describe: 'Keep the replies of the case, in place of those that the smaller case gets',
    },
  },
  runsCommand: 'case shrink FILE -- node check.mjs',
  examples: [
    [
      'case shrink bug.case.yaml -- node check.mjs',
      'check.mjs reads the file that GREENHOUSE_CASE names',
    ],
  ],
  epilogue: 'The command gets the path of each smaller case in GREENHOUSE_CASE.',
  async run({ file, out, runs: maxRuns, keepReplies, '--': words }, terminal) {
    const given = await readCase(file)
    const target = out ?? file.replace(/(\.(case\.)?(ya?ml|json))?$/, '.small$1')
    assertFileName(target)
    const { made, runs } = await shrinkCase(
      given,
      words,
      {
        target,
        maxRuns,
        keepsReplies: keepReplies,
      },
      terminal,
    )
    const count = ({ steps = [] }: Case) => countOf(steps.length, 'step')
    print(
      terminal,
      `${count(given)} before, ${count(made)} now, after ${runs} runs. Written to ${target}.\n`,
    )
  },
})

export const caseCommand = defineCommand({
  command: 'case',
  describe: 'Save a situation in one file, play it again, make a test of it',
  subcommands: [saveCommand, replayCommand, showCommand, testCommand, shrinkCommand],
})

function describeHead(file: string, { title, made, start = {}, incomplete }: Case): string {
  const by = made ? `Made by ${made.by} at ${made.at}. ` : ''
  const scenarios = start.scenarios?.length
    ? `, with ${start.scenarios.map(nameOfScenario).join(', ')}`
    : ''
  const lines = [
    title ?? file,
    `${by}It starts at ${start.now ?? "the machine's time"}${scenarios}.`,
  ]
  if (incomplete !== undefined) lines.push(`It can't be replayed: ${incomplete}.`)
  return lines.map(toVisible).join('\n')
}

function nameOfScenario(choice: unknown): string {
  if (typeof choice === 'string') return choice
  const { name, title } = choice as {
    name?: string
    title?: string
  }
  return name ?? title ?? 'an inline scenario'
}
