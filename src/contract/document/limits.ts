import type { Assume } from '../../core/definitions/assumptions.ts'
import type { Area, Operation } from '../../core/pipeline/operation.ts'
import type { SchemaObject } from './components.ts'

export function toLimited(schema: SchemaObject, area: Area, { bodyUnder }: Operation, assume: Assume): SchemaObject {
  const longest = area.longestText?.({ assume })
  const isClosed = area.rejectsUnknownFields({ assume })
  const limited = changeDeep(schema, (part) => ({
    ...part,
    ...(longest !== undefined && isFreeText(part) && { maxLength: longest }),
    ...(isClosed && part['properties'] !== undefined && { additionalProperties: false }),
  }))
  const changes = bodyUnder?.(assume) ?? {}
  const properties = { ...(limited['properties'] as Record<string, SchemaObject>) }
  for (const [name, change] of Object.entries(changes)) properties[name] = { ...properties[name], ...change }
  return { ...limited, properties }
}

function isFreeText(schema: SchemaObject): boolean {
  const isText = [schema['type']].flat().includes('string')
  return isText && schema['enum'] === undefined && schema['const'] === undefined && schema['maxLength'] === undefined
}

function changeDeep(schema: SchemaObject, change: (schema: SchemaObject) => SchemaObject): SchemaObject {
  const { properties, items, anyOf } = schema as {
    properties?: Record<string, SchemaObject>
    items?: SchemaObject
    anyOf?: SchemaObject[]
  }
  return change({
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, part]) => [name, changeDeep(part, change)]),
      ),
    }),
    ...(items && { items: changeDeep(items, change) }),
    ...(anyOf && { anyOf: anyOf.map((part) => changeDeep(part, change)) }),
  })
}
