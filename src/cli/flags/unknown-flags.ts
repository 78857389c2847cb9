import { suggest } from '../../core/definitions/suggest.ts'

interface Usage {
  getDescriptions?(): object
  getCommands?(): readonly (readonly [command: string, ...details: unknown[]])[]
  getUsage?(): readonly (readonly [usage: string, description: string])[]
}

export function explainMistake(message: string, words: readonly string[], usage: unknown): string {
  const { getDescriptions, getUsage, getCommands } = usage as Usage
  const [, names] = /^Unknown arguments?: (.*)$/.exec(message) ?? []
  const [, form] = /^\$0 (.*)$/.exec(getUsage?.()[0]?.[0] ?? '') ?? []
  const commands = (getCommands?.() ?? []).map(([command]) => command.split(' ', 1)[0]!)
  if (names !== undefined) return toUnknown(names, words, Object.keys(getDescriptions?.() ?? {}), commands, form)
  const [, flags] = /^Not enough arguments following: (.*)$/.exec(message) ?? []
  if (flags !== undefined) return `--${flags}: a value is missing.`
  if (form?.includes('<duration>') && words.some((word) => /^-\d/.test(word)))
    return 'Expected a positive duration. To go back, write: greenhouse-mock clock set <time>'
  if (message.startsWith('Not enough non-option arguments') && form !== undefined)
    return `An argument is missing. Write: greenhouse-mock ${form}`
  return message
}

function toUnknown(
  names: string,
  words: readonly string[],
  flags: readonly string[],
  commands: readonly string[],
  form?: string,
): string {
  if (words[0] === 'run' && !words.includes('--')) {
    const start = words.findIndex((word, index) => index > 0 && !word.startsWith('-'))
    const [flags, command] = [words.slice(1, start), words.slice(start)]
    return `Put -- before the command: greenhouse-mock ${['run', ...flags, '--', ...command].join(' ')}`
  }
  const expectsCommand = commands.length > 0 && !words.some((word) => commands.includes(word))
  const command = expectsCommand ? names.split(', ').find((name) => words.includes(name)) : undefined
  // What follows an unknown command can't be judged.
  if (command !== undefined) return `Unknown command: ${command}.${suggest(command, commands)}`
  // yargs reports a dashed flag twice: as written, and in camelCase.
  const unknown = new Set(names.split(', ').map((name) => words.find((word) => isFlag(word, name)) ?? name))
  const messages = Array.from(unknown, (word) =>
    word.startsWith('--') ? toFlagMessage(word.replace(/=.*$/s, ''), flags) : `Unknown argument: ${word}.`,
  )
  // Without a suggestion, the usage may help: `check --scenarios DIR` is `check DIR`.
  const isHelpful = !form?.includes(' ') || messages.some((message) => message.includes('Did you mean'))
  return [...messages, ...(isHelpful ? [] : [`Write: greenhouse-mock ${form}`])].join('\n')
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
