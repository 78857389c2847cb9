import * as z from 'zod/mini'
import { describeProblem, quote, suggest } from '../../core/text/messages.ts'
import { toJson } from '../../core/http/json.ts'
import { type Reply, toBytes } from '../../core/http/reply.ts'
import type { MatchedExchange } from '../../core/pipeline/effect.ts'
import type { Operation } from '../../core/pipeline/operation.ts'
import type { Conditions } from '../language/condition.ts'
import { defineEffect } from '../language/effect-kind.ts'
import { countGiven } from '../language/fields.ts'
import {
  isMalformable,
  malformAt,
  malformationsOf,
  type MalformationKind,
  malformKinds,
} from '../language/malformation.ts'
import {
  fieldAt,
  fieldsNamed,
  nameOfField,
  pointerOf,
  type ReplyField,
  replyFieldsOf,
  replyOf,
} from '../language/reply-fields.ts'
import type { Finding } from '../../core/store/validation-message.ts'
import { changeAt, jsonPointer, toPath } from '../language/pointer.ts'
import { described, optional } from '../../core/contract/zod.ts'

const fields = {
  at: optional(
    z
      .string()
      .check(z.regex(jsonPointer, 'Invalid JSON pointer: expected something like "/0/name"')),
    'A JSON pointer to the value: /0/name.',
  ),
  field: optional(
    z.string().check(z.minLength(1)),
    'The name of the field in the contract: name, or data.name. It is wrong everywhere; in a list, in the first item.',
  ),
  kind: described(z.enum(malformKinds), 'What is wrong with the value.'),
  breaks: optional(
    z.boolean(),
    'Whether to refuse the kinds missing and empty where the reply would still fit the contract: false by default.',
  ),
}

type Spec = z.output<z.ZodMiniObject<typeof fields>> & Conditions

const reasonsAgainst: Partial<Record<MalformationKind, string>> = {
  missing: "the whole reply can't be left out",
  duplicate: 'it is neither an array nor an item of one',
  'bad-utf8': 'it is not a string',
  'bad-enum': 'the contract does not limit it to a list of values',
  'out-of-range': 'the contract sets no bounds for it',
}

/**
 * Reports a place that no reply has, or that the kind cannot malform, because the effect would
 * silently never act.
 */
function checkTarget(
  { on = [], at, field, kind, breaks = false }: Spec,
  operations: readonly Operation[],
): Finding[] {
  const names = [on].flat()
  const named = names.flatMap((name, index) =>
    operations
      .filter(({ id }) => id === name)
      .map((operation) => ({
        operation,
        path: Array.isArray(on) ? ['on', index] : ['on'],
      })),
  )
  const bodiless = named
    .filter(({ operation }) => !replyOf(operation))
    .map(({ operation, path }) => ({
      path,
      message: `a reply of ${operation.id} has no body to malform`,
    }))
  const withReply = named.map(({ operation }) => operation).filter(replyOf)
  // An assumption may add fields to the replies of a glob.
  if (withReply.length === 0 || names.some((name) => name.includes('*'))) return bodiless
  const targets = withReply.flatMap((operation) => {
    if (field !== undefined) return fieldsNamed(operation, field)
    return fieldAt(operation, toPath(at ?? '')) ?? []
  })
  if (targets.length === 0) return [...bodiless, unknownTarget(at, field, withReply)]
  return [...bodiless, ...checkMalformationKind(targets, kind, breaks)]
}

function checkMalformationKind(
  fields: readonly ReplyField[],
  kind: MalformationKind,
  breaks: boolean,
): Finding[] {
  const place = fields.slice(0, 1).map(pointerOf).join()
  if (fields.some((field) => isMalformable(field, kind))) {
    const breaking = fields.flatMap(malformationsOf).filter((one) => one.breaks)
    if (
      !breaks ||
      (kind !== 'missing' && kind !== 'empty') ||
      breaking.some((one) => one.kind === kind)
    )
      return []
    const kinds = [...new Set(breaking.map((one) => one.kind))].join(' or ')
    const advice = kinds === '' ? 'it may be anything' : `expected ${kinds}`
    return [
      {
        path: ['kind'],
        message: `a reply whose "${place}" is ${kind} does not break the contract: ${advice}`,
      },
    ]
  }
  return [
    {
      path: ['kind'],
      message: `"${place}" can't be ${kind}: ${reasonsAgainst[kind]}`,
    },
  ]
}

