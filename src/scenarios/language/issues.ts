import type * as z from 'zod/mini'
import { toIssueMessage, withoutMessages } from '../../core/store/validation-message.ts'
import { describeProblem } from '../../core/text/messages.ts'
import { valueAt } from '../../core/text/values.ts'

type Schema = z.core.$ZodType
type Issue = z.core.$ZodIssue

export function read<T>(
  schema: z.ZodMiniType<T>,
  value: unknown,
): { readonly data: T; readonly findings: readonly [] } | { readonly findings: readonly [Finding, ...Finding[]] } {
  const { success, data, error } = schema.safeParse(value, withoutMessages)
  if (success) return { data, findings: [] }
  return { findings: error.issues.flatMap((issue) => toFindings(issue, schema, value)) as [Finding, ...Finding[]] }
}

function toFindings(issue: Issue, schema: Schema, root: unknown): Finding[] {
  const { path } = issue
  const value = valueAt(root, path)
  if (issue.code === 'unrecognized_keys') {
    const known = schemaFieldsOf(schemaAt(schema, root, path))
    return issue.keys.map((name) => ({
      path: [...path, name],
      message: describeProblem('such field', name, known, true),
    }))
  }
  return [{ path, message: toIssueMessage(issue, value) }]
}

export interface Finding {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** Returns the schema at a path. Follows the alternative of a union that the value's discriminator selects. */
function schemaAt(schema: z.core.$ZodType, value: unknown, path: readonly PropertyKey[]): z.core.$ZodType | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod
  const [step, ...rest] = path
  const below = (next: z.core.$ZodType | undefined) => next && schemaAt(next, valueAt(value, [step!]), rest)
  switch (def.type) {
    case 'optional':
      return schemaAt(def.innerType, value, path)
    case 'union': {
      const { discriminator } = def as z.core.$ZodDiscriminatedUnionDef
      const chosen = discriminator === undefined ? undefined : valueAt(value, [discriminator])
      const option = def.options.find(
        ({ _zod }) => discriminator !== undefined && _zod.propValues?.[discriminator]?.has(chosen as string),
      )
      return option && schemaAt(option, value, path)
    }
    case 'array':
      return step === undefined ? schema : below(def.element)
    case 'record':
      return step === undefined ? schema : below(def.valueType)
    case 'object':
      return step === undefined ? schema : below(def.shape[String(step)])
    default:
      return schema
  }
}

function schemaFieldsOf(schema: z.core.$ZodType | undefined): string[] {
  const def = (schema as z.core.$ZodTypes | undefined)?._zod.def
  return def?.type === 'object' ? Object.keys(def.shape) : []
}
