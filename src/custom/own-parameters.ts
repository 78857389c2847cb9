import { codedError } from '../core/text/error-codes.ts'
import type * as z from 'zod/mini'
import { invalidRequest, toReason } from '../core/contract/errors.ts'
import type { JsonSchema } from '../core/contract/json-schema.ts'
import type { QueryParameter, QueryParameters } from '../core/pipeline/list-query.ts'
import { describeIssue, toSentence, withoutMessages } from '../core/store/validation-message.ts'
import { withAlternatives, type OwnSchema, toJsonSchemaOf, toZod, valueTypesOf } from './schema.ts'
import type { Fields } from '../core/text/values.ts'

/** Parameters of a path or a query, as the document shows them, and how a request's are read. */
export interface ParameterReader {
  readonly known: QueryParameters
  /** @throws ApiError 400 for values that the schema refuses. */
  read(textsOf: (name: string) => readonly string[]): Fields
}

export function createReader(given: OwnSchema, owner: string): ParameterReader {
  const schema = toZod(given, owner, ['input'])
  const { def } = (schema as unknown as z.core.$ZodTypes)._zod
  const { properties = {} } = toJsonSchemaOf(schema, owner, 'input')
  if (def.type !== 'object')
    throw codedError(
      'GREENHOUSE_INVALID_DEFINITION',
      `${owner} takes the schema of an object, with a field for each parameter.`,
    )
  const known: Record<string, CheckedParameter> = {}
  for (const [name, field] of Object.entries(def.shape))
    known[name] = toCheckedParameter(properties[name] ?? {}, field)
  return {
    known,
    read(textsOf) {
      const sent: Record<string, unknown> = {}
      const problems: string[] = []
      for (const [name, { check }] of Object.entries(known)) {
        const texts = textsOf(name)
        const [first] = texts
        if (first === undefined) continue
        sent[name] = toParameterValue(texts, properties[name] ?? {})
        const problem = check(first, texts)
        if (problem !== undefined) problems.push(`${name} ${problem}.`)
      }
      if (problems.length > 0) throw invalidRequest(problems.join(' '))
      const { success, data, error } = schema.safeParse(sent, withoutMessages)
      if (success) return data as Record<string, unknown>
      throw invalidRequest(error.issues.map((issue) => toSentence(issue, schema, sent)).join(' '))
    },
  }
}

interface CheckedParameter extends QueryParameter {
  check(text: string, all?: readonly string[]): string | undefined
}

function toCheckedParameter(json: JsonSchema, schema: z.core.$ZodType): CheckedParameter {
  const { description = '', default: fallback, ...rest } = json
  return {
    description,
    schema: rest,
    default: fallback === undefined ? fallback : String(fallback),
    isList: findList(json) !== undefined,
    check(text, all = [text]) {
      const value = toParameterValue(all, json)
      try {
        const { error } = (schema as z.ZodMiniType).safeParse(value, withoutMessages)
        const [issue] = error?.issues ?? []
        if (!issue) return undefined
        const [finding] = describeIssue(
          {
            ...issue,
            path: [],
          },
          schema,
          value,
          'client',
        )
        // The caller adds the name and the full stop.
        return finding?.message.slice(0, -1)
      } catch (error) {
        const reason = toReason(error)
        // Zod refuses an asynchronous schema, which is not the client's fault. The user's copy of
        // Zod has its own classes.
        if (reason.includes('.parseAsync()')) throw error
        return `is not valid: ${reason.replace(/\.$/, '')}`
      }
    },
  }
}

function toParameterValue(texts: readonly string[], schema: JsonSchema): unknown {
  const list = findList(schema)
  if (list) return texts.map((text) => toSingle(text, list.items ?? {}))
  const [first = ''] = texts
  return toSingle(first, schema)
}

function findList(schema: JsonSchema): JsonSchema | undefined {
  return withAlternatives(schema).find(({ type }) => type === 'array')
}

function toSingle(text: string, schema: JsonSchema): unknown {
  const types = valueTypesOf(schema)
  if (types.includes('string')) return text
  if ((types.includes('integer') || types.includes('number')) && /^-?\d+(\.\d+)?$/.test(text))
    return Number(text)
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  return text
}
