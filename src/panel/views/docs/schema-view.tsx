import { Tag } from '../../components/index.ts'
import { resolveSchema, type OpenApi } from '../../data/open-api.ts'
import type { JsonSchema } from '../../data/shapes.ts'
import { limitsOf, schemaTypeOf } from './schema-facts.ts'

const deepest = 5

interface SchemaViewProps {
  readonly schema: JsonSchema
  readonly document: OpenApi
  readonly depth?: number
}

export function SchemaView({ schema: given, document, depth = 0 }: SchemaViewProps) {
  const schema = resolveSchema(given, document)
  const inner = partOf(given, document)
  const properties = Object.entries(inner.properties ?? {})
  return (
    <>
      {depth === 0 && (
        <p class="muted">
          {schemaTypeOf(given, document)}
          {schema.description && `: ${schema.description}`}
        </p>
      )}
      {properties.length > 0 && depth < deepest && (
        <ul class="docs-fields">
          {properties.map(([name, field]) => (
            <li key={name}>
              <div class="row docs-field">
                <code>{name}</code>
                <span class="muted">{schemaTypeOf(field, document)}</span>
                {inner.required?.includes(name) && <Tag>required</Tag>}
              </div>
              <Facts schema={field} document={document} />
              <SchemaView schema={field} document={document} depth={depth + 1} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Facts({ schema, document }: Omit<SchemaViewProps, 'depth'>) {
  const limits = limitsOf(schema, document)
  const { description } = resolveSchema(schema, document)
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
function partOf(given: JsonSchema, document: OpenApi): JsonSchema {
  const schema = resolveSchema(given, document)
  if (schema.items) return partOf(schema.items, document)
  const options = (schema.anyOf ?? schema.oneOf)?.map((option) => partOf(option, document))
  return options?.find(({ properties }) => properties) ?? schema
}
