import { quoteForShell, toVisibleJson } from '../../core/text/messages.ts'
import { defineCommand } from '../command.ts'
import { shutDown, waitForSignal } from '../process/shutdown.ts'
import { logRequests } from '../output/request-log.ts'
import { type ArgumentsOf, type Flags, variablesEpilogue, withVariables } from '../flags/flags.ts'
import { toFileSettings } from '../flags/config.ts'
import { readPlainFlags } from '../flags/plain-flags.ts'
import { print, type Terminal } from '../terminal.ts'
import { serveFlags } from '../flags/serve.ts'
import { describeStart, startServing, type ServingStart } from './start-serving.ts'

export const serveCommandFlags = {
  ...serveFlags({ port: 4010, log: 'pretty' }),
  ...withVariables({ open: { isOn: false, describe: 'Open the panel in the browser' } }),
} satisfies Flags

export const serveCommand = defineCommand({
  command: 'serve',
  describe: 'Serve both APIs until you stop it',
  flags: serveCommandFlags,
  settings: ({ config }) => toFileSettings(serveCommandFlags, config),
  epilogue: variablesEpilogue,
  run: serveUntilStopped,
})

export const readServeWords = (words: readonly string[], { env, config }: Pick<Terminal, 'env' | 'config'>) =>
  readPlainFlags(words, serveCommandFlags, env, toFileSettings(serveCommandFlags, config))

export async function serveUntilStopped(
  args: ArgumentsOf<typeof serveCommandFlags>,
  terminal: Terminal,
): Promise<void> {
  const serving = await startServing(args, terminal)
  const stopped = waitForSignal(terminal)
  const started = describeStart(serving)
  if (args.log === 'json') terminal.stdout.write(toVisibleJson(JSON.stringify({ event: 'ready', ...started })) + '\n')
  if (args.log === 'pretty') print(terminal, toBanner(started))
  const endLog =
    args.log === 'silent' ? undefined : logRequests(serving.greenhouse, args.log, terminal.stdout, terminal.env)
  if (args.open) (await import('../process/open.ts')).openPage(terminal, started.panel_url)
  await stopped
  await shutDown(terminal, 0, async () => {
    const code = await serving.close(true)
    endLog?.()
    return code
  })
}

function toBanner({ panel_url, plants_url, apps_url, areas, keys, scenarios }: ServingStart): string {
  const usable = Object.entries(keys).find(([, { note }]) => note === undefined)?.[0] ?? '<key>'
  const width = Math.max(...Object.keys(keys).map((key) => key.length), 0)
  const served = [
    { name: 'plants', title: 'Plants', url: plants_url, example: `'${plants_url}/plants?limit=3'` },
    { name: 'apps', title: 'Apps  ', url: apps_url, example: `${apps_url}/apps` },
  ].filter(({ name }) => areas.includes(name))
  return `  Panel   ${panel_url}
${served.map(({ title, url }) => `  ${title}  ${url}\n`).join('')}
Greenhouse is serving. Stop it with Ctrl-C.

Keys
${Object.entries(keys)
  .map(([key, { plan, note }]) => `  ${key.padEnd(width)}  ${plan}${note ? `, ${note}` : ''}`)
  .join('\n')}

Scenarios: ${scenarios.length > 0 ? scenarios.join(', ') : 'none active'}

Try
${served.map(({ example }) => `  curl -H ${quoteForShell(`Authorization: Bearer ${usable}`)} ${example}\n`).join('')}`
}
