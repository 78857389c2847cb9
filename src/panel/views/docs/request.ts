import type { ApiParameter } from '../../data/open-api.ts'
import type { Operation } from './operations.ts'

/** What stands in the form of an operation. */
export interface Filled {
  /** The world that the request goes to. */
  readonly world: string
  /** What each parameter has; those without are left out. */
  readonly values: Readonly<Record<string, string>>
  /** Without one, no key is sent. */
  readonly key: string
  /** Without one, no body is sent. */
  readonly body: string
}

/** A request as it is sent. */
export interface Request {
  readonly method: string
  /** From the root of the service: `/~checkout/v1/apps?limit=3`. */
  readonly path: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string | undefined
}

/** The request of a filled form. What was typed is sent as it is: what is wrong with it the service tells. */
export function toRequest({ method, path, operation }: Operation, { world, values, key, body }: Filled): Request {
  const { parameters = [], requestBody } = operation
  const given = (place: ApiParameter['in']) =>
    parameters
      .filter(({ name, in: where }) => where === place && (values[name] ?? '') !== '')
      .map(({ name }) => [name, values[name]!] as const)
  const filled = given('path').reduce(
    (whole, [name, value]) => whole.replace(`{${name}}`, () => encodeURIComponent(value)),
    path,
  )
  const query = given('query')
  const sent = requestBody && body !== '' ? body : undefined
  return {
    method,
    path:
      (world === 'default' ? '' : `/~${world}`) +
      filled +
      (query.length === 0 ? '' : `?${new URLSearchParams(query.map(([name, value]) => [name, value])).toString()}`),
    headers: [
      ...(key === '' ? [] : [['authorization', `Bearer ${key}`] as const]),
      ...(sent === undefined ? [] : [['content-type', 'application/json'] as const]),
      ...given('header').map(([name, value]) => [name.toLowerCase(), value] as const),
    ],
    body: sent,
  }
}

/** The path parameters without a value. They are required. */
export function missingIn({ operation }: Operation, { values }: Pick<Filled, 'values'>): readonly string[] {
  return (operation.parameters ?? [])
    .filter(({ name, in: place }) => place === 'path' && (values[name] ?? '') === '')
    .map(({ name }) => name)
}
