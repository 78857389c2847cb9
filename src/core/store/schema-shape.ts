import type * as z from 'zod/mini'

type Schema = z.core.$ZodType

/** What a value is held against where there is one: the schema without what lets it be absent, null or changed. */
export function toInner(schema: Schema): z.core.$ZodTypes {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'optional':
    case 'nullable':
      return toInner(def.innerType)
    case 'pipe':
      return toInner(def.in)
    default:
      return schema as z.core.$ZodTypes
  }
}

/** The schemas of an object's fields by name; `undefined` when a schema is no object's. */
export function toShape(schema: Schema): Readonly<Record<string, Schema>> | undefined {
  const { def } = toInner(schema)._zod
  return def.type === 'object' ? def.shape : undefined
}

/** The schema of a field, or of an array's items; `undefined` when there is none. */
export function toPart(schema: Schema, step: PropertyKey): Schema | undefined {
  const { def } = toInner(schema)._zod
  if (def.type === 'array') return def.element
  return def.type === 'object' && Object.hasOwn(def.shape, step) ? def.shape[String(step)] : undefined
}

/** One step on the way to a value, and what it is in. Whole ways are made only of those that are told. */
export interface Step {
  readonly within: Step | undefined
  readonly name: string | number
}

/** All steps on the way to a value, the outermost first. */
export function stepsTo(last: Step): PropertyKey[] {
  const steps: PropertyKey[] = []
  for (let step: Step | undefined = last; step; step = step.within) steps.push(step.name)
  return steps.reverse()
}

/** How the place of a value is written: `user.email`, `events[1]`. */
export function toPlace(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (place, step) =>
      typeof step === 'number' ? `${place}[${step}]` : place === '' ? String(step) : `${place}.${String(step)}`,
    '',
  )
}
