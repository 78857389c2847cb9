import { existsSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { docs } from './sidebar.ts'

/**
 * Where the repository is, such as `https://github.com/NAME/greenhouse`; `undefined` as long as it
 * is nowhere.
 */
export const repository = process.env['DOCS_REPOSITORY']

/**
 * Where a link of a page leads on the site: a page stays what it is, any other file leads to the
 * repository, or nowhere.
 * @param page relative to `docs`
 */
export function toSiteLink(href: string, page: string): string | undefined {
  if (/^([a-z]+:|#|\/)/i.test(href)) return href
  const [path = '', anchor] = href.split('#')
  const target = resolve(docs, dirname(page), path)
  if (!relative(docs, target).startsWith('..') && target.endsWith('.md')) return href
  if (!existsSync(target)) return href
  if (repository === undefined) return undefined
  const kind = statSync(target).isDirectory() ? 'tree' : 'blob'
  const place = relative(join(docs, '..'), target).replaceAll('\\', '/')
  return `${repository}/${kind}/main/${place}${anchor === undefined ? '' : `#${anchor}`}`
}