function unknownTarget(
  at = '',
  field: string | undefined,
  operations: readonly Operation[],
): Finding {
  const replies = operations.map(({ id }) => id).join(' or ')
  const fields = operations.flatMap(replyFieldsOf)
  if (field === undefined)
    return {
      path: ['at'],
      message: `a reply of ${replies} has nothing at ${quote(at)}.${suggestPointer(at, fields.map(pointerOf))}`,
    }
  const known = fields.flatMap((one) => nameOfField(one) ?? [])
  const names = [
    ...new Set([...known, ...known.map((name) => name.slice(name.lastIndexOf('.') + 1))]),
  ]
  const message = describeProblem(
    `a reply of ${replies} has no field ${quote(field)}`,
    field,
    names,
  )
  return {
    path: ['field'],
    message,
  }
}

function suggestPointer(at: string, pointers: readonly string[]): string {
  // The contract's pointers have `/0/name` for `/3/name`.
  const steps = at.split('/').map((step) => (/^\d+$/.test(step) ? '0' : step))
  const suggestion = suggest(steps.join('/'), pointers)
  const sameEnd = pointers.find((pointer) => pointer.endsWith(at.slice(at.lastIndexOf('/'))))
  if (suggestion || !sameEnd) return suggestion
  return ` Did you mean "${sameEnd}"?`
}

/** Replaces a mark's three bytes with invalid ones. The length stays the same. */
function breakMarks(reply: Reply, mark: string | undefined): Reply {
  if (!mark || reply.body === null) return reply
  const bytes = Uint8Array.from(toBytes(reply.body))
  const wanted = toBytes(mark)
  const positions = [...bytes.keys()].filter((at) =>
    wanted.every((byte, offset) => bytes[at + offset] === byte),
  )
  for (const at of positions) bytes.fill(0xff, at, at + wanted.length)
  if (positions.length > 0)
    return {
      ...reply,
      body: bytes,
    }
  return reply
}

/** Returns a character of the private use area, of three bytes, that the text does not have. */
function unusedCharacter(text: string): string {
  for (let code = 0xe000; code < 0xf900; code++) {
    const character = String.fromCharCode(code)
    if (!text.includes(character)) return character
  }
  return ''
}

/** Puts the mark into the middle of a string. */
function insertMark(value: unknown, mark: string): unknown {
  if (typeof value !== 'string') return value
  const characters = [...value]
  return characters.toSpliced(characters.length >>> 1, 0, mark).join('')
}

export const malformEffect = defineEffect({
  name: 'malform',
  description:
    'Makes a value of the reply wrong. Select it by JSON pointer (at) or by name (field).',
  actsOn: 'operations',
  fields,
  check(spec, contract) {
    if (countGiven(spec.at, spec.field) === 1) return checkTarget(spec, contract.operations)
    return 'expected either "at: <JSON pointer>" or "field: <name>"'
  },
  create({ at = '', field, kind }) {
    const pathsIn = (operation: Operation | undefined) => {
      if (field === undefined) return [toPath(at)]
      const found = fieldsNamed(operation!, field).map(({ path }) => path)
      return found.reverse()
    }
    const did = `made ${field ?? at} wrong (${kind})`
    if (kind === 'bad-utf8') {
      // A JavaScript string cannot contain invalid UTF-8, so strings first get a mark, a character
      // that the reply does not have.
      const marks = new WeakMap<MatchedExchange, string>()
      return {
        did,
        malform(exchange, body) {
          const mark = unusedCharacter(toJson(body))
          marks.set(exchange, mark)
          return pathsIn(exchange.operation).reduce(
            (changed, path) => changeAt(changed, path, (value) => [insertMark(value, mark)]),
            body,
          )
        },
        transformReply: (exchange, reply) => breakMarks(reply, marks.get(exchange)),
      }
    }
    return {
      did,
      isCacheable: true,
      malform({ operation }, body) {
        return pathsIn(operation).reduce(
          (value, path) => malformAt(value, path, kind, operation && fieldAt(operation, path)),
          body,
        )
      },
    }
  },
})
