import * as z from 'zod/mini'
import { ApiError } from '../../core/definitions/errors.ts'
import { toReason } from '../../core/definitions/reason.ts'
import type { QueryParameters } from '../../core/pipeline/query.ts'
import { withoutMessages } from '../../core/store/issue-message.ts'
import { toSentence } from '../../core/store/validation-message.ts'
import { leavesOf, toParts, valueTypesOf, type SchemaParts } from './schema.ts'

interface ParameterReader {
  readonly known: QueryParameters
  read(textsOf: (name: string) => readonly string[]): Readonly<Record<string, unknown>>
}

export function createReader(schema: z.ZodMiniType, owner: string): ParameterReader {
  const { def } = (schema as unknown as z.core.$ZodTypes)._zod
  const { properties = {} } = toParts(schema, owner, 'input')
  if (def.type !== 'object')
    throw new TypeError(`${owner} takes the schema of an object, with a field for each parameter.`)
  const names = Object.keys(def.shape)
  const known = Object.fromEntries(
    names.map((name) => [name, toParameter(properties[name] ?? {}, def.shape[name]!, name)]),
  )
  return {
    known,
    read(textsOf) {
      const sent: Record<string, unknown> = {}
      for (const name of names) {
        const texts = textsOf(name)
        if (texts.length > 0) sent[name] = toValue(texts, properties[name] ?? {})
      }
      try {
        const { success, data, error } = schema.safeParse(sent, withoutMessages)
        if (success) return data as Record<string, unknown>
        throw new ApiError('invalid_request', error.issues.map((issue) => toSentence(issue, schema, sent)).join(' '))
      } catch (error) {
        if (error instanceof ApiError) throw error
        // A transform threw.
        const wrong = names.flatMap((name) => {
          const texts = textsOf(name)
          const problem = texts.length > 0 ? known[name]!.check!(texts[0]!, texts) : undefined
          return problem === undefined ? [] : `${name} ${problem}.`
        })
        throw wrong.length > 0 ? new ApiError('invalid_request', wrong.join(' ')) : error
      }
    },
  }
}

function toParameter(json: SchemaParts, schema: z.core.$ZodType, name: string): QueryParameters[string] {
  const { description = '', default: fallback, ...rest } = json
  return {
    description,
    schema: rest as Readonly<Record<string, unknown>>,
    ...(fallback !== undefined && { default: String(fallback) }),
    ...(findList(json) && { isList: true }),
    check(text, all = [text]) {
      const value = toValue(all, json)
      try {
        const { issues } = (schema as z.ZodMiniType).safeParse(value, withoutMessages).error ?? { issues: [] }
        const sentence = issues[0] && toSentence({ ...issues[0], path: [name] }, wrap(schema, name), { [name]: value })
        // The caller adds the name and the full stop.
        return sentence?.slice(name.length + 1, -1)
      } catch (error) {
        const reason = toReason(error)
        // Zod refuses an asynchronous schema, which is not the client's fault. The user's copy of Zod has classes of its own.
        if (reason.includes('.parseAsync()')) throw error
        return `is not valid: ${reason.replace(/\.$/, '')}`
      }
    },
  }
}

function wrap(schema: z.core.$ZodType, name: string): z.ZodMiniType {
  return z.object({ [name]: schema })
}

function toValue(texts: readonly string[], schema: SchemaParts): unknown {
  const list = findList(schema)
  return list ? texts.map((text) => toSingle(text, list.items ?? {})) : toSingle(texts[0]!, schema)
}

function findList(schema: SchemaParts): SchemaParts | undefined {
  return leavesOf(schema).find(({ type }) => type === 'array')
}

function toSingle(text: string, schema: SchemaParts): unknown {
  const types = valueTypesOf(schema)
  if (types.includes('string')) return text
  if ((types.includes('integer') || types.includes('number')) && /^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  return text
}
