import { sharedByBuilds } from '../core/definitions/across-builds.ts'
import { text, type RulesFor } from '../core/definitions/options.ts'

/** The base URLs of the two areas, as the client uses them. */
export interface BaseUrls {
  /** The base URL of Area A: plants are at `<plants>/plants`. By default, `/plants` at any origin. */
  plants?: string
  /** The base URL of Area B, with its version: apps are at `<apps>/apps`. By default, `/v1` at any origin. */
  apps?: string
}

/** Converts a base URL to an absolute one; in a page, a path belongs to the page's origin. */
function toAbsolute(url: string): string | undefined {
  if (/^https?:/i.test(url)) return URL.canParse(url) ? url : undefined
  const page = (globalThis as { location?: { href: string } }).location?.href
  return url.startsWith('/') && page !== undefined && URL.canParse(url, page) ? new URL(url, page).href : undefined
}

const baseUrl = (version: string) =>
  text(
    `an absolute URL, such as "http://localhost:3000${version}", or, in a browser page, a path, such as "/api${version}"`,
    (url) => toAbsolute(url) !== undefined,
  )

export const baseUrlRules: RulesFor<BaseUrls> = { plants: baseUrl(''), apps: baseUrl('/v1') }

/** Converts valid base URLs to absolute ones. */
export function toAbsoluteBases({ plants, apps }: BaseUrls): BaseUrls {
  return {
    ...(plants !== undefined && { plants: toAbsolute(plants)! }),
    ...(apps !== undefined && { apps: toAbsolute(apps)! }),
  }
}

const known = sharedByBuilds('base-urls', () => new WeakMap<object, BaseUrls>())

/** Stores the base URLs that a Greenhouse's MSW handlers use. */
export function setBaseUrls(greenhouse: object, bases: BaseUrls): void {
  known.set(greenhouse, bases)
}

/** Returns the base URLs that a Greenhouse's MSW handlers use; `undefined` without handlers. */
export function baseUrlsOf(greenhouse: object): BaseUrls | undefined {
  return known.get(greenhouse)
}
