import type { Argv } from 'yargs'
import { UsageError } from './errors.ts'
import * as values from './flag-values.ts'
import { each, once } from './flags.ts'

/** The flags that say what a Greenhouse starts with. */
export function withGreenhouseOptions<T>(args: Argv<T>) {
  return args
    .option('fixtures', {
      type: 'string',
      requiresArg: true,
      coerce: once('fixtures', values.folder),
      describe: 'Folder with fixture files, in place of the default world',
    })
    .option('scenarios', {
      type: 'string',
      requiresArg: true,
      coerce: once('scenarios', values.folder),
      describe: 'Folder with scenario files, beside those that come with the package',
    })
    .option('scenario', {
      type: 'string',
      array: true,
      nargs: 1,
      coerce: each('scenario', values.scenario),
      describe: 'Scenario that is active from the start: NAME or NAME:option=value;…',
      default: [] as string[],
    })
    .option('assume', {
      type: 'string',
      array: true,
      nargs: 1,
      coerce: each('assume', values.assumption),
      describe: 'Assumption to switch: ID=VALUE',
      default: [] as [id: string, value: string][],
    })
    .option('seed', {
      type: 'string',
      requiresArg: true,
      coerce: once('seed', values.wholeNumber),
      describe: 'Seed of everything random: ids and faults',
      default: 1,
    })
    .option('now', {
      type: 'string',
      requiresArg: true,
      coerce: once('now', values.time),
      describe: 'Where the clock starts, ISO 8601',
    })
    .option('cors', {
      type: 'string',
      array: true,
      nargs: 1,
      coerce: each('cors', values.origin),
      describe: 'Origin whose pages may call the API, besides those of this machine; * for all',
      default: [] as string[],
    })
    .option('webhook-allow', {
      type: 'string',
      array: true,
      nargs: 1,
      coerce: each('webhook-allow', values.host),
      describe: 'Host that webhooks may be delivered to, besides this machine',
      default: [] as string[],
    })
    .option('trace', { type: 'boolean', describe: 'Send the X-Greenhouse header with every reply', default: true })
    .option('journal-memory', {
      type: 'string',
      requiresArg: true,
      coerce: once('journal-memory', values.size),
      describe: 'Memory of the journals of all worlds together',
      default: '128MiB',
    })
    .option('data-memory', {
      type: 'string',
      requiresArg: true,
      coerce: once('data-memory', values.size),
      describe: 'Memory of the data that requests write in all worlds together',
      default: '64MiB',
    })
    .option('body-limit', {
      type: 'string',
      requiresArg: true,
      coerce: once('body-limit', values.size),
      describe: 'Largest request body',
      default: '1MiB',
    })
}

/** What `withGreenhouseOptions` parses. */
export type GreenhouseArguments = ReturnType<ReturnType<typeof withGreenhouseOptions<object>>['parseSync']>

/** Makes the Greenhouse that the flags describe. @throws UsageError for an invalid value of a flag; DataError for files that are wrong. */
export async function createFromArguments(args: GreenhouseArguments) {
  const { createGreenhouse } = await import('../greenhouse/create.ts')
  const { splitScenarios } = await import('../core/world/scenario-choice.ts')
  const load =
    args.fixtures !== undefined || args.scenarios !== undefined ? await import('../files/load.ts') : undefined
  const options = {
    fixtures: args.fixtures === undefined ? undefined : load!.loadFixtures(args.fixtures),
    scenarios: args.scenarios === undefined ? undefined : load!.loadScenarios(args.scenarios),
    seed: args.seed,
    now: args.now,
    assumptions: Object.fromEntries(args.assume),
    use: args.scenario.flatMap(splitScenarios),
    cors: args.cors,
    trace: args.trace,
    webhooks: { allow: args.webhookAllow },
    bodyLimit: args.bodyLimit,
    dataMemory: args.dataMemory,
    journal: { memory: args.journalMemory },
  }
  try {
    return createGreenhouse(options)
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(error.message) : error
  }
}
