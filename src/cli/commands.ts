import yargs from 'yargs'
import { version } from '../../package.json'
import { describeProblem, suggest } from '../core/text/messages.ts'
import { caseCommand } from './commands/case.ts'
import { configCommand } from './commands/config.ts'
import { flipCommand, verifyCommand } from './commands/contract.ts'
import { assumptionsCommand, openapiCommand, routesCommand } from './commands/reference.ts'
import { checkCommand, fixturesCommand, typesCommand } from './commands/files.ts'
import {
  clockCommand,
  logCommand,
  recordsCommand,
  resetCommand,
  statusCommand,
  triggerCommand,
} from './commands/world.ts'
import { mcpCommand } from './commands/mcp.ts'
import { runCommand } from './commands/run.ts'
import { scenarioCommand } from './commands/scenario.ts'
import { serveCommand } from './commands/serve.ts'
import { UsageError } from './errors.ts'
import { configFlag } from './flags/config.ts'
import { assertSwitches } from './flags/flags.ts'
import { print, type Terminal } from './terminal.ts'

const widest = 80

const commands = [
  serveCommand,
  runCommand,
  mcpCommand,
  flipCommand,
  checkCommand,
  configCommand,
  fixturesCommand,
  typesCommand,
  statusCommand,
  logCommand,
  scenarioCommand,
  caseCommand,
  clockCommand,
  recordsCommand,
  resetCommand,
  triggerCommand,
  assumptionsCommand,
  routesCommand,
  openapiCommand,
  verifyCommand,
]

export async function runWithYargs(words: readonly string[], terminal: Terminal): Promise<void> {
  if (await completeNames(words, terminal)) return
  assertSwitches(words, ['help', 'version'])
  const parser = yargs()
    .scriptName('greenhouse-mock')
    .usage('$0 <command>\n\nA local mock of the plant store and app management APIs.')
  for (const command of commands) parser.command(command.toModule(terminal))
  await parser
    .option('config', configFlag)
    .completion('completion', 'Print a completion script for bash or zsh')
    .demandCommand(1, 'A command is missing.')
    .strict()
    .version(version)
    .help()
    .alias('h', 'help')
    .wrap(Math.min(widest, terminal.stdout.columns || widest))
    .exitProcess(false)
    .fail((message, error, current) => {
      if (error && error.name !== 'YError') throw error
      throw new UsageError(explainMistake(message ?? error.message, words, current))
    })
    // With a callback, yargs does not print help and version itself.
    .parseAsync([...words], {}, (_error, _args, output) => {
      if (output !== '') terminal.stdout.write(`${output}\n`)
    })
}

interface Usage {
  getDescriptions?(): object
  getCommands?(): readonly (readonly [command: string, ...details: unknown[]])[]
  getUsage?(): readonly (readonly [usage: string, description: string])[]
}

function explainMistake(message: string, words: readonly string[], usage: unknown): string {
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
  if (command !== undefined) return describeProblem(`Unknown command: ${command}`, command, commands)
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

const asking = '--get-yargs-completions'

async function completeNames(words: readonly string[], terminal: Terminal): Promise<boolean> {
  const [first, , ...line] = words
  if (first !== asking || line.at(-1)?.startsWith('-')) return false
  const names = await namesFor(line)
  if (!names) return false
  print(terminal, names.map((name) => `${name}\n`).join(''))
  return true
}

async function namesFor([command, action, ...rest]: readonly string[]): Promise<readonly string[] | undefined> {
  if (command === 'trigger' && rest.length === 0) return (await import('../areas/event-types.ts')).eventTypes
  if (command !== 'scenario' || rest.length === 0 || !['use', 'show', 'clear'].includes(action!)) return undefined
  const { createGreenhouse } = await import('../api/assembly/create.ts')
  return createGreenhouse()
    .scenarios()
    .map(({ name }) => name)
}
