import type { CommandModule } from 'yargs'
import type { Greenhouse } from '../../greenhouse.ts'
import { UsageError } from '../errors.ts'
import { createFromArguments, withGreenhouseOptions, type GreenhouseArguments } from '../options.ts'

interface ServeArguments extends GreenhouseArguments {
  port: number
  host: string
  token: string | undefined
  log: 'pretty' | 'json' | 'silent'
}

export const serveCommand: CommandModule<object, ServeArguments> = {
  command: 'serve',
  describe: 'Serve both APIs until it is stopped',
  builder: (args) =>
    withGreenhouseOptions(args)
      .option('port', { type: 'number', requiresArg: true, describe: 'Port; 0 for any free one', default: 4010 })
      .option('host', { type: 'string', requiresArg: true, describe: 'Address to listen on', default: '127.0.0.1' })
      .option('token', { type: 'string', requiresArg: true, describe: 'Secret of the control API; needed when --host is not this machine alone' })
      .option('log', { choices: ['pretty', 'json', 'silent'] as const, describe: 'What to print', default: 'pretty' as const }) as never,
  handler: serveUntilStopped,
}

async function serveUntilStopped(args: ServeArguments): Promise<void> {
  const { port, host, log } = args
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new UsageError('--port: expected a whole number from 0 to 65535.')
  if (!isLoopbackHost(host) && args.token === undefined)
    throw new UsageError(`--host ${host} lets other machines in. Choose a secret with --token, or leave --host out to serve this machine only.`)
  const [greenhouse, { serve }] = await Promise.all([createFromArguments(args), import('../../adapters/server.ts')])
  const server = await serve(greenhouse, { port, host })
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve(server.close()))
  })
  const started = describeStart(greenhouse, server.url)
  if (log === 'json') process.stdout.write(JSON.stringify({ event: 'ready', ...started }) + '\n')
  if (log === 'pretty') process.stdout.write(toBanner(started))
  await stopped
}

function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

/** Where things are, as the ready line tells it. */
function describeStart(greenhouse: Greenhouse, url: string) {
  const { records, scenarios } = greenhouse.world('default')
  const keys = records.keys.all().map(({ secret, account, expires_at, revoked, scopes }) => {
    const plan = records.accounts.get(account)?.plan
    const note = revoked ? 'revoked' : expires_at ? 'expires ' + expires_at : scopes ? scopes.join(' ') : undefined
    return [secret, { plan, account, ...(note && { note }) }] as const
  })
  return { plants_url: url, apps_url: `${url}/v1`, keys: Object.fromEntries(keys), scenarios }
}

function toBanner({ plants_url, apps_url, keys, scenarios }: ReturnType<typeof describeStart>): string {
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
