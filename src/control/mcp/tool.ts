import * as z from 'zod/mini'
import type { Answers, RouteName } from '../actions/index.ts'
import type { ActionFields } from '../client/control-api.ts'
import { JsonError, parseJson } from '../../core/http/json.ts'
import { anyText, described, optional } from '../../core/contract/zod.ts'

export interface ToolContext {
  /** Calls an action. @param body instead of the fields that its path does not name */
  call<Route extends RouteName>(
    route: Route,
    fields?: ActionFields<Route>,
    body?: object,
  ): Promise<Answers[Route]>
  /** The URL of the server, for links and commands. */
  readonly server: string
  readonly world: string
}

export interface ToolText {
  readonly name: string
  readonly title: string
  /** The text that an agent reads to choose it, often nothing else. */
  readonly description: string
}

export interface Tool extends ToolText {
  readonly input: z.ZodMiniType
  readonly readOnly?: boolean
  readonly destructive?: boolean
  run(context: ToolContext, input: unknown): Promise<object>
}

export type ToolShape = Readonly<Record<string, z.ZodMiniType>>

interface ComposedTool<In extends ToolShape> extends Omit<Tool, 'input' | 'run'> {
  /** The input but for `world`, which every tool takes. */
  readonly input: In
  run(context: ToolContext, input: z.output<z.ZodMiniObject<In>>): Promise<object>
}

export const world = optional(
  anyText,
  'An isolated copy of the service, made on first use; omit it for the default one',
)

export function defineTool<const In extends ToolShape>(tool: ComposedTool<In>): Tool {
  return {
    ...tool,
    input: z.strictObject({ ...tool.input, world }),
  }
}

/**
 * The most bytes of an answer's list, or of its one large value: more than 8 kB in all would crowd
 * an agent's context.
 */
const room = 7_000

/**
 * A value of any shape, which is given as JSON text: many clients refuse schemas of objects with
 * unknown fields, and of several types. The value itself is taken too.
 */
export function json<Schema extends z.ZodMiniType>(schema: Schema, description: string) {
  const read = z.transform((input: unknown, context) => {
    const reject = (message: string) => {
      context.issues.push({ code: 'custom', input, message })
      return z.NEVER
    }
    if (typeof input !== 'string') {
      const loss = findLoss(input)
      return loss === undefined ? input : reject(loss)
    }
    try {
      return parseJson(input)
    } catch (error) {
      if (!(error instanceof JsonError)) throw error
      return reject(`expected JSON: ${error.message}`)
    }
  })
  return asText(z.optional(z.pipe(read, schema)), `JSON: ${description}`)
}

const deepest = 100

/** Says what a parsed value may have lost, or cannot keep on its way to the server. */
function findLoss(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    return 'expected JSON as a text, as an integer is beyond 2^53'
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > deepest) return `nested deeper than ${deepest} levels`
  for (const part of Object.values(value)) {
    const loss = findLoss(part, depth + 1)
    if (loss !== undefined) return loss
  }
  return undefined
}

/** Shows agents a schema as a text, though it takes more. */
export function asText<Schema extends z.ZodMiniType>(schema: Schema, description: string): Schema {
  return schema.check(
    z.meta({
      type: 'string',
      description,
    }),
  )
}

export const recordId = z.union([anyText, z.int(), z.bigint()])

export const naturalNumber = z.optional(
  z.int().check(z.gte(0, 'expected a whole number, 0 or more')),
)

export const offset = described(naturalNumber, 'How many to skip at the start')

const limitRule = 'expected a whole number from 1 to 100'
export const limit = described(
  z._default(z.int().check(z.gte(1, limitRule), z.lte(100, limitRule)), 20),
  'At most 100',
)

export function takeFitting<T>(items: readonly T[]): T[] {
  const taken: T[] = []
  let left = room
  for (const item of items) {
    const short = fit(item)
    left -= jsonSizeOf(short) + 1
    if (left < 0 && taken.length > 0) break
    taken.push(short)
  }
  return taken
}

/**
 * What is left is under `next`: arguments to call again with.
 * @param rest the items from `offset` on, or the first of them
 */
export function toPage<T>(rest: readonly T[], offset = 0, total = offset + rest.length) {
  const data = takeFitting(rest)
  const end = offset + data.length
  return {
    data,
    total,
    next: nextPartOf(end, total),
  }
}

/** The limits of texts and lists, from generous to tight. */
const limits = [
  [2_000, 200],
  [400, 30],
  [80, 8],
  [20, 2],
] as const

/**
 * Cuts long texts and lists until a value fits, and makes it JSON: what JSON numbers can't hold is
 * a string of digits.
 */
export function fit<T>(value: T): T {
  let short: unknown
  for (const [longest, most] of limits) {
    short = cut(value, longest, most)
    if (jsonSizeOf(short) <= room) break
  }
  return short as T
}

function cut(value: unknown, longest: number, most: number): unknown {
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'string') {
    if (value.length > longest)
      return `${value.slice(0, longest)}… (${value.length - longest} more characters)`
    return value
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const kept = value.slice(0, most).map((item) => cut(item, longest, most))
    if (value.length > most) return [...kept, `… and ${value.length - most} more`]
    return kept
  }
  const entries = Object.entries(value)
  const maxFields = 4 * most
  const kept = entries
    .slice(0, maxFields)
    .map(([name, part]) => [name, cut(part, longest, most)] as const)
  return Object.fromEntries(
    entries.length > maxFields ? [...kept, ['…', `and ${entries.length - maxFields} more`]] : kept,
  )
}

function jsonSizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '')
}

/**
 * The most characters of a text in one answer: escaped, with three bytes for each, they must fit.
 */
export function cutToRoom(text: string, offset = 0) {
  let part = text.slice(offset, offset + room)
  while (Buffer.byteLength(JSON.stringify(part)) > room)
    part = part.slice(0, Math.floor(part.length * 0.8))
  const end = offset + part.length
  return {
    text: part,
    total: text.length,
    next: nextPartOf(end, text.length),
  }
}

function nextPartOf(offset: number, total: number) {
  return offset < total ? { offset } : undefined
}
