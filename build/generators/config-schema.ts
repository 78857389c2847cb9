import * as z from 'zod/mini'
import { type Setting, settingKey } from '../../src/api/config/flag.ts'
import { configSchemas, settings } from '../../src/api/config/settings.ts'
import { section } from '../../src/core/store/options.ts'

type Node = Record<string, unknown> & {
  readonly anyOf?: readonly Node[]
  readonly properties?: Readonly<Record<string, Node>>
}

const host = { pattern: '^[^/\\s]+$' }
const isMadeByCode = { items: false }

/**
 * What the code checks beyond a schema, as far as a JSON Schema can say it: of a setting, of the
 * items of its list, or of the members of its object.
 */
const narrower: Readonly<Record<string, { of?: Node; items?: Node; members?: Node }>> = {
  use: { items: { type: ['string', 'object'], minLength: 1 } },
  areas: { of: { minItems: 1 }, items: { enum: ['plants', 'apps'] } },
  cors: { items: { pattern: '^(\\*|[a-z][a-z0-9+.-]*://[^/?#\\s]+)$' } },
  controlOrigins: { items: { pattern: '^[a-z][a-z0-9+.-]*://[^/?#\\s*]+$' } },
  allowHosts: { items: host },
  'webhooks.allow': { items: host },
  host: { of: host },
  token: { of: { pattern: '^[!-~]+$' } },
  now: { of: { pattern: '^\\d{4}-\\d\\d-\\d\\d' } },
  state: { of: { minLength: 1 } },
  plants: { of: { pattern: '^[a-z][a-z0-9+.-]*:' } },
  apps: { of: { pattern: '^[a-z][a-z0-9+.-]*:' } },
  'proxy.plants': { of: { pattern: '^https?://[^?#\\s]+$' } },
  'proxy.apps': { of: { pattern: '^https?://[^?#\\s]+$' } },
  operations: { of: isMadeByCode },
  collections: { of: isMadeByCode },
  plugins: { of: isMadeByCode },
  plans: { items: { properties: { id: { type: 'string' } }, required: ['id'] } },
  hooks: { of: { additionalProperties: false } },
  scenarios: { members: { type: 'object' } },
  assumptions: { members: { type: 'string' } },
}

function narrow(node: Node, path: string): Node {
  const { of, items, members } = narrower[path] ?? {}
  const narrowed = { ...node, ...of }
  if (items) return { ...narrowed, items: { ...(node['items'] as Node), ...items } }
  return members && node['type'] === 'object'
    ? { ...narrowed, additionalProperties: members }
    : narrowed
}

/**
 * Says what each setting is, and leaves out the alternatives that only code has, such as bytes and
 * Infinity.
 */
function toWritten({ anyOf, ...node }: Node, path: string): Node {
  const properties = Object.entries(node.properties ?? {}).map(([name, part]) => [
    name,
    {
      description: describe(path === '' ? name : `${path}.${name}`),
      ...toWritten(part, path === '' ? name : `${path}.${name}`),
    },
  ])
  const parts = anyOf
    ?.filter((part) => 'type' in part && !('const' in part))
    .map((part) => toWritten(part, path))
  return {
    ...narrow(node, path),
    ...(node.properties && { properties: Object.fromEntries(properties) }),
    ...(parts && (parts.length === 1 ? parts[0] : { anyOf: parts })),
  }
}

function describe(path: string): string | undefined {
  return Object.entries<Setting>(settings).find(
    ([name, setting]) => settingKey(name, setting) === path,
  )?.[1].describe
}

/** The JSON Schema of greenhouse.config.yaml and greenhouse.config.json. */
export function toConfigSchema(): Node {
  const { properties, ...all } = toWritten(
    z.toJSONSchema(section(configSchemas), { io: 'input', unrepresentable: 'any' }) as Node,
    '',
  )
  return {
    ...all,
    title: 'Greenhouse configuration',
    description:
      'A file greenhouse.config.yaml or greenhouse.config.json. Relative paths start at its folder.',
    properties: {
      $schema: { description: 'Where this schema is.', type: 'string' },
      ...properties,
    },
  }
}
