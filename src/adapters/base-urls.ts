import { sharedByBuilds } from '../core/contract/builds.ts'
import { findPage } from '../core/contract/platform.ts'
import { type SchemasOf, text } from '../core/store/options.ts'

/** The base URLs of the two areas, as the client uses them. */
export interface BaseUrls {
  /**
   * The base URL of Area A: plants are at `<plants>/plants`. By default, `/plants` at any origin.
   */
  plants?: string | undefined
  /**
   * The base URL of Area B, with its version: apps are at `<apps>/apps`. By default, `/v1` at any
   * origin.
   */
  apps?: string | undefined
}

/** Converts a base URL to an absolute one; in a page, a path belongs to the page's origin. */
function toAbsolute(url: string): string | undefined {
  if (/^https?:/i.test(url)) return URL.canParse(url) ? url : undefined
  const page = findPage()?.location.href
  if (url.startsWith('/') && URL.canParse(url, page)) return new URL(url, page).href
  return undefined
}

const baseUrl = (version: string) =>
  text(
    `an absolute URL, such as "http://localhost:3000${version}", or, in a browser page, a path, such as "/api${version}"`,
    (url) => toAbsolute(url) !== undefined,
  )

export const baseUrlSchemas: SchemasOf<BaseUrls> = {
  plants: baseUrl(''),
  apps: baseUrl('/v1'),
}

export function toAbsoluteBases({ plants, apps }: BaseUrls): BaseUrls {
  return {
    plants: plants && toAbsolute(plants),
    apps: apps && toAbsolute(apps),
  }
}

/** The base URLs of each Greenhouse. */
export const knownBases = sharedByBuilds('base-urls', () => new WeakMap<object, BaseUrls>())
