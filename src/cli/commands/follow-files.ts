import { differingNames } from '../../api/assembly/template.ts'
import type { ReloadOptions } from '../../api/options.ts'
import { basename, dirname } from 'node:path'
import { toReason } from '../../core/contract/errors.ts'
import { joinNames } from '../../core/text/messages.ts'
import { systemNow } from '../../core/time/clock.ts'
import { clearTimeout, setTimeout } from '../../core/time/system-time.ts'
import type { Unchanged } from '../../core/world/world-template.ts'
import { readOptions, toOptions } from '../../files/load-config.ts'
import { type ConfigFile, readConfig } from '../../files/read-config.ts'
import { problemsOf, watchFolder, watchFolders } from '../../files/watch.ts'
import type { GreenhouseConfig } from '../../api/config/types.ts'
import type { Greenhouse, GreenhouseOptions } from '../../api/greenhouse.ts'
import type { AssumptionChoices } from '../../api/names.ts'
import type { ServeArguments } from '../flags/flags.ts'
import { printError, type Terminal } from '../terminal.ts'
import type { Texts } from '../../core/text/values.ts'

const reloadable = ['fixtures', 'scenarios', 'assumptions']

/** Errors go to stderr, whatever `--log` says; Greenhouse keeps what it loaded last. */
export function followFiles(
  {
    greenhouse,
    url,
  }: {
    greenhouse: Greenhouse
    url: string
  },
  args: ServeArguments,
  terminal: Terminal,
): { close(): void } {
  const started = args.case === undefined ? terminal.config : undefined
  let config: GreenhouseConfig = started?.config ?? {}
  let isClosed = false
  let assumptions = assumedBy(toOptions({ assumptions: config.assumptions }), args)
  const onReload = (unchanged: Unchanged) => {
    if (args.log === 'pretty') printError(terminal, 'Reloaded.\n')
    printError(terminal, describeUnchanged(unchanged, url))
  }
  const onError = (error: unknown) =>
    printError(terminal, `${toReason(error)}\nGreenhouse keeps what it loaded last.\n`)
  const openFolders = () => {
    const folders = {
      fixtures: args.fixtures ?? pathIfText(config.fixtures),
      scenarios: args.scenarios ?? pathIfText(config.scenarios),
    }
    return watchFolders(greenhouse, {
      ...folders,
      onReload,
      onError,
    })
  }
  let folders = openFolders()

  const follow = async (before: ConfigFile) => {
    const { file } = before
    try {
      const read = await readConfig(file, (target) => import(target))
      if (isClosed) return
      const changed = differingNames(config, read.config)
      const changes = toChanges(read, changed, args)
      if (Object.keys(changes).length > 0) onReload(greenhouse.reload(changes))
      if (changes.assumptions) assumeInAll(greenhouse, assumptions, changes.assumptions)
      assumptions = changes.assumptions ?? assumptions
      config = read.config
      folders.close()
      folders = openFolders()
      greenhouse.setFilesState({
        problems: [],
        loadedAt: systemNow(),
      })
      const known = reloadable.filter((name) => name !== 'fixtures' || config.fixtures)
      const changedSince = [...differingNames(before.config, config)]
      const late = changedSince.filter((name) => !known.includes(name))
      const advice = `restart Greenhouse to change ${late.join(', ')}`
      if (late.length > 0) printError(terminal, `${basename(file)}: ${advice}.\n`)
    } catch (error) {
      if (isClosed) return
      greenhouse.setFilesState({
        problems: problemsOf(error, file),
        loadedAt: systemNow(),
      })
      onError(error)
    }
  }
  const watching = started && watchFile(started.file, () => void follow(started))
  return {
    close() {
      isClosed = true
      watching?.()
      folders.close()
    },
  }
}

function assumedBy({ assumptions }: GreenhouseOptions, { assume }: ServeArguments) {
  return { ...assumptions, ...Object.fromEntries(assume) }
}

/** Returns what a configuration that was read again changes: flags win over it. */
function toChanges(read: ConfigFile, changed: ReadonlySet<string>, args: ServeArguments) {
  const isDue = (name: 'fixtures' | 'scenarios') => args[name] === undefined && changed.has(name)
  const overruled: GreenhouseConfig = {}
  if (args.fixtures !== undefined) overruled.fixtures = undefined
  if (args.scenarios !== undefined) overruled.scenarios = undefined
  const options = readOptions(read, overruled)
  const changes: ReloadOptions = {}
  if (isDue('fixtures') && options.fixtures) changes.fixtures = options.fixtures
  if (isDue('scenarios')) changes.scenarios = options.scenarios ?? {}
  if (changed.has('assumptions') && args.assumeFile === undefined)
    changes.assumptions = assumedBy(options, args)
  return changes
}

function assumeInAll(greenhouse: Greenhouse, before: AssumptionChoices, after: AssumptionChoices) {
  const defaults = Object.fromEntries(
    greenhouse.assumptions().map(({ id, values: [first = ''] }) => [id, first]),
  )
  const known: Texts = { ...defaults, ...before }
  const changed = Object.entries({ ...defaults, ...after }).filter(
    ([id, value]) => known[id] !== value,
  )
  for (const name of greenhouse.worlds())
    greenhouse.findWorld(name)?.assume(Object.fromEntries(changed))
}

function pathIfText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return undefined
}

const maxWorlds = 5

function describeUnchanged({ scenarios, records }: Unchanged, server: string): string {
  const lines = scenarios.map(
    ({ world, scenario, reason }) =>
      `The scenario "${scenario}" is unchanged in the world "${world}": ${reason}`,
  )
  for (const { world, collections } of records.slice(0, maxWorlds))
    lines.push(
      `The world "${world}" keeps its own ${joinNames(collections, 'and')}: requests or tests have changed them.`,
    )
  if (records.length > maxWorlds) lines.push(`So do ${records.length - maxWorlds} other worlds.`)
  const [first] = records
  const which = records.length === 1 ? 'it' : 'one'
  if (first)
    lines.push(
      `To start ${which} from the files: greenhouse-mock reset --world ${first.world} --server ${server}`,
    )
  return lines.map((line) => `${line}\n`).join('')
}

/**
 * The time that a file must be quiet before it is read, in milliseconds: an editor saves in several
 * steps.
 */
const quiet = 60

/** Calls `changed` after each change of a file. */
function watchFile(file: string, changed: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const stop = watchFolder(dirname(file), (name) => {
    if (name && name !== basename(file)) return
    clearTimeout(timer)
    timer = setTimeout(changed, quiet)
  })
  return () => {
    clearTimeout(timer)
    stop()
  }
}
