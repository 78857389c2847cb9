import { withoutTrailingSlashes } from '../core/http/request.ts'
import type { Greenhouse } from '../greenhouse/greenhouse.ts'
import type { BaseUrls } from './base-urls.ts'

/** Returns the path of a URL from the service's root, after a world's prefix; `undefined` if the URL is not the area's. */
export type AreaPath = (url: URL) => string | undefined

/**
 * Returns a path function for each area that the Greenhouse has. @param below which URLs below the base of Area A
 * belong to it: `/plants…`, the paths of its operations, or all.
 */
export function createAreaPaths(
  { areas }: Greenhouse,
  bases: BaseUrls,
  below: 'operations' | 'all' = 'operations',
): AreaPath[] {
  const paths = {
    apps: createAreaPath(bases.apps, '/v1', '/v1', ''),
    plants: createAreaPath(bases.plants, '', '', below === 'operations' ? '/plants' : ''),
  }
  return areas.map((area) => paths[area as keyof typeof paths])
}

function createAreaPath(base: string | undefined, defaultPath: string, mount: string, below: string): AreaPath {
  const wanted = base === undefined ? undefined : new URL(base)
  const prefix = withoutTrailingSlashes(wanted?.pathname ?? defaultPath)
  const start = prefix + below
  return ({ origin, pathname }) => {
    if (wanted !== undefined && origin !== wanted.origin) return undefined
    const world = /^\/~[^/]+/.exec(pathname)?.[0] ?? ''
    const path = pathname.slice(world.length)
    if (path !== start && !path.startsWith(start + '/')) return undefined
    return world + mount + path.slice(prefix.length)
  }
}
