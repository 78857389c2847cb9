import type { OpenApiDocument, PathItem } from '../../src/contract/document/index.ts'

type Method = Exclude<keyof PathItem, 'servers'>

export function operationsOf({ paths, servers }: OpenApiDocument) {
  return Object.entries(paths).flatMap(([path, { servers: own = servers, ...operations }]) =>
    Object.entries(operations).map(([method, operation]) => ({
      server: own[0]!.url,
      path,
      method: method as Method,
      operation: operation as NonNullable<PathItem[Method]>,
    })),
  )
}
