import type { Asked } from './client.ts'
import { splitTemplate, toPattern, type Place } from './paths.ts'
import type { RandomAsk } from './steps.ts'

/**
 * The request that is meant, and the key of the owner of what it is about. @param known the places
 * that the world starts with.
 * @param created those that this history made.
 */
export function toRequest(
  { operation, place, junk, world, query, method, authorization, headers, body }: RandomAsk,
  known: ReadonlyMap<string, readonly Place[]>,
  created: readonly Place[],
): [Asked, key: string] {
  const [template, rest] = splitTemplate(operation.path)
  const pattern = toPattern(template)
  const choices = [
    ...created.filter(([path]) => pattern.test(path)),
    ...(known.get(template) ?? []),
  ]
  const chosen = place === undefined ? undefined : choices[place % choices.length]
  const [path, key] = chosen ?? [
    template.replace(/\{\w+\}/g, junk).replaceAll(' ', '%20'),
    'key_pro',
  ]
  const value = authorization === undefined ? `Bearer ${key}` : authorization
  const isTyped = headers.some(([name]) => name.toLowerCase() === 'content-type')
  return [
    {
      method: method ?? operation.method,
      target: `${world}${path}${rest}${query === '' ? '' : `?${query.replaceAll(' ', '%20')}`}`,
      headers: [
        ...(value === null ? [] : ([['Authorization', value]] as const)),
        ...(body !== undefined && !isTyped
          ? ([['Content-Type', 'application/json']] as const)
          : []),
        ...headers,
      ],
      ...(body !== undefined && { body }),
    },
    key,
  ]
}

/** Records the id that a request created. */
export function noteCreated(
  created: Place[],
  { method, target }: Asked,
  key: string,
  status: number,
  body: string,
): void {
  const id = (status === 200 || status === 201) && /^\{"id":("[^"]+"|\d+)/.exec(body)?.[1]
  if (id && method === 'POST')
    created.push([`${target.replace(/\?.*$/, '')}/${id.replaceAll('"', '')}`, key])
}
