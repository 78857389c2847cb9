import * as z from 'zod/mini'
import { configSchemas, type Setting, settingKey, settings } from '../../src/api/config/settings.ts'
import { section } from '../../src/core/store/options.ts'

type Node = Record<string, unknown> & {
  readonly anyOf?: readonly Node[]
  readonly properties?: Readonly<Record<string, Node>>
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
    ...node,
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
