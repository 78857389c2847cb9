import type { ConfigFile } from '../../files/read-config.ts'
import type { ScenarioChoice } from '../../api/types/names.ts'
import type { Greenhouse, GreenhouseOptions } from '../../api/greenhouse.ts'
import { UsageError } from '../errors.ts'
import type { Terminal } from '../terminal.ts'
import * as values from './values.ts'
import type { ArgumentsOf, Flags } from './flags.ts'

export const greenhouseFlags = {
  fixtures: { value: values.folder, describe: 'Folder with fixture files, in place of the default data' },
  scenarios: { value: values.folder, describe: 'Folder with scenario files of your own' },
  scenario: {
    each: values.scenario,
    describe: 'Scenario to start with: NAME or NAME:option=value,…',
  },
  assume: { each: values.assumption, describe: 'Assumption to change: ID=VALUE' },
  'assume-file': {
    value: values.assumptionsFile,
    describe: 'File of assumptions, as greenhouse-mock verify --write writes it; --assume wins over it',
  },
  seed: { value: values.wholeNumberValue, describe: 'Seed of ids and random faults', default: 1 },
  now: { value: values.timeValue, describe: 'Time at which clocks start, ISO 8601' },
  frozen: { isOn: false, describe: 'Start with stopped clocks' },
  cors: {
    each: values.origin,
    describe: 'Origin whose pages may call the APIs, besides this machine; * for all',
  },
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
  const { splitScenarios } = await import('../../core/world/scenario-choice.ts')
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
        ...(args.assumeFile !== undefined &&
          (await import('../../files/assumptions.ts')).loadAssumptions(args.assumeFile)),
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
