import * as z from 'zod/mini'
import { sharedByBuilds } from '../core/contract/builds.ts'
import { anyTexts, anyInteger, anyText, described } from '../core/contract/zod.ts'
import { limitLength } from '../core/store/options.ts'
import type { Problem } from '../core/contract/problem.ts'
import { systemNow } from '../core/time/clock.ts'
import { toIso } from '../core/time/time-text.ts'
import { describeProblem, toScenarioText } from '../core/text/messages.ts'
import { toInlineName } from '../core/world/scenario-choice.ts'
import type { LiveScenario } from '../core/world/effective-settings.ts'
import type { Greenhouse } from '../api/greenhouse.ts'
import type { ActiveScenario } from '../api/names.ts'
import type { World } from '../api/world.ts'
import { maxListed } from './list-limit.ts'
import { cached } from '../core/contract/cache.ts'

/**
 * Returns the schema of values that have a type already. A test compares the answers with the
 * schemas.
 */
export function schemaOf<T>(schema: z.ZodMiniType): z.ZodMiniType<T> {
  return schema as z.ZodMiniType<T>
}

/** An object with a name in the OpenAPI document. */
export function named<Shape extends z.core.$ZodShape>(id: string, shape: Shape) {
  return z.object(shape).check(z.meta({ id }))
}

export function listOf<T>(item: z.ZodMiniType<T>) {
  return z.object({ data: z.array(item) })
}

export const failureSchema = named('Error', {
  error: z.object({
    code: described(anyText, 'For programs: unknown_world, invalid_request, …'),
    message: described(anyText, 'What is wrong, often with a suggestion'),
    errors: z.optional(
      described(
        z.array(
          z.object({
            path: described(anyText, 'A JSON Pointer'),
            message: anyText,
          }),
        ),
        'The fields that are wrong',
      ),
    ),
  }),
})
export type Failure = z.infer<typeof failureSchema>

export function countParameter() {
  const digits = z
    .string()
    .check(z.refine((text) => /^\d{1,9}$/.test(text), 'expected a whole number'))
  return z.pipe(digits, z.transform(Number)).check(
    z.meta({
      type: 'integer',
      minimum: 0,
    }),
  )
}

export const flagParameter = z
  .stringbool({
    truthy: ['true'],
    falsy: ['false'],
    case: 'sensitive',
  })
  .check(z.meta({ type: 'boolean' }))

export const searchText = z.optional(z.string().check(limitLength()))

const capped = z.transform((limit: number) => Math.min(maxListed, limit))

export const pageFields = {
  limit: z.pipe(
    z._default(described(countParameter(), `${maxListed} by default, and at most`), maxListed),
    capped,
  ),
  offset: z._default(countParameter(), 0),
}
export const pageQuery = z.strictObject(pageFields)

export function toListPage<T, Shown>(
  items: readonly T[],
  { limit, offset }: z.infer<typeof pageQuery>,
  show: (item: T) => Shown,
) {
  return {
    data: items.slice(offset, offset + limit).map(show),
    total: items.length,
  }
}

/**
 * A query of fields, and of others that have no end of names, by their first part: `header.NAME`.
 */
export function openQuery<Fields extends z.core.$ZodShape>(
  fields: Fields,
  prefixes: readonly string[],
  description: string,
) {
  const isOpen = (name: string) =>
    prefixes.some((prefix) => name.startsWith(`${prefix}.`) && name.length > prefix.length + 1)
  return z.looseObject(fields).check(
    ({ value, issues }) => {
      const names = Object.keys(value)
      const unknown = names.find((name) => !Object.hasOwn(fields, name) && !isOpen(name))
      if (unknown === undefined) return
      const [, rest = 'NAME'] = /^[^.]*\.(.{1,100})/s.exec(unknown) ?? []
      const known = [...Object.keys(fields), ...prefixes.map((prefix) => `${prefix}.${rest}`)]
      const message = describeProblem('there is no such field', unknown, known, true)
      issues.push({
        code: 'custom',
        input: value,
        path: [unknown],
        message,
      })
    },
    z.meta({
      additionalProperties: {
        type: 'string',
        description,
      },
    }),
  )
}

export function pageOf<T>(item: z.ZodMiniType<T>) {
  return z.object({
    data: z.array(item),
    total: described(anyInteger, 'How many there are on all pages'),
  })
}

export const limitFields = {
  limit: z.pipe(
    z._default(
      described(countParameter(), `How many to list: 100 by default, at most ${maxListed}`),
      100,
    ),
    capped,
  ),
}

