import { existsSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { docs } from './sidebar.ts'

export const repository = 'https://github.com/greenhouse-mock/greenhouse'

/** Where a link of a page leads on the site: a page stays what it is, any other file leads to the repository. @param page relative to `docs` */
export function toSiteLink(href: string, page: string): string {
  if (/^([a-z]+:|#|\/)/i.test(href)) return href
  const [path = '', anchor] = href.split('#')
  const target = resolve(docs, dirname(page), path)
  if (!relative(docs, target).startsWith('..') && target.endsWith('.md')) return href
  if (!existsSync(target)) return href
  const kind = statSync(target).isDirectory() ? 'tree' : 'blob'
  const place = relative(join(docs, '..'), target).replaceAll('\\', '/')
  return `${repository}/${kind}/main/${place}${anchor === undefined ? '' : `#${anchor}`}`
}
