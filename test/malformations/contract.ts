import addFormats from 'ajv-formats'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect } from 'vitest'
import * as z from 'zod/mini'
import { builtInCatalogue } from '../../src/catalogue/catalogue.ts'

const ajv = new Ajv2020({ allErrors: true, strict: false })
addFormats.default(ajv)

const validators = new WeakMap<z.ZodMiniType, ValidateFunction>()

/** Returns how a reply breaks a schema without additional properties. */
export function errorsOf(schema: z.ZodMiniType, body: unknown): ErrorObject[] {
  let validate = validators.get(schema)
  if (!validate)
    validators.set(
      schema,
      (validate = ajv.compile(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }))),
    )
  return validate(body) ? [] : validate.errors!
}

export function resultOf(operation: string): z.ZodMiniType {
  return builtInCatalogue.operations.find(({ id }) => id === operation)!.result!
}

interface Wrong {
  at: string
  kind: string
  breaks: boolean
}

/**
 * Asserts that a reply is wrong in the way asked for, so that the schema says just that, and the
 * same as the sound one elsewhere.
 */
export function expectMalformed(
  sound: unknown,
  malformed: unknown,
  { at, kind, breaks }: Wrong,
  schema: z.ZodMiniType,
): void {
  const which = `${kind} at "${at}"`
  const path = toPath(at)
  expect(withoutValueAt(malformed, path), `${which}: everything else`).toEqual(
    withoutValueAt(sound, path),
  )
  if (kind === 'extra')
    expect(valueAt(malformed, path), which).toEqual({
      ...(valueAt(sound, path) as object),
      unexpected_field: 'unexpected',
    })
  const errors = errorsOf(schema, malformed)
  if (breaks) expectErrorsAt(at, kind, errors, which)
  else {
    expect(errors, which).toEqual([])
    expectOdd(valueAt(malformed, path), kind, which)
  }
}

function expectErrorsAt(
  at: string,
  kind: string,
  errors: readonly ErrorObject[],
  which: string,
): void {
  const told = errors.filter((error) => !isOfNullable(error, at))
  const end = at.lastIndexOf('/')
  expect([...new Set(told.map(({ instancePath }) => instancePath))], which).toEqual([
    kind === 'missing' ? at.slice(0, end) : at,
  ])
  if (kind === 'missing')
    expect(
      told.map(({ params }) => params['missingProperty'] as unknown),
      which,
    ).toEqual([toPath(at).at(-1)])
  if (kind === 'extra')
    expect(
      told.flatMap(({ params }) => (params['additionalProperty'] as string) ?? []),
      which,
    ).toEqual(['unexpected_field'])
}

/** Whether an error is the second one of a nullable field. */
function isOfNullable({ keyword, params, instancePath }: ErrorObject, at: string): boolean {
  const isAbove = at.startsWith(`${instancePath}/`)
  return (
    isAbove &&
    (keyword === 'anyOf' ||
      keyword === 'oneOf' ||
      (keyword === 'type' && params['type'] === 'null'))
  )
}

function expectOdd(value: any, kind: string, which: string): void {
  switch (kind) {
    case 'missing':
      return expect(value, which).toBeUndefined()
    case 'null':
      return expect(value, which).toBeNull()
    case 'empty':
      return expect([[], {}, ''], which).toContainEqual(value)
    case 'huge':
      return expect(typeof value === 'number' ? value : value.length, which).toBeGreaterThanOrEqual(
        10_000,
      )
    default:
      expect(kind, which).toBe('extra')
  }
}

export function toPath(pointer: string): string[] {
  const steps = pointer.split('/').slice(1)
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

export function valueAt(value: any, path: readonly string[]): unknown {
  return path.reduce((held, step) => held?.[step], value)
}

function withoutValueAt(value: unknown, path: readonly string[]): unknown {
  if (path.length === 0) return undefined
  const copy = structuredClone(value)
  const holder = valueAt(copy, path.slice(0, -1)) as Record<string, unknown>
  delete holder[path.at(-1)!]
  return copy
}
