import type { ApiOperation, OpenApi } from '../../data/open-api.ts'

/** An operation, and where it is. */
export interface Operation {
  readonly id: string
  readonly method: string
  /** From the root of the service. */
  readonly path: string
  readonly operation: ApiOperation
}

/** The operations of a document, those of a tag together, in its order. */
export function toOperations({
  paths,
  servers,
  tags,
}: OpenApi): readonly { readonly tag: string; readonly list: Operation[] }[] {
  const root = servers[0]!.url
  const all = Object.entries(paths).flatMap(([path, { servers: own = servers, ...operations }]) =>
    Object.entries(operations).map(([method, operation]): Operation => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path: own[0]!.url.slice(root.length) + path,
      operation,
    })),
  )
  return tags
    .map(({ name }) => ({ tag: name, list: all.filter(({ operation }) => operation.tags[0] === name) }))
    .filter(({ list }) => list.length > 0)
}

/** Whether all words of a search stand in an operation. */
export function matches({ id, method, path, operation }: Operation, search: string): boolean {
  const text = `${id} ${method} ${path} ${operation.summary}`.toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
