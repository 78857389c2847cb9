import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Names that several files export on purpose: public names of two entries of the package, and the
 * collections `plants` and `apps` beside the areas of these names.
 */
const shared = new Set(['createGreenhouse', 'createTest', 'test', 'TestFixtures', 'plants', 'apps'])

/**
 * Words that no longer stand in declared names, with the field's word. What is public keeps its
 * name: the fields `verdicts`, `fired` and `grade`, `Kept` and the types `Own…`.
 */
const replaced = {
  overlay: 'settings',
  refuse: 'reject',
  refused: 'rejected',
  refusal: 'rejection',
  weigh: 'size',
  weight: 'size',
  notice: 'event',
  strays: 'unhandled',
  unseen: 'inconclusive',
  seeds: 'initialRecords',
  seeded: 'initialRecords',
  guest: 'allowedOrigin',
  stranger: 'crossOrigin',
  most: 'max',
  absence: 'notFound',
  judgement: 'check',
}

/** Words that stand in no comment. */
const spoken =
  /\b(anew|in place of|of its own|whoever|beside|told|tells|weighs?|weighed|strangers?|guests?|overlays?)\b/i

/**
 * Returns a message for every old word in a declared name or a comment. @param source the folder
 * `src`
 */
export function oldWords(source) {
  return sources(source)
    .filter(([file]) => !file.includes('/generated/'))
    .flatMap(([file, text]) => [
      ...Array.from(
        text.matchAll(/\b(?:function\*?|const|let|class|interface|type) #?(\w+)/g),
        ([, name]) => [name, words(name).find((word) => word in replaced)],
      ).flatMap(([name, word]) =>
        word === undefined
          ? []
          : `src/${file}: ${name} has the word ${word}. Say ${replaced[word]}.`,
      ),
      ...text.split('\n').flatMap((line, at) => {
        const [word] = (/^\s*(?:\/\/|\/?\*)/.test(line) && spoken.exec(line)) || []
        return word === undefined
          ? []
          : `src/${file}:${at + 1}: the comment says "${word}". Use a plain word.`
      }),
    ])
}

const words = (name) => name.split(/(?=[A-Z])|_/).map((word) => word.toLowerCase())

function sources(source) {
  return readdirSync(source, { recursive: true })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => [file, readFileSync(join(source, file), 'utf8')])
}

/**
 * Returns a message for every name that two files export or give a type, and for every error whose
 * name is not that of its class. @param source the folder `src`
 */
export function duplicateNames(source) {
  const known = new Map()
  const foreign = []
  for (const [file, text] of sources(source)) {
    for (const name of uniqueNames(text)) known.set(name, [...(known.get(name) ?? []), file])
    for (const [, name, own] of text.matchAll(
      /class (\w+) extends \w+ \{\s*override name = '(\w+)'/g,
    ))
      if (own !== name)
        foreign.push(
          `src/${file}: the error ${name} has the name ${own}. Give it the name of its class.`,
        )
  }
  const shownTwice = [...known].flatMap(([name, files]) =>
    files.length < 2 ||
    shared.has(name) ||
    files.every((file) => /^areas\/(plants|apps)\/[\w-]+\.ts$/.test(file))
      ? []
      : `${files.map((file) => `src/${file}`).join(' and ')} have the name ${name}. Give each its own.`,
  )
  return [...shownTwice, ...foreign]
}

/** Returns the names that a text exports, and those of its types; overloads count once. */
function uniqueNames(text) {
  const declaration =
    /^(?:(?:export )?(?:abstract )?(?:class|interface|type)|export (?:async )?(?:function\*?|const)) (\w+)/gm
  return new Set(Array.from(text.matchAll(declaration), ([, name]) => name))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const source = fileURLToPath(new URL('../src', import.meta.url))
  const messages = [...duplicateNames(source), ...oldWords(source)]
  for (const message of messages) console.error(message)
  if (messages.length > 0) process.exitCode = 1
}
