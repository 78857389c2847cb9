import { suggest } from '../core/definitions/suggest.ts'

/** What yargs says of words that a command does not have, each as it was written, with the flag that may have been meant. @param usage of the command, as yargs hands it out. */
export function withSuggestions(message: string, words: readonly string[], usage: unknown): string {
  const [, names] = /^Unknown arguments?: (.*)$/.exec(message) ?? []
  if (names === undefined) return message
  const known = Object.keys((usage as { getDescriptions?: () => object }).getDescriptions?.() ?? {})
  // yargs tells a flag with dashes twice: as it was written, and as `camelCase`.
  const unknown = new Set(names.split(', ').map((name) => words.find((word) => isFlag(word, name)) ?? name))
  return Array.from(unknown, (word) =>
    word.startsWith('--') ? toFlagMessage(word.replace(/=.*$/s, ''), known) : `Unknown argument: ${word}.`,
  ).join('\n')
}

function isFlag(word: string, name: string): boolean {
  return word.startsWith('--') && [name, toWords(name)].includes(word.replace(/^--(no-)?/, '').split('=')[0]!)
}

function toFlagMessage(flag: string, known: readonly string[]): string {
  const dashes = flag.startsWith('--no-') ? '--no-' : '--'
  return `Unknown flag: ${flag}.${suggest(flag.slice(dashes.length), known).replace('"', `"${dashes}`)}`
}

function toWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
