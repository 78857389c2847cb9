import type { Endpoint } from '../core/pipeline/endpoint.ts'
import { quote } from '../core/definitions/quote.ts'
import { suggest } from '../core/definitions/suggest.ts'
import type { Conditions } from './condition.ts'
import type { Finding } from './finding.ts'
import { isMalformable, malformationsOf } from './field-malformations.ts'
import type { MalformKind } from './malformation.ts'
import { toPath } from './pointer.ts'
import { fieldAt, fieldsNamed, replyFieldsOf, nameOf, pointerOf, replyOf, type ReplyField } from './reply-fields.ts'

interface MalformSpec {
  readonly on?: Conditions['on']
  readonly at?: string | undefined
  readonly field?: string | undefined
  readonly kind: MalformKind
  readonly breaks?: boolean | undefined
}

const reasons: Partial<Record<MalformKind, string>> = {
  missing: "the whole reply can't be left out",
  duplicate: 'it is neither an array nor an item of one',
  'bad-utf8': 'it is not a string',
  'bad-enum': 'the contract does not limit it to a list of values',
  'out-of-range': 'the contract sets no bounds for it',
}

/**
 * Reports a place that no reply has, or that the kind cannot malform, because the effect would silently never act. Does not check
 * the fields of globs, because an assumption may add fields to their replies.
 */
export function checkPlace(
  { on, at, field, kind, breaks = false }: MalformSpec,
  operations: readonly Endpoint[],
): Finding[] {
  const names = on === undefined ? [] : [on].flat()
  const named = names.flatMap((name, index) =>
    operations
      .filter(({ id }) => id === name)
      .map((operation) => ({ operation, path: Array.isArray(on) ? ['on', index] : ['on'] })),
  )
  const bodiless = named
    .filter(({ operation }) => !replyOf(operation))
    .map(({ operation, path }) => ({ path, message: `a reply of ${operation.id} has no body to malform` }))
  const withReply = named.map(({ operation }) => operation).filter(replyOf)
  if (withReply.length === 0 || names.some((name) => name.includes('*'))) return bodiless
  const fields = withReply.flatMap((operation) =>
    field === undefined ? (fieldAt(operation, toPath(at!)) ?? []) : fieldsNamed(operation, field),
  )
  return [
    ...bodiless,
    ...(fields.length === 0 ? [unknownPlace(at, field, withReply)] : checkKind(fields, kind, breaks)),
  ]
}

function checkKind(fields: readonly ReplyField[], kind: MalformKind, breaks: boolean): Finding[] {
  if (fields.some((field) => isMalformable(field, kind))) {
    const breaking = fields.flatMap(malformationsOf).filter((one) => one.breaks)
    if (!breaks || (kind !== 'missing' && kind !== 'empty') || breaking.some((one) => one.kind === kind)) return []
    const kinds = [...new Set(breaking.map((one) => one.kind))].join(' or ')
    return [
      {
        path: ['kind'],
        message: `a reply whose "${pointerOf(fields[0]!)}" is ${kind} does not break the contract: expected ${kinds}`,
      },
    ]
  }
  return [{ path: ['kind'], message: `"${pointerOf(fields[0]!)}" can't be ${kind}: ${reasons[kind]}` }]
}

function unknownPlace(at: string | undefined, field: string | undefined, operations: readonly Endpoint[]): Finding {
  const replies = operations.map(({ id }) => id).join(' or ')
  const fields = operations.flatMap(replyFieldsOf)
  if (field === undefined)
    return {
      path: ['at'],
      message: `a reply of ${replies} has nothing at ${quote(at!)}.${suggestPointer(at!, fields.map(pointerOf))}`,
    }
  const known = fields.flatMap((one) => nameOf(one) ?? [])
  const names = [...new Set([...known, ...known.map((name) => name.split('.').at(-1)!)])]
  return { path: ['field'], message: `a reply of ${replies} has no field ${quote(field)}.${suggest(field, names)}` }
}

function suggestPointer(at: string, pointers: readonly string[]): string {
  const suggestion = suggest(toFirstItems(at), pointers)
  const sameEnd = pointers.find((pointer) => pointer.endsWith(at.slice(at.lastIndexOf('/'))))
  return suggestion || at === '' || !sameEnd ? suggestion : ` Did you mean "${sameEnd}"?`
}

/** Converts `/3/name` to `/0/name`, the form of the contract's pointers. */
function toFirstItems(pointer: string): string {
  return pointer
    .split('/')
    .map((step) => (/^\d+$/.test(step) ? '0' : step))
    .join('/')
}
