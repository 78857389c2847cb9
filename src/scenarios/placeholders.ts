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
