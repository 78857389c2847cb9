import { globFilter } from '../../core/text/values.ts'
import { quote, suggest } from '../../core/text/messages.ts'
import type { Contract } from '../../core/pipeline/operation.ts'
import type { EffectKind } from './effect-kind.ts'
import { type Finding, read } from './issues.ts'

interface ReadEffect {
  readonly spec: unknown
  readonly findings: readonly Finding[]
}

export function readEffect(
  kind: EffectKind,
  data: unknown,
  options: Readonly<Record<string, unknown>>,
  contract: Contract,
): ReadEffect {
  return readMember(kind, fillIn(data, options), contract)
}

export function readMember(kind: EffectKind, data: unknown, contract: Contract): ReadEffect {
  const result = read(contract.open(kind.schema), data)
  const findings =
    'data' in result
      ? [...(kind.check?.(result.data, contract) ?? []), ...checkOperations(result.data, contract)]
      : result.findings
  return {
    spec: 'data' in result ? result.data : undefined,
    findings: findings.map(({ path, message }) => ({ path: [kind.name, ...path], message })),
  }
}

/** Reports an `on` that matches no operation, because the effect would never act. */
function checkOperations(specs: unknown, { operations, missing }: Contract): Finding[] {
  if (!Array.isArray(specs)) return []
  const ids = operations.map(({ id }) => id)
  const globs = new Set(ids.map((id) => `${id.split('.')[0]}.*`))
  return specs.flatMap(({ on = [] }: { on?: string | string[] }, index) =>
    [on].flat().flatMap((pattern, position) =>
      ids.some(globFilter(pattern))
        ? []
        : [
            {
              path: [index, 'on', ...(Array.isArray(on) ? [position] : [])],
              message: `no operation is called ${quote(pattern)}.${suggest(pattern, [...ids, ...globs])}${missing}`,
            },
          ],
    ),
  )
}

/** `${name}`, or `$${`, which means `${` itself. */
const parts = /\$\$\{|\$\{([a-z][a-z0-9-]*)\}/g

/** Replaces `${name}` in all strings with the option's value. A string that is only a placeholder becomes the value itself. */
export function fillIn(value: unknown, options: Readonly<Record<string, unknown>>): unknown {
  if (typeof value === 'string') {
    const name = /^\$\{([a-z][a-z0-9-]*)\}$/.exec(value)?.[1]
    if (name !== undefined && Object.hasOwn(options, name)) return options[name]
    return value.replace(parts, (text, name: string | undefined) => {
      if (name === undefined) return '${'
      return Object.hasOwn(options, name) ? String(options[name]) : text
    })
  }
  if (Array.isArray(value)) return value.map((item) => fillIn(item, options))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillIn(item, options)]))
}

/** A `${name}` in a string. The name is `undefined` if the brace is never closed. */
export interface Placeholder {
  readonly path: readonly PropertyKey[]
  readonly name: string | undefined
}

export function findPlaceholders(value: unknown, path: readonly PropertyKey[] = []): Placeholder[] {
  if (typeof value === 'string')
    return [...value.matchAll(/\$\$\{|\$\{(?:([^}]*)\})?/g)]
      .filter(([text]) => text !== '$${')
      .map(([, name]) => ({ path, name }))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => findPlaceholders(item, [...path, name]))
}
