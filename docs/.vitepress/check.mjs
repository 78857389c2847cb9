// What is wrong with the pages as built: links and anchors that lead nowhere, and whatever a
// browser would fetch from another host.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** @param dist the built site @param base the path that it is served below */
export function findFaults(dist, base) {
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).map((path) =>
    path.replaceAll('\\', '/'),
  )
  const pages = new Map(
    files
      .filter((path) => path.endsWith('.html'))
      .map((path) => [
        path,
        readFileSync(join(dist, path), 'utf8').replaceAll(/<!--[\s\S]*?-->/g, ''),
      ]),
  )
  const anchors = new Map(
    [...pages].map(([path, html]) => [
      path,
      new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)),
    ]),
  )
  return [
    ...[...pages].flatMap(([path, html]) => [...wrongLinks(path, html), ...foreign(path, html)]),
    ...files.filter((path) => path.endsWith('.css')).flatMap((path) => foreignStyles(path)),
  ]

  function wrongLinks(path, html) {
    return [...html.matchAll(/<a\s[^>]*?href="([^"]*)"/g)].flatMap(([, href]) => {
      if (/^[a-z]+:/i.test(href)) return []
      const { pathname, hash } = new URL(href.replaceAll('&amp;', '&'), `http://site${base}${path}`)
      const target = toFile(decodeURIComponent(pathname).slice(base.length))
      if (target === undefined) return [`${path}: ${href} leads nowhere.`]
      const id = decodeURIComponent(hash.slice(1))
      return id === '' || !anchors.has(target) || anchors.get(target).has(id)
        ? []
        : [`${path}: ${href}: no such anchor.`]
    })
  }

  function toFile(path) {
    return [path, `${path}.html`, join(path, 'index.html')].find(
      (file) =>
        pages.has(file) || (file !== '' && !file.endsWith('/') && existsSync(join(dist, file))),
    )
  }

  /** What a browser loads of itself; links that a reader follows may lead anywhere. */
  function foreign(path, html) {
    return [
      ...html.matchAll(
        /<(?:script|img|iframe|source|video|audio)\s[^>]*?src="(https?:)?\/\/[^"]*"|<link\s[^>]*?href="(https?:)?\/\/[^"]*"/g,
      ),
    ].map(([text]) => `${path}: ${text} is on another host.`)
  }

  function foreignStyles(path) {
    return [
      ...readFileSync(join(dist, path), 'utf8').matchAll(
        /(?:url\(|@import )["']?(?:https?:)?\/\/[^)"']*/g,
      ),
    ].map(([text]) => `${path}: ${text} is on another host.`)
  }
}
