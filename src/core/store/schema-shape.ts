import type * as z from 'zod/mini'

type Schema = z.core.$ZodType

/** Returns the schema of a present value: without `optional`, `nullable`, defaults and transforms. */
export function toInner(schema: Schema): z.core.$ZodTypes {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
      return toInner(def.innerType)
    case 'pipe':
      return toInner(def.in)
    default:
      return schema as z.core.$ZodTypes
  }
}

export function toShape(schema: Schema): Readonly<Record<string, Schema>> | undefined {
  const { def } = toInner(schema)._zod
  return def.type === 'object' ? def.shape : undefined
}

export function toPart(schema: Schema, step: PropertyKey): Schema | undefined {
  const { def } = toInner(schema)._zod
  if (def.type === 'array') return def.element
  return def.type === 'object' && Object.hasOwn(def.shape, step) ? def.shape[String(step)] : undefined
}

/** One step of the path to a value, linked to its parent. Whole paths are built only for messages. */
export interface PathStep {
  readonly within: PathStep | undefined
  readonly name: string | number
}

/** Returns all steps of a path, outermost first. */
export function stepsTo(last: PathStep): PropertyKey[] {
  const steps: PropertyKey[] = []
  for (let step: PathStep | undefined = last; step; step = step.within) steps.push(step.name)
  return steps.reverse()
}

export function toPathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (place, step) =>
      typeof step === 'number' ? `${place}[${step}]` : place === '' ? String(step) : `${place}.${String(step)}`,
    '',
  )
}
