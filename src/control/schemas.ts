import * as z from 'zod/mini'
import { areaNames, eventTypes } from '../areas/event-types.ts'
import { assumptionRegistry } from '../api/assembly/catalogue.ts'
import { deliveryStatuses } from '../areas/apps/webhooks/schemas.ts'
import { keySchema, planNames } from '../core/accounts/accounts.ts'
import { scenarioChoice } from '../cases/format.ts'
import { worldName } from '../core/pipeline/router.ts'
import { maxFields } from './body.ts'

/** The largest number of scenarios in one call: every request is checked against each of them. */
const maxScenarios = 100

/** The largest number of records in one call, over all collections. Checking 5,000 takes some hundredths of a second. */
const maxRecords = 5_000

const tooManyRecords = `expected at most ${maxRecords} records in one call; load more from fixture files`

const time = z.union([z.string(), z.number()], 'expected a time, such as "2026-01-31T12:00:00Z"')

const choices = z.pipe(
  z
    .unknown()
    .check(
      z.refine(
        (value) => !Array.isArray(value) || value.length <= maxScenarios,
        `expected at most ${maxScenarios} scenarios`,
      ),
    ),
  z.array(scenarioChoice),
)

const list = z.array(z.unknown())

const searchText = z.optional(z.string().check(z.maxLength(1_000, 'expected at most 1,000 characters')))

const records = list.check(z.maxLength(maxRecords, tooManyRecords))

export const assumptionsSchema = z.pipe(
  fewFields(z.record(z.string(), z.unknown())),
  z.transform((given, context) => {
    const read = Object.entries(given).map(([id, value]) => {
      // As in scenario files: 204 is '204'.
      if (typeof value === 'number') return [id, String(value)]
      if (typeof value !== 'string')
        context.issues.push({ code: 'custom', input: value, path: [id], message: describeValues(id, value) })
      return [id, value]
    })
    return Object.fromEntries(read) as Record<string, string>
  }),
)

export const scenariosSchema = z.strictObject({ active: choices })

export const moreScenariosSchema = z.strictObject({
  active: choices,
  place: z.optional(z.int().check(z.gte(0, 'expected a place: a whole number, 0 or more'))),
})

export const clockSchema = z.strictObject({
  now: z.optional(time),
  advance: z.optional(z.union([z.string(), z.number()], 'expected a duration, such as "90s"')),
  frozen: z.optional(z.boolean()),
})

export const recordsSchema = z.pipe(
  z.union(
    [
      list,
      z.pipe(
        z.strictObject({ data: list }),
        z.transform(({ data }) => data),
      ),
    ],
    'expected { "data": […] }',
  ),
  records,
)

export const goBackSchema = z.strictObject({
  /** The snapshot to save first, so that the call can be undone. */
  snapshot: z.optional(z.string().check(z.regex(worldName, 'expected 1 to 64 of the characters A-Z a-z 0-9 . _ -'))),
})

export const worldSchema = z.strictObject({
  seed: z.optional(z.int()),
  now: z.optional(time),
  frozen: z.optional(z.boolean()),
  scenarios: z.optional(choices),
  assumptions: z.optional(assumptionsSchema),
  records: z.optional(
    fewFields(z.record(z.string(), list)).check(
      z.refine(
        (given) => Object.values(given).reduce((sum, { length }) => sum + length, 0) <= maxRecords,
        tooManyRecords,
      ),
    ),
  ),
})

export const newKeySchema = z.strictObject({
  account: z.string(),
  scopes: keySchema.shape.scopes,
  expires_at: keySchema.shape.expires_at,
})

export const keyChangesSchema = z.strictObject({
  revoked: z.optional(z.boolean()),
  expires_at: z.optional(z.nullable(z.iso.datetime())),
})

const digits = z.string().check(z.regex(/^\d{1,9}$/, 'expected a whole number'))

export const journalQuerySchema = z.strictObject({
  operation: z.optional(z.string()),
  status: z.optional(
    z
      .string()
      .check(z.regex(/^(\d{1,9}|[1-5]xx)$/, 'expected a status, such as 404, or a class of statuses, such as 4xx')),
  ),
  limit: z.optional(digits),
  violations: z.optional(z.enum(['true', 'false'])),
  errors: z.optional(z.enum(['true', 'false'])),
  scenario: z.optional(z.string()),
  search: searchText,
  before: z.optional(digits),
})

const longestTitle = 200

export const caseQuerySchema = z.strictObject({
  title: z.optional(z.string().check(z.maxLength(longestTitle))),
  until: z.optional(digits),
})

export const openCaseSchema = z.strictObject({ text: z.string(), file: z.optional(z.string()) })

export const recordsQuerySchema = z.strictObject({
  search: searchText,
  sort: z.optional(z.string()),
  limit: z.optional(digits),
  offset: z.optional(digits),
  places: z.optional(z.enum(['true', 'false'])),
})

export const newRecordQuerySchema = z.strictObject({
  place: z.optional(z.string().check(z.regex(/^\d{1,12}$/, 'expected a place, as a list with places=true returns it'))),
})

export const limitQuerySchema = z.strictObject({ limit: z.optional(digits) })

export const deliveriesQuerySchema = z.strictObject({
  webhook: z.optional(z.string()),
  type: z.optional(z.enum(eventTypes)),
  status: z.optional(z.enum(deliveryStatuses)),
  limit: z.optional(digits),
})

export const deleteRecordQuerySchema = z.strictObject({ cascade: z.optional(z.enum(['true', 'false'])) })

export const accountChangesSchema = z.strictObject({ plan: z.optional(z.enum(planNames)) })

export const refillSchema = z.strictObject({ window: z.optional(z.enum(['minute', 'day'])) })

export const eventsQuerySchema = z.strictObject({ world: z.optional(z.string()), types: z.optional(z.string()) })

export const openApiQuerySchema = z.strictObject({ area: z.optional(z.enum(areaNames)) })

export const scenarioQuerySchema = z.strictObject({ search: searchText })

export const eventSchema = z.strictObject({
  type: z.string(),
  data: z.optional(z.record(z.string(), z.unknown())),
  account: z.optional(z.string()),
  app_id: z.optional(z.string()),
})

function fewFields<T extends z.ZodMiniType>(schema: T) {
  const few = z
    .unknown()
    .check(
      z.refine(
        (value) => typeof value !== 'object' || value === null || Object.keys(value).length <= maxFields,
        `expected at most ${maxFields} fields`,
      ),
    )
  return z.pipe(few, schema)
}

function describeValues(id: string, value: unknown): string {
  const values = assumptionRegistry.list().find((known) => known.id === id)?.values
  const given = typeof value === 'object' && value !== null ? 'an object or a list' : String(value)
  if (!values) return `expected a string, received ${given}`
  return `expected one of ${values.map((known) => `"${known}"`).join(', ')}, received ${given}.`
}
