import type { Greenhouse, GreenhouseOptions } from '../../api/greenhouse.ts'
import type { ScenarioChoice } from '../../api/types/names.ts'
import { flagsOf, type LogFormat, settings } from '../../api/config/settings.ts'
import type { ConfigFile } from '../../files/read-config.ts'
import { splitScenarios } from '../../core/world/scenario-choice.ts'
import { UsageError, type Terminal } from '../terminal.ts'
import { type ArgumentsOf, toFileSettings, type Flags, resolveFlags } from './flags.ts'

const { open, ...all } = flagsOf(settings)
const { record, insecure, only, fallback, ...others } = all
const {
  'target-plants': targetPlants,
  'target-apps': targetApps,
  'target-ca': targetCa,
  'target-timeout': targetTimeout,
  ...shared
} = others

/** Flags of `proxy`, which come before those of `serve`. */
export const proxyFlags = {
  'target-plants': targetPlants,
  'target-apps': targetApps,
  only,
  fallback,
  record,
  'target-ca': targetCa,
  'target-timeout': targetTimeout,
  insecure,
}

export const serveCommandFlags = { ...shared, open }

// What the configuration file says of these is for `serve`.
const { rule: _, ...port } = shared.port
const { rule: __, ...log } = shared.log

/** Flags of commands that serve for something else. */
export const servingFlags = {
  ...shared,
  port: { ...port, default: 0 },
  log: { ...log, default: 'silent' as LogFormat },
}

export type ServeArguments = ArgumentsOf<typeof shared> & { readonly proxy?: GreenhouseOptions['proxy'] }

export async function toGreenhouseOptions(
  args: Omit<ServeArguments, 'log' | 'watch'>,
  read: ConfigFile | undefined,
): Promise<GreenhouseOptions> {
  const { fixtures, scenarios } = args
  const hasFiles = read !== undefined || fixtures !== undefined || scenarios !== undefined
  const files = hasFiles ? await import('../../files/load-config.ts') : undefined
  const { config = {} } = read ?? {}
  if (read) files!.assertAdditions(read)
  const base = files?.toOptions({
    ...config,
    ...(fixtures !== undefined && { fixtures, case: undefined }),
    ...(scenarios !== undefined && { scenarios }),
  })
  const hasAssumptions = args.assumeFile !== undefined || args.assume.length > 0
  const options: GreenhouseOptions = {
    ...base,
    seed: args.seed,
    now: args.now,
    frozen: args.frozen,
    ...(hasAssumptions && {
      assumptions: {
        ...base?.assumptions,
        ...(args.assumeFile !== undefined && (await import('../../files/load.ts')).loadAssumptions(args.assumeFile)),
        ...Object.fromEntries(args.assume),
      },
    }),
    // Scenarios of the file may be objects.
    use: args.scenario === config.use ? config.use : (args.scenario.flatMap(splitScenarios) as ScenarioChoice[]),
    cors: args.cors,
    trace: args.trace,
    strict: args.strict,
    webhooks: { ...base?.webhooks, allow: args.webhookAllow },
    bodyLimit: args.bodyLimit,
    dataMemory: args.dataMemory,
    journal: { ...base?.journal, memory: args.journalMemory },
    ...(args.proxy && { proxy: args.proxy }),
  }
  if (read) files!.assertCreatable(read, options)
  return options
}

export async function createConfigured({ config }: Pick<Terminal, 'config'>, scenarios?: string): Promise<Greenhouse> {
  const { createGreenhouse } = await import('../../api/assembly/create.ts')
  if (!config && scenarios === undefined) return createGreenhouse()
  const { readOptions, toOptions } = await import('../../files/load-config.ts')
  const changes = scenarios === undefined ? {} : { scenarios }
  return createGreenhouse(config ? readOptions(config, changes) : toOptions(changes))
}

export function withUsageErrors<Options, Made>(options: Options, create: (options: Options) => Made): Made {
  try {
    return create(options)
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(error.message) : error
  }
}

export const standardServer = 'http://127.0.0.1:4010'

export const jsonFlag = {
  json: { isOn: false, describe: 'Print JSON, as the control API does' },
} satisfies Flags

const address = flagsOf({ port: settings.port, host: settings.host })

export function toLocalUrl({ env, config }: Pick<Terminal, 'env' | 'config'>): string {
  const { port, host } = resolveFlags(address, {}, env, toFileSettings(address, config))
  const name = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  return toOwnUrl(new URL(`http://${name}:${port || settings.port.default}`).origin)
}

export function toOwnUrl(url: string): string {
  return url.replace(/\/\/0\.0\.0\.0\b/, '//127.0.0.1').replace('//[::]', '//[::1]')
}

/** Returns variables with which programs use no proxy for some hosts, and for those that the environment excepts. */
export function withoutProxy({ NO_PROXY = '', no_proxy = '' }: NodeJS.ProcessEnv, hosts: readonly string[]) {
  const given = `${NO_PROXY},${no_proxy}`.split(/[,\s]+/).filter(Boolean)
  // An asterisk excepts every host, but only alone.
  const value = given.includes('*') ? '*' : [...new Set([...given, ...hosts])].join(',')
  return { NO_PROXY: value, no_proxy: value }
}
