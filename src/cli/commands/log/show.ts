import type { LogArguments } from '../../flags/log.ts'
import { createControlClient } from '../../control-client.ts'
import { toTarget } from '../../flags/server.ts'
import type { Terminal } from '../../terminal.ts'
import { createEntryWriter } from './entry-line.ts'
import { printError } from '../../output/print.ts'
import { readEntries } from './read-entries.ts'

export async function showLog(args: LogArguments, terminal: Terminal): Promise<void> {
  const dropped: string[] = []
  const entries = await readEntries(createControlClient(toTarget(args, terminal)), args, (world, count) =>
    dropped.push(
      `The journal of the world "${world}" dropped ${count} older ${count === 1 ? 'request' : 'requests'} to make room, so fewer than --limit ${args.limit} are shown.\n`,
    ),
  )
  terminal.stdout.write(entries.map(createEntryWriter(args, terminal)).join(''))
  printError(terminal, dropped.join('') || (entries.length === 0 ? 'No requests match.\n' : ''))
}
