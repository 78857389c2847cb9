import type { Argv } from 'yargs'
import { UsageError } from './errors.ts'

/** The flags that say what a Greenhouse starts with. */
export function withGreenhouseOptions<T>(args: Argv<T>) {
  return args
    .option('fixtures', { type: 'string', requiresArg: true, describe: 'Folder with fixture files, in place of the default world' })
    .option('scenarios', { type: 'string', requiresArg: true, describe: 'Folder with scenario files, beside the ones that come along' })
    .option('scenario', { type: 'string', array: true, nargs: 1, describe: 'Scenario that is active from the start: NAME or NAME:option=value;…', default: [] as string[] })
    .option('assume', { type: 'string', array: true, nargs: 1, describe: 'Assumption to switch: ID=VALUE', default: [] as string[] })
    .option('seed', { type: 'number', requiresArg: true, describe: 'What chance comes from', default: 1 })
    .option('now', { type: 'string', requiresArg: true, describe: 'Where the clock starts, ISO 8601' })
    .option('cors', { type: 'string', array: true, nargs: 1, describe: 'Origin whose pages may call the API, besides those of this machine; * for all', default: [] as string[] })
    .option('webhook-allow', { type: 'string', array: true, nargs: 1, describe: 'Host that webhooks may be delivered to, besides this machine', default: [] as string[] })
    .option('trace', { type: 'boolean', describe: 'Send the X-Greenhouse header with every reply', default: true })
    .option('journal-memory', { type: 'string', requiresArg: true, describe: 'How much the journals of all worlds hold together: bytes, or a size such as 64MiB', default: '128MiB' })
    .option('data-memory', { type: 'string', requiresArg: true, describe: 'How much data requests may leave in all worlds together: bytes, or a size such as 64MiB', default: '128MiB' })
    .option('body-limit', { type: 'number', requiresArg: true, describe: 'Largest body that is read, in bytes', default: 1_048_576 })
}

/** What `withGreenhouseOptions` parses. */
export type GreenhouseArguments = ReturnType<ReturnType<typeof withGreenhouseOptions<object>>['parseSync']>

/** Makes the Greenhouse that the flags describe. @throws UsageError for a flag's value that is none; DataError for files that are wrong. */
export async function createFromArguments(args: GreenhouseArguments) {
  const { createGreenhouse } = await import('../greenhouse.ts')
  const { toScenarioChoice } = await import('../core/scenario-choice.ts')
  const load = args.fixtures !== undefined || args.scenarios !== undefined ? await import('../node/load.ts') : undefined
  if (!Number.isSafeInteger(args.seed)) throw new UsageError(`--seed: expected a whole number.`)
  if (!Number.isSafeInteger(args.bodyLimit) || args.bodyLimit < 0) throw new UsageError(`--body-limit: expected a number of bytes.`)
  const options = {
    fixtures: args.fixtures === undefined ? undefined : load!.loadFixtures(args.fixtures),
    scenarios: args.scenarios === undefined ? undefined : load!.loadScenarios(args.scenarios),
    seed: args.seed,
    now: args.now,
    assumptions: Object.fromEntries(args.assume.map(toAssumption)),
    use: args.scenario.map(toScenarioChoice),
    cors: args.cors,
    trace: args.trace,
    webhooks: { allow: args.webhookAllow },
    bodyLimit: args.bodyLimit,
    dataMemory: toByteCount('--data-memory', args.dataMemory),
    journal: { memory: toByteCount('--journal-memory', args.journalMemory) },
  }
  try {
    return createGreenhouse(options)
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(error.message) : error
  }
}

const units: Readonly<Record<string, number>> = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9, kib: 2 ** 10, mib: 2 ** 20, gib: 2 ** 30 }

/** Reads a number of bytes: `134217728`, `128MiB`, `500 kB`. @throws UsageError */
function toByteCount(flag: string, text: string): number {
  const [, amount, unit = 'b'] = /^(\d{1,15}) ?([KMG]i?B|B)?$/i.exec(text) ?? []
  const bytes = Number(amount) * units[unit.toLowerCase()]!
  if (Number.isSafeInteger(bytes)) return bytes
  throw new UsageError(`${flag}: expected a number of bytes, such as 134217728 or 128MiB.`)
}

function toAssumption(text: string): [id: string, value: string] {
  const equals = text.indexOf('=')
  if (equals < 1) throw new UsageError(`--assume ${text}: expected ID=VALUE, such as plants.delete.unknown=204.`)
  return [text.slice(0, equals), text.slice(equals + 1)]
}
