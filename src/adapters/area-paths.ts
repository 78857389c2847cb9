import { withoutTrailingSlashes } from '../core/http/request.ts'
import type { Greenhouse } from '../api/greenhouse.ts'
import type { BaseUrls } from './base-urls.ts'

export type AreaPath = (url: URL) => string | undefined

/**
 * Returns path functions for the areas that the Greenhouse has. Areas of plug-ins are below the base of Area A. @param
 * below which URLs below that base belong to Area A: with `operations`, those of its operations, `/plants…`; with
 * `all`, every one.
 */
export function createAreaPaths(
  { catalogue }: Greenhouse,
  bases: BaseUrls,
  below: 'operations' | 'all' = 'operations',
): AreaPath[] {
  return catalogue.areas.flatMap(({ name, base, operations }) => {
    if (name === 'apps') return createAreaPath(bases.apps, '/v1', '')
    if (name === 'plants' && below === 'all') return createAreaPath(bases.plants, '', '')
    return prefixesOf(base, operations).map((start) => createAreaPath(bases.plants, '', start))
  })
}

export function createServicePath(...options: Parameters<typeof createAreaPaths>): AreaPath {
  const paths = createAreaPaths(...options)
  return (url) => paths.map((find) => find(url)).find((path) => path !== undefined)
}

function createAreaPath(base: string | undefined, mount: string, below: string): AreaPath {
  const wanted = base === undefined ? undefined : new URL(base)
  const prefix = withoutTrailingSlashes(wanted?.pathname ?? mount)
  const start = prefix + below
  return ({ origin, pathname }) => {
    if (wanted !== undefined && origin !== wanted.origin) return undefined
    const world = /^\/~[^/]+/.exec(pathname)?.[0] ?? ''
    const path = pathname.slice(world.length)
    if (path !== start && !path.startsWith(start + '/')) return undefined
    return world + mount + path.slice(prefix.length)
  }
}

export function pathPrefixes({ areas }: Greenhouse['catalogue']): string[] {
  return areas.flatMap(({ base, operations }) => prefixesOf(base, operations))
}

function prefixesOf(base: string, operations: readonly { readonly path: string }[]): string[] {
  if (base !== '') return [base]
  const first = operations.map(({ path }) => /^\/[^/]*/.exec(path)![0])
  return [...new Set(first.map((segment) => (segment.includes('{') ? '' : segment)))]
}
