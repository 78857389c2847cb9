import { defineCommand } from '../command.ts'
import { UsageError } from '../terminal.ts'
import { flipFlags, notForFlip, verifyFlags } from '../flags/contract.ts'
import { variablesEpilogue } from '../flags/flags.ts'

export const flipCommand = defineCommand({
  command: 'flip',
  describe:
    'Find the assumptions that your tests depend on: greenhouse-mock flip [options] -- COMMAND',
  flags: flipFlags,
  runsCommand: 'flip -- npm test',
  examples: [
    ['flip -- npx vitest run', 'Run tests once as they are, then once in each variant'],
    ["flip --only 'plants.*' --parallel 4 -- npm test", 'Flip some assumptions, four at once'],
  ],
  epilogue:
    'Sets the same variables as greenhouse-mock run. The report goes to stdout, progress to stderr. Exit codes: 0 no variant breaks the command, 1 one does, 2 wrong use, 130 and 143 stopped (with a partial report), other: that of the command, which fails without any change. ' +
    variablesEpilogue,
  async run({ '--': words, ...args }, terminal) {
    if (args.port !== 0 && args.parallel > 1)
      throw new UsageError(
        '--port: variants that run at once each need a port of their own. Leave out --port (or GREENHOUSE_PORT), or --parallel.',
      )
    const wrong = notForFlip.find((flag) => args[flag] !== undefined)
    if (wrong !== undefined)
      throw new UsageError(
        `--${wrong}: flip starts every run from fixtures. Leave out --${wrong} (or GREENHOUSE_${wrong.toUpperCase()}), and give the records with --fixtures.`,
      )
    const { flip } = await import('./run-flip.ts')
    await flip(words, args, terminal)
  },
})

export const verifyCommand = defineCommand({
  command: 'verify',
  describe:
    'Check a real server against the rules, and learn what it does where the reference is silent',
  flags: verifyFlags,
  examples: [
    ['verify --target-plants https://api.example.com --key KEY', 'Only read'],
    [
      'verify … --allow-writes --write assumptions.yaml',
      'Observe more, and write it to a file for serve --assume-file',
    ],
  ],
  epilogue:
    'Exit codes: 0 no stated rule is broken, 1 one is or something is left behind, 2 wrong use, 3 the server cannot be reached or stopped answering.',
  async run(args, terminal) {
    const { targetPlants, targetApps, key } = args
    if (targetPlants === undefined && targetApps === undefined)
      throw new UsageError('Name the server with --target-plants URL, --target-apps URL, or both.')
    if (key === undefined)
      throw new UsageError('Give an API key with --key or GREENHOUSE_VERIFY_KEY.')
    if (args.allowSpending && !args.allowWrites)
      throw new UsageError(
        '--allow-spending creates conversations and purchases: add --allow-writes.',
      )
    const { runVerify } = await import('./run-verify.ts')
    await runVerify(args, key, terminal)
  },
})
