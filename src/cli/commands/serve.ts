import type { CommandModule } from 'yargs'
import { toVisibleJson } from '../../core/definitions/visible.ts'
import { endProcess, untilSignal } from '../ending.ts'
import { logRequests } from '../request-log.ts'
import { readPlainFlags } from '../plain-flags.ts'
import { print } from '../print.ts'
import { serveFlags, type ServeArguments } from '../serve-flags.ts'
import { describeStart, startServing, type Start } from '../serving.ts'
import { withFlags } from '../yargs-flags.ts'

const flags = serveFlags({ port: 4010, log: 'pretty' })

export const serveCommand: CommandModule<object, ServeArguments> = {
  command: 'serve',
  describe: 'Serve both APIs until it is stopped',
  builder: (args) => withFlags(args, flags),
  handler: serveUntilStopped,
}

/** Reads the words after `serve`, where they are plainly right: yargs is not asked then. */
export const readServeWords = (words: readonly string[]) => readPlainFlags(words, flags)

/** Serves until a signal comes. */
export async function serveUntilStopped(args: ServeArguments): Promise<void> {
  const serving = await startServing(args)
  const stopped = untilSignal()
  const started = describeStart(serving)
  if (args.log === 'json') process.stdout.write(toVisibleJson(JSON.stringify({ event: 'ready', ...started })) + '\n')
  if (args.log === 'pretty') print(toBanner(started))
  const endLog = args.log === 'silent' ? undefined : logRequests(serving.greenhouse, args.log, process.stdout)
  await stopped
  await endProcess(0, async () => {
    await serving.close()
    endLog?.()
  })
}

function toBanner({ plants_url, apps_url, keys, scenarios }: Start): string {
  const usable = Object.entries(keys).find(([, { note }]) => note === undefined)?.[0] ?? '<key>'
  const width = Math.max(...Object.keys(keys).map((key) => key.length), 0)
  return `Greenhouse is serving. Stop it with Ctrl-C.

  Plants  ${plants_url}
  Apps    ${apps_url}

Keys
${Object.entries(keys)
  .map(([key, { plan, note }]) => `  ${key.padEnd(width)}  ${plan}${note ? `, ${note}` : ''}`)
  .join('\n')}

Scenarios: ${scenarios.length > 0 ? scenarios.join(', ') : 'none active'}

Try
  curl -H 'Authorization: Bearer ${usable}' '${plants_url}/plants?limit=3'
  curl -H 'Authorization: Bearer ${usable}' ${apps_url}/apps
`
}
