import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Names that several files export on purpose: public names of two entries of the package, and the collections `plants` and
 * `apps` beside the areas of these names.
 */
const shared = new Set(['createGreenhouse', 'createTest', 'test', 'TestFixtures', 'plants', 'apps'])

/** Returns a message for every name that two files declare and export. @param source the folder `src` */
export function duplicateNames(source) {
  const known = new Map()
  for (const file of readdirSync(source, { recursive: true })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()) {
    if (!/\.tsx?$/.test(file)) continue
    for (const name of exportedNames(readFileSync(join(source, file), 'utf8')))
      known.set(name, [...(known.get(name) ?? []), file])
  }
  return [...known].flatMap(([name, files]) =>
    files.length < 2 || shared.has(name) || files.every((file) => /^areas\/(plants|apps)\/[\w-]+\.ts$/.test(file))
      ? []
      : `${files.map((file) => `src/${file}`).join(' and ')} export the name ${name}. Give each its own.`,
  )
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
