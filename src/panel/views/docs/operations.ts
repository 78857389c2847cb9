import { toSearch } from '../../components/words.ts'
import type { ApiOperation, OpenApi } from '../../data/open-api.ts'

export interface DocsOperation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly operation: ApiOperation
}

export function toOperations({
  paths,
  servers,
  tags,
}: OpenApi): readonly { readonly tag: string; readonly list: DocsOperation[] }[] {
  const root = servers[0]!.url
  const all = Object.entries(paths).flatMap(([path, { servers: own = servers, ...operations }]) =>
    Object.entries(operations).map(([method, operation]): DocsOperation => ({
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

export function matches({ id, method, path, operation }: DocsOperation, search: string): boolean {
  return toSearch(search)(`${id} ${method} ${path} ${operation.summary}`)
}
