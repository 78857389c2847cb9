import type { Greenhouse, GreenhouseOptions } from '../../api/greenhouse.ts'
import type { ScenarioChoice } from '../../api/types/names.ts'
import type { ConfigFile } from '../../files/read-config.ts'
import { splitScenarios } from '../../core/world/scenario-choice.ts'
import { UsageError } from '../errors.ts'
import type { Terminal } from '../terminal.ts'
import { type ArgumentsOf, type Flags, withVariables } from './flags.ts'
import * as values from './values.ts'

export function serveFlags(defaults: { readonly port: number; readonly log: values.LogFormat }) {
  return withVariables({
    ...greenhouseFlags,
    port: { value: values.port, describe: 'Port; 0 for any free port', default: defaults.port },
    host: { value: values.address, describe: 'Address to listen on', default: '127.0.0.1' },
    'allow-host': {
      each: values.hostName,
      describe:
        'Host name that requests may use besides localhost, IP addresses and --host; .example.com for all names below',
    },
    token: { value: values.secret, describe: 'Secret of the control API; required if --host lets other machines in' },
    'control-origin': {
      each: values.exactOrigin,
      describe: 'Exact origin whose pages may use the control API, such as http://localhost:5173',
    },
    case: { value: values.file, describe: 'Start with the world of a case, after all its requests' },
    state: {
      value: values.file,
      describe: 'File that keeps the world default: read at the start if it is there, written after changes',
    },
    handlers: { value: values.file, describe: 'Module with your own MSW handlers, which answer first' },
    watch: { isOn: false, describe: 'Reload --fixtures and --scenarios when their files change' },
    log: { value: values.log, describe: 'What to print: pretty, json or silent', default: defaults.log },
  } satisfies Flags)
}

export type ServeArguments = ArgumentsOf<ReturnType<typeof serveFlags>>

const greenhouseFlags = {
  fixtures: { value: values.folder, describe: 'Folder with fixture files, in place of the default data' },
  scenarios: { value: values.folder, describe: 'Folder with scenario files of your own' },
  scenario: { each: values.scenario, describe: 'Scenario to start with: NAME or NAME:option=value,…' },
  assume: { each: values.assumption, describe: 'Assumption to change: ID=VALUE' },
  'assume-file': {
    value: values.assumptionsFile,
    describe: 'File of assumptions, as greenhouse-mock verify --write writes it; --assume wins over it',
  },
  seed: { value: values.wholeNumberValue, describe: 'Seed of ids and random faults', default: 1 },
  now: { value: values.timeValue, describe: 'Time at which clocks start, ISO 8601' },
  frozen: { isOn: false, describe: 'Start with stopped clocks' },
  cors: { each: values.origin, describe: 'Origin whose pages may call the APIs, besides this machine; * for all' },
  'webhook-allow': { each: values.host, describe: 'Host that may get webhooks, besides this machine' },
  strict: { isOn: false, describe: 'Answer 400 to requests that break the contract' },
  trace: { isOn: true, describe: 'Send the X-Greenhouse header with every reply' },
  'journal-memory': {
    value: values.size,
    describe: 'Memory for the journals of all worlds together',
    default: '128MiB',
  },
  'data-memory': {
    value: values.size,
    describe: 'Memory for the data of all worlds together',
    defaultDescription: "512MiB, or an eighth of the machine's memory if that is less",
  },
  'body-limit': { value: values.size, describe: 'Largest request body', default: '1MiB' },
} satisfies Flags

type GreenhouseArguments = ArgumentsOf<typeof greenhouseFlags>

export async function toGreenhouseOptions(
  args: GreenhouseArguments,
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
  }
  if (read) files!.assertCreatable(read, options)
  return options
}

export async function createConfigured({ config }: Pick<Terminal, 'config'>, scenarios?: string): Promise<Greenhouse> {
  const { createGreenhouse } = await import('../../api/assembly/create.ts')
  if (!config && scenarios === undefined) return createGreenhouse()
  const { assertAdditions, assertCreatable, toOptions } = await import('../../files/load-config.ts')
  if (config) assertAdditions(config)
  const options = toOptions({ ...config?.config, ...(scenarios !== undefined && { scenarios }) })
  if (config) assertCreatable(config, options)
  return createGreenhouse(options)
}

export function withUsageErrors<Options, Made>(options: Options, create: (options: Options) => Made): Made {
  try {
    return create(options)
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(error.message) : error
  }
}
