import { Tag } from '../../components/marks.tsx'
import { resolveRef, type Schemas } from '../../data/open-api.ts'
import type { JsonSchema } from '../../data/shapes.ts'

const deepest = 5

interface SchemaViewProps {
  readonly schema: JsonSchema
  readonly schemas: Schemas
  readonly depth?: number
}

export function SchemaView({ schema: given, schemas, depth = 0 }: SchemaViewProps) {
  const schema = resolveRef(given, schemas)
  const inner = partOf(given, schemas)
  const properties = Object.entries(inner.properties ?? {})
  return (
    <>
      {depth === 0 && (
        <p class="muted">
          {schemaTypeOf(given, schemas)}
          {schema.description && `: ${schema.description}`}
        </p>
      )}
      {properties.length > 0 && depth < deepest && (
        <ul class="docs-fields">
          {properties.map(([name, field]) => (
            <li key={name}>
              <div class="row docs-field">
                <code>{name}</code>
                <span class="muted">{schemaTypeOf(field, schemas)}</span>
                {inner.required?.includes(name) && <Tag>required</Tag>}
              </div>
              <Facts schema={field} schemas={schemas} />
              <SchemaView schema={field} schemas={schemas} depth={depth + 1} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Facts({ schema, schemas }: Omit<SchemaViewProps, 'depth'>) {
  const limits = limitsOf(schema, schemas)
  const { description } = resolveRef(schema, schemas)
  if (limits === '' && description === undefined) return null
  return (
    <p class="breaks">
      {description}
      {description && limits && ' '}
      {limits && <span class="muted">({limits})</span>}
    </p>
  )
}

/** Returns the schema whose fields are shown: the items of a list, and the first alternative that has fields. */
function partOf(given: JsonSchema, schemas: Schemas): JsonSchema {
  const schema = resolveRef(given, schemas)
  if (schema.items) return partOf(schema.items, schemas)
  const options = (schema.anyOf ?? schema.oneOf)?.map((option) => partOf(option, schemas))
  return options?.find(({ properties }) => properties) ?? schema
}

function schemaTypeOf(given: JsonSchema, schemas: Schemas): string {
  const name = given.$ref?.split('/').at(-1)
  const schema = resolveRef(given, schemas)
  const options = schema.anyOf ?? schema.oneOf
  if (options) return [...new Set(options.map((option) => schemaTypeOf(option, schemas)))].join(' or ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type ?? 'anything']).map((type) =>
    type === 'array' && schema.items
      ? `list of ${schemaTypeOf(schema.items, schemas)}`
      : type === 'array'
        ? 'list'
        : String(type),
  )
  return name ?? types.map((type) => toWord(type, schema.format)).join(' or ')
}

export function limitsOf(given: JsonSchema, schemas: Schemas): string {
  const { enum: values, minimum, maximum, minLength, maxLength, pattern, default: usual } = resolveRef(given, schemas)
  return [
    values && `one of ${values.map(String).join(', ')}`,
    range(minimum, maximum, ''),
    range(minLength, maxLength, ' characters'),
    pattern !== undefined && `like ${pattern}`,
    usual !== undefined && `by default ${typeof usual === 'string' ? usual : JSON.stringify(usual)}`,
  ]
    .filter(Boolean)
    .join('; ')
}

function range(least: number | undefined, max: number | undefined, unit: string): string {
  if (unit !== '' && least === 1 && max === undefined) return 'not empty'
  if (least !== undefined && max !== undefined) return `${least} to ${max}${unit}`
  if (least !== undefined) return least === 0 && unit !== '' ? '' : `at least ${least}${unit}`
  return max === undefined ? '' : `at most ${max}${unit}`
}

function toWord(type: string, format: string | undefined): string {
  if (format === undefined || type === 'null') return type
  return type === 'string' ? format : `${type} (${format})`
}
