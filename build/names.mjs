import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Names that several files export on purpose: public names of two entries of the package, and the collections `plants` and
 * `apps` beside the areas of these names.
 */
const shared = new Set(['createGreenhouse', 'createTest', 'test', 'TestFixtures', 'plants', 'apps'])

/** Returns a message for every name that two files export, and for every error whose name is not that of its class. @param source the folder `src` */
export function duplicateNames(source) {
  const known = new Map()
  const foreign = []
  for (const file of readdirSync(source, { recursive: true })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()) {
    if (!/\.tsx?$/.test(file)) continue
    const text = readFileSync(join(source, file), 'utf8')
    for (const name of exportedNames(text)) known.set(name, [...(known.get(name) ?? []), file])
    for (const [, name, own] of text.matchAll(/class (\w+) extends \w+ \{\s*override name = '(\w+)'/g))
      if (own !== name)
        foreign.push(`src/${file}: the error ${name} has the name ${own}. Give it the name of its class.`)
  }
  const shownTwice = [...known].flatMap(([name, files]) =>
    files.length < 2 || shared.has(name) || files.every((file) => /^areas\/(plants|apps)\/[\w-]+\.ts$/.test(file))
      ? []
      : `${files.map((file) => `src/${file}`).join(' and ')} export the name ${name}. Give each its own.`,
  )
  return [...shownTwice, ...foreign]
}

/** Returns the names that a text declares and exports; overloads count once. */
function exportedNames(text) {
  const declaration = /^export (?:abstract )?(?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm
  return new Set(Array.from(text.matchAll(declaration), ([, name]) => name))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const messages = duplicateNames(fileURLToPath(new URL('../src', import.meta.url)))
  for (const message of messages) console.error(message)
  if (messages.length > 0) process.exitCode = 1
}
