import type { ApiParameter } from '../../data/open-api.ts'
import type { CodeRequest } from '../traffic/code.ts'
import type { DocsOperation } from './operations.ts'

interface FilledRequest {
  readonly world: string
  readonly values: Readonly<Record<string, string>>
  readonly key: string
  readonly body: string
}

export interface DocsRequest extends Omit<CodeRequest, 'url'> {
  readonly path: string
}

/** Builds the request from the form. It does not validate the values: the service reports what is wrong. */
export function toDocsRequest(
  { method, path, operation }: DocsOperation,
  { world, values, key, body }: FilledRequest,
): DocsRequest {
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

export function missingIn({ operation }: DocsOperation, { values }: Pick<FilledRequest, 'values'>): readonly string[] {
  return (operation.parameters ?? [])
    .filter(({ name, in: place }) => place === 'path' && (values[name] ?? '') === '')
    .map(({ name }) => name)
}
