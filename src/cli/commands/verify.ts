import { settings } from '../../api/config/settings.ts'
import { defineCommand } from '../command.ts'
import { fromEnvironment } from '../flags/flags.ts'
import { verifyFlags } from '../flags/verify.ts'
import { UsageError } from '../errors.ts'

export const verifyCommand = defineCommand({
  command: 'verify',
  describe: 'Check a real server against the rules, and learn what it does where the reference is silent',
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
    const { targetPlants, targetApps } = args
    if (targetPlants === undefined && targetApps === undefined)
      throw new UsageError('Name the server with --target-plants URL, --target-apps URL, or both.')
    const key = args.key ?? fromEnvironment('GREENHOUSE_VERIFY_KEY', settings.token.value, terminal.env)
    if (key === undefined) throw new UsageError('Give an API key with --key or GREENHOUSE_VERIFY_KEY.')
    if (args.allowSpending && !args.allowWrites)
      throw new UsageError('--allow-spending creates conversations and purchases: add --allow-writes.')
    const { runVerify } = await import('./run-verify.ts')
    await runVerify(args, key, terminal)
  },
})
