import { parseArgs } from 'node:util'
import { describeProblem, joinNames, suggest } from '../core/text/messages.ts'
import { mapFields } from '../core/text/values.ts'
import { type Command, withFreeFlags } from './command.ts'
import { UsageError } from './terminal.ts'
import { commonFlags, type Flags } from './flags/flags.ts'

type Tokens = ReturnType<typeof toTokens>

function toTokens(words: readonly string[], flags: Flags) {
  const options = mapFields(flags, (flag) => ({
    type: 'isOn' in flag ? ('boolean' as const) : ('string' as const),
    ...(flag.short !== undefined && { short: flag.short }),
  }))
  const args = words.slice(0, [...words, '--'].indexOf('--'))
  const { tokens } = parseArgs({
    args,
    options,
    strict: false,
    tokens: true,
  })
  return tokens.flatMap((token, place) => {
    const value = args[token.index]
    if (token.kind !== 'option' || value === undefined || !/^-\d/.test(value)) return token
    // The word is a number or a duration, such as `-5` or `-1h`, and not a flag for each letter.
    if (tokens[place - 1]?.index === token.index) return []
    return {
      kind: 'positional' as const,
      index: token.index,
      value,
    }
  })
}

function namesOfFlags(words: readonly string[]): string[] {
  return words.flatMap((word) => /^--([^-=][^=]*)/.exec(word)?.[1] ?? [])
}

function positionalsIn(tokens: Tokens) {
  return tokens.filter((token) => token.kind === 'positional')
}

export function nameIn(words: readonly string[]): string | undefined {
  return positionalsIn(toTokens(words, commonFlags))[0]?.value
}

/** `--help` and `--version` win over mistakes. @throws UsageError */
export function readWords(
  words: readonly string[],
  commands: readonly Command[],
  name = nameIn(words),
) {
  const named = commands.find((command) => command.name === name)
  const group = named?.subcommands ?? []
  // Flags may come before the subcommand.
  const flags = [named, ...group].map((command) => command?.flags)
  const tokens = toTokens(words, Object.assign({}, commonFlags, ...flags))
  const second = positionalsIn(tokens)[1]?.value
  const sub = group.find((command) => command.name === second)
  const { given } = readFlags(tokens, commonFlags)
  if (given['help'] || given['version'])
    return {
      chain: [named, sub].filter((command) => command !== undefined),
      given,
      others: {},
    }

  if (name === undefined) throw new UsageError('A command is missing.')
  if (!named) throw toUnknownCommand(name, commands)
  if (group.length === 0) return readArguments(words, [], named)
  const command = second === undefined ? group.find(({ isDefault }) => isDefault) : sub
  if (!command) throw toUnknownCommand(second, group)
  return readArguments(words, [named], command)
}

function readArguments(words: readonly string[], groups: readonly Command[], command: Command) {
  const { form, runsCommand } = command
  const chain = [...groups, command]
  const flags = { ...commonFlags, ...withFreeFlags(command, namesOfFlags(words)) }
  const tokens = toTokens(words, flags)
  const { given, unknown } = readFlags(tokens, flags)
  const after = words.slice([...words, '--'].indexOf('--') + 1)
  const own = positionalsIn(tokens).slice(chain.length)
  const left = own.map(({ value }) => value)
  const others: Record<string, string | readonly string[] | undefined> = {}
  if (runsCommand) others['--'] = after
  else left.push(...after)
  for (const [, open, name = '', dots] of form.matchAll(/([<[])(\w+)(\.\.)?/g)) {
    if (open === '<' && left.length === 0)
      throw new UsageError(`An argument is missing. Write: ${toUsage(chain)}`)
    others[name] = dots ? left.splice(0) : left.shift()
  }
  if (runsCommand && left.length > 0 && !words.includes('--')) {
    const start = own.at(-left.length)?.index
    const meant = [...words.slice(0, start), '--', ...words.slice(start)].join(' ')
    throw new UsageError(`Put -- before the command: greenhouse-mock ${meant}`)
  }
  const mistakes = unknown.map((flag) => explainFlag(flag, flags))
  if (mistakes.length === 0) mistakes.push(...left.map((word) => `Unknown argument: ${word}.`))
  if (mistakes.length > 0) throw toUsageError(mistakes, chain)
  return {
    chain,
    given,
    others,
  }
}

/** Without a suggestion, the usage may help: `check --scenarios DIR` is `check DIR`. */
function toUsageError(mistakes: readonly string[], chain: readonly Command[]): UsageError {
  const usage = toUsage(chain)
  const isClear = !/ [<[]/.test(usage) || mistakes.some((one) => one.includes('Did you mean'))
  return new UsageError([...mistakes, ...(isClear ? [] : [`Write: ${usage}`])].join('\n'))
}

function explainFlag(flag: string, known: Flags): string {
  const [dashes = flag] = /^--(no-)?/.exec(flag) ?? []
  const hint = suggest(flag.slice(dashes.length), Object.keys(known))
  return `${flag}: there is no such flag.${hint.replace('"', `"${dashes}`)}`
}

function toUnknownCommand(name: string | undefined, known: readonly Command[]): UsageError {
  const names = known.map((command) => command.name)
  if (name === undefined) return new UsageError(`Expected ${joinNames(names, 'or')}.`)
  const meant = asServe.includes(name) && names.includes('serve') ? 'serve' : name
  return new UsageError(describeProblem(`Unknown command: ${name}`, meant, names))
}

/** The names that other programs have for it. */
const asServe = ['dev', 'start', 'mock', 'server']

function readFlags(tokens: Tokens, flags: Flags) {
  const given: Record<string, boolean | string[]> = {}
  const unknown = new Set<string>()
  const isSwitch = (name: string) => 'isOn' in (flags[name] ?? {})
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const { value } = token
    const positive = token.name.replace(/^no-/, '')
    const name = isSwitch(positive) ? positive : token.name
    if (!Object.hasOwn(flags, name)) unknown.add(token.rawName)
    else if (!isSwitch(name)) {
      if (value === undefined || (!token.inlineValue && value.startsWith('--')))
        throw new UsageError(`--${name}: a value is missing.`)
      given[name] = [...((given[name] as string[] | undefined) ?? []), value]
    } else if (value === undefined) given[name] = name === token.name
    // `--trace=false`, but not `--watch=maybe`.
    else if (name === token.name && (value === 'true' || value === 'false'))
      given[name] = value === 'true'
    else
      throw new UsageError(`--${token.name}: it takes no value. Write --${name} or --no-${name}.`)
  }
  return {
    given,
    unknown: [...unknown],
  }
}

/** Returns how to write a command: `greenhouse-mock scenario use <names..>`. */
export function toUsage(chain: readonly Command[]): string {
  const groups = chain.slice(0, -1).map(({ name }) => name)
  return ['greenhouse-mock', ...groups, chain.at(-1)?.form ?? '<command>'].join(' ')
}