/**
 * A schema that checks the size of a list or an object first, because reading many parts takes
 * long.
 */
export function withLimit<T extends z.ZodMiniType>(schema: T, max: number, what: string) {
  const check = z.transform((value: unknown, { issues }) => {
    if (typeof value === 'object' && value !== null && Object.keys(value).length > max)
      issues.push({
        code: 'custom',
        input: value,
        message: `expected at most ${max} ${what}`,
      })
    return value
  })
  return z.pipe(check, schema)
}

/**
 * The largest number of records in one call, over all collections. Checking 5,000 takes some
 * hundredths of a second.
 */
export const maxRecords = 5_000

export const tooManyRecords = `expected at most ${maxRecords} records in one call; load more from fixture files`

export const worldTime = described(anyText, "ISO 8601, on the world's clock")

export const clockState = named('Clock', {
  now: worldTime,
  frozen: z.boolean(),
})
export type ClockSummary = z.infer<typeof clockState>

export function showClock({ clock }: World): ClockSummary {
  return {
    now: toIso(clock.now()),
    frozen: clock.frozen,
  }
}

export const activeScenarios = named('ActiveScenarios', {
  active: described(
    z.array(
      schemaOf<ActiveScenario>(
        z.looseObject({
          name: z.optional(anyText),
          title: z.optional(anyText),
        }),
      ),
    ),
    'The active scenarios with all their options, in the order of their activation',
  ),
})
export type ActiveList = z.infer<typeof activeScenarios>

export function showScenarios({ active }: World): ActiveList {
  return { active: [...active] }
}

export const worldState = named('World', {
  name: anyText,
  seed: anyInteger,
  pinned: described(z.boolean(), 'Whether it is never dropped to make room'),
  scenarios: anyTexts,
  used_up: described(anyTexts, 'The scenarios that have reached their `times`'),
  clock: clockState,
  journal: z.object({
    size: anyInteger,
    evicted: anyInteger,
  }),
  snapshots: anyTexts,
})
export type WorldSummary = z.infer<typeof worldState>

export function showWorld(world: World): WorldSummary {
  const { name, seed, pinned, scenarios, snapshots, journal } = world
  return {
    name,
    seed,
    pinned,
    scenarios: [...scenarios],
    used_up: world.core.scenarios.active.filter(isUsedUp).map((scenario) => scenario.name),
    clock: showClock(world),
    journal: {
      size: journal.size,
      evicted: journal.evicted,
    },
    snapshots: [...snapshots],
  }
}

export function toActiveNames(active: readonly ActiveScenario[]): string[] {
  return active.map((choice) => {
    if (choice.name === undefined) return toInlineName(choice.title)
    return toScenarioText(choice)
  })
}

function isUsedUp({ effects }: LiveScenario): boolean {
  return effects.length > 0 && effects.every((effect) => effect.isUsedUp?.() ?? false)
}

export const fileProblem = z
  .object({
    file: anyText,
    line: described(z.nullable(anyInteger), 'Counts from 1; null for a problem of the whole file'),
    column: z.nullable(anyInteger),
    message: anyText,
  })
  .check(
    z.meta({
      id: 'FileProblem',
      description: 'A mistake in a file. Until it is corrected, the last good state stays in use',
    }),
  )
export type FileProblem = z.infer<typeof fileProblem>

export const fileProblems = z.object({
  data: z.array(fileProblem),
  watching: z.boolean(),
  loaded_at: described(anyText, "When the files were last read: ISO 8601, on the machine's clock"),
})
export type FileProblems = z.infer<typeof fileProblems>

export function showProblems({ files }: Greenhouse): FileProblems {
  const { unsaved, problems, watching, loadedAt } = files
  const all = unsaved ? [unsaved, ...problems] : [...problems]
  return {
    data: all.slice(0, maxListed).map(showProblem),
    watching,
    loaded_at: toIso(loadedAt),
  }
}

export function showProblem({ file, line, column, path, message }: Problem): FileProblem {
  const place = path.length === 0 ? '' : `${path.map(String).join('.')}: `
  return {
    file,
    line: line ?? null,
    column: column ?? null,
    message: place + message,
  }
}

const given = sharedByBuilds('identities', () => ({
  texts: new WeakMap<object, string>(),
  count: 0,
}))

/**
 * Returns the id of a server or a journal, different from all others, even from those of earlier
 * servers at the same port.
 */
export function identityOf(one: object, start = systemNow().toString(36)): string {
  return cached(given.texts, one, () => start + (given.count++).toString(36))
}
