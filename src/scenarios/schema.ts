import * as z from 'zod/mini'
import type { EffectKind } from './effect-kind.ts'
import { accountEffect } from './effects/account.ts'
import { assumeEffect } from './effects/assume.ts'
import { faultEffect } from './effects/fault.ts'
import { keysEffect } from './effects/keys.ts'
import { malformEffect } from './effects/malform.ts'
import { quotaEffect } from './effects/quota.ts'
import { recordsEffect } from './effects/records.ts'
import { respondEffect } from './effects/respond.ts'
import { optionSchema } from './options.ts'

/** Every kind of effect, in the order in which a file's members are documented. */
export const effectKinds: readonly EffectKind[] = [
  keysEffect,
  quotaEffect,
  accountEffect,
  assumeEffect,
  recordsEffect,
  respondEffect,
  malformEffect,
  faultEffect,
]

/** What a scenario can be called. */
export const scenarioName = /^[a-z0-9-]+$/

/** What every scenario file says besides its effects. */
export const headSchema = z.object({
  title: z.string().check(z.minLength(1)),
  description: z.string().check(z.minLength(1)),
  /** What in a client it exercises. */
  covers: z.string().check(z.minLength(1)),
  options: z.optional(z.record(z.string().check(z.regex(/^[a-z][a-z0-9-]*$/)), optionSchema)),
})

/** A scenario file's content. */
export type ScenarioFile = z.infer<typeof headSchema> & Record<string, unknown>
