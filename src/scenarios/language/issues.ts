import type * as z from 'zod/mini'
import { suggest } from '../../core/text/messages.ts'
import { valueAt } from '../../core/text/values.ts'
import { toIssueMessage, withoutMessages } from '../../core/store/validation-message.ts'
import { schemaAt, schemaFieldsOf } from './schema-path.ts'

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
      message: `there is no such field; expected one of ${known.join(', ')}.${suggest(name, known)}`,
    }))
  }
  return [{ path, message: toIssueMessage(issue, value) }]
}

export interface Finding {
  readonly path: readonly PropertyKey[]
  readonly message: string
}
