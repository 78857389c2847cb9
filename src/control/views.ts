import { version } from '../../package.json'
import type { World } from '../api/world.ts'
import type { Greenhouse } from '../api/greenhouse.ts'
import type { Journal } from '../api/journal.ts'
import { sharedByBuilds } from '../core/contract/across-builds.ts'
import type { Problem } from '../core/contract/problem.ts'
import { systemNow } from '../core/time/clock.ts'
import { toIso } from '../core/time/time-text.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import type {
  ActiveScenarios,
  ClockSummary,
  FileProblem,
  FileProblems,
  Start,
  StartKey,
  WorldSummary,
} from './answers.ts'
import type { Call } from './call.ts'

export function showWorld(world: World): WorldSummary {
  const { name, seed, pinned, scenarios, snapshots, journal } = world
  return {
    name,
    seed,
    pinned,
    scenarios,
    used_up: world.core.active.filter(isUsedUp).map((scenario) => scenario.name),
    clock: showClock(world),
    journal: { size: journal.size, evicted: journal.evicted },
    snapshots,
  }
}

function isUsedUp({ effects }: LiveWorld['active'][number]): boolean {
  return effects.length > 0 && effects.every((effect) => effect.isUsedUp?.() ?? false)
}

export function showScenarios({ active }: World): ActiveScenarios {
  return { active }
}

export function showClock({ clock }: World): ClockSummary {
  return { now: toIso(clock.now()), frozen: clock.frozen }
}

const maxShown = 1_000

export function showProblems({ files }: Greenhouse): FileProblems {
  const { unsaved, problems, watching, loadedAt } = files
  const all = unsaved ? [unsaved, ...problems] : problems
  return { data: all.slice(0, maxShown).map(showProblem), watching, loaded_at: toIso(loadedAt) }
}

export function showProblem({ file, line, column, path, message }: Problem): FileProblem {
  const place = path.length === 0 ? '' : `${path.map(String).join('.')}: `
  return { file, line: line ?? null, column: column ?? null, message: place + message }
}

export function showStart({ greenhouse, origin, bases }: Call): Start {
  const world = greenhouse.world('default')
  return {
    version,
    plants_url: bases.plants,
    apps_url: bases.apps,
    areas: greenhouse.catalogue.areas.map(({ name }) => name),
    panel_url: `${origin}/__greenhouse/`,
    keys: Object.fromEntries(describeKeys(greenhouse)),
    scenarios: world.scenarios,
    ...(greenhouse.files.config !== undefined && { config: greenhouse.files.config }),
  }
}

/** Describes the keys that may be shown: those of plain words from the fixtures. */
export function describeKeys(greenhouse: Greenhouse): (readonly [secret: string, key: StartKey])[] {
  const world = greenhouse.world('default')
  const shown = world.records.keys.all().filter(({ secret }) => world.nameKey(secret) === secret)
  return shown.map(({ secret, account, expires_at, revoked, scopes }) => {
    const plan = world.records.accounts.get(account)?.plan
    const note = revoked ? 'revoked' : expires_at ? 'expires ' + expires_at : scopes ? scopes.join(' ') : undefined
    return [secret, { ...(plan !== undefined && { plan }), account, ...(note && { note }) }]
  })
}

const given = sharedByBuilds('identities', () => ({ texts: new WeakMap<object, string>(), count: 0 }))

/** Returns an id of a running server, different from all others, even from earlier ones at the same port. */
export function identityOfServer(greenhouse: Greenhouse): string {
  return identify(greenhouse, () => `${systemNow().toString(36)}${(given.count++).toString(36)}`)
}

export function identityOfJournal(greenhouse: Greenhouse, journal: Journal): string {
  return identify(journal, () => `${identityOfServer(greenhouse)}.${(given.count++).toString(36)}`)
}

function identify(one: object, make: () => string): string {
  let text = given.texts.get(one)
  if (text === undefined) given.texts.set(one, (text = make()))
  return text
}
