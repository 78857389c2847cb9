import { sharedByBuilds } from '../core/definitions/across-builds.ts'
import { text, type RulesFor } from '../core/definitions/options.ts'

/** The base URLs of the two areas, as the client uses them. */
export interface BaseUrls {
  /** The base URL of Area A: plants are at `<plants>/plants`. By default, `/plants` at any origin. */
  plants?: string
  /** The base URL of Area B, with its version: apps are at `<apps>/apps`. By default, `/v1` at any origin. */
  apps?: string
}

const isAbsolute = (url: string) => /^https?:/i.test(url) && URL.canParse(url)

/** What base URLs may be. */
export const baseUrlRules: RulesFor<BaseUrls> = {
  plants: text('an absolute URL, such as "http://localhost:3000"', isAbsolute),
  apps: text('an absolute URL, such as "http://localhost:3000/v1"', isAbsolute),
}

const known = sharedByBuilds('base-urls', () => new WeakMap<object, BaseUrls>())

/** Remembers where a Greenhouse is reached through MSW. */
export function keepBaseUrls(greenhouse: object, bases: BaseUrls): void {
  known.set(greenhouse, { ...bases })
}

/** Where a Greenhouse is reached through MSW; `undefined` when it has no handlers. */
export function baseUrlsOf(greenhouse: object): BaseUrls | undefined {
  return known.get(greenhouse)
}
