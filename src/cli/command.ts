import type { Argv, CommandModule, Options } from 'yargs'
import type { FileSettings } from './flags/config.ts'
import {
  type ArgumentsOf,
  assertSwitches,
  each,
  eitherOf,
  type Flags,
  once,
  readVariable,
  textOf,
} from './flags/flags.ts'
import type { Terminal } from './terminal.ts'

interface Definition<Form extends string, F extends Flags, Inherited extends Flags> {
  /** Its name and its positional arguments: `save <file>`, `clear [names..]`. */
  readonly command: Form
  readonly describe: string
  readonly positionals?: (terminal: Terminal) => Readonly<Record<string, { describe: string; default?: string }>>
  readonly flags?: F
  /** The flags of the command above it, which yargs passes on. */
  readonly inherited?: Inherited
  /** Defaults of the flags from the configuration file. */
  readonly settings?: (terminal: Terminal) => FileSettings
  readonly aliases?: Readonly<Record<string, string>>
  readonly examples?: readonly (readonly [command: string, description: string])[]
  readonly epilogue?: string
  /** Whether the words after `--` are a command to run. */
  readonly runsCommand?: boolean
  readonly subcommands?: readonly Command[]
  /** Whether it runs when the words name no subcommand. */
  readonly isDefault?: boolean
  readonly run?: (args: CommandArguments<Form, F & Inherited>, terminal: Terminal) => void | Promise<void>
}

type NoFlags = Record<never, never>

type CommandArguments<Form extends string, F extends Flags> = ArgumentsOf<F> & PositionalsOf<Form> & { '--'?: string[] }

type PositionalsOf<Form extends string> = Form extends `${infer Word} ${infer Rest}`
  ? PositionalOf<Word> & PositionalsOf<Rest>
  : PositionalOf<Form>

type PositionalOf<Word extends string> = Word extends `<${infer Name}..>`
  ? Record<Name, string[]>
  : Word extends `[${infer Name}..]`
    ? Partial<Record<Name, string[]>>
    : Word extends `<${infer Name}>`
      ? Record<Name, string>
      : Word extends `[${infer Name}]`
        ? Partial<Record<Name, string>>
        : unknown

interface Command {
  readonly name: string
  readonly isDefault: boolean
  toModule(terminal: Terminal): CommandModule
}

export function defineCommand<Form extends string, F extends Flags = NoFlags, Inherited extends Flags = NoFlags>(
  definition: Definition<Form, F, Inherited>,
): Command {
  const { command, describe, isDefault = false, run } = definition
  const [name] = command.split(' ') as [string]
  return {
    name,
    isDefault,
    toModule: (terminal) => ({
      command: isDefault ? [command, '$0'] : command,
      describe,
      builder: (args) => build(args, definition, terminal),
      handler: (args) => run?.(args as never, terminal),
    }),
  }
}

function build(args: Argv, definition: Omit<Definition<string, Flags, Flags>, 'run'>, terminal: Terminal): Argv {
  const { command, flags = {}, subcommands = [], examples = [], aliases, epilogue } = definition
  const positionals = definition.positionals?.(terminal) ?? {}
  for (const [, open, name, dots] of command.matchAll(/([<[])(\w+)(\.\.)?/g))
    args.positional(name!, {
      type: 'string',
      ...(open === '<' && { demandOption: true }),
      ...(dots !== undefined && { array: true }),
      ...positionals[name!],
    })
  withFlags(args, flags, terminal, definition.settings?.(terminal))
  for (const subcommand of subcommands) args.command(subcommand.toModule(terminal))
  if (definition.runsCommand) args.parserConfiguration({ 'populate--': true })
  if (subcommands.length > 0 && !subcommands.some(({ isDefault }) => isDefault))
    args.demandCommand(1, `Expected ${eitherOf(subcommands.map(({ name }) => name))}.`)
  if (aliases) args.alias(aliases)
  for (const [example, description] of examples) args.example(`$0 ${example}`, description)
  return epilogue === undefined ? args : args.epilogue(epilogue)
}

/**
 * Adds the flags of a command to yargs. A flag wins over its variable, which wins over the configuration file.
 * @throws UsageError if a switch has a value in the terminal's words
 */
export function withFlags<T, F extends Flags>(
  args: Argv<T>,
  flags: F,
  { env, words = [] }: Pick<Terminal, 'env' | 'words'>,
  settings: FileSettings = {},
): Argv<T & ArgumentsOf<F>> {
  const switches = Object.keys(flags).filter((name) => 'isOn' in flags[name]!)
  assertSwitches(words, switches)
  for (const [name, flag] of Object.entries(flags)) args.option(name, toOption(name, flag, env, settings[name]))
  return args as never
}

/** Stands for the value of a variable or a setting, which `coerce` reads only when yargs falls back to the default. */
const unread = Symbol('unread')

const isUnread = (given: unknown) => given === unread || (Array.isArray(given) && given[0] === unread)

function toOption(name: string, flag: Flags[string], env: NodeJS.ProcessEnv, setting: unknown): Options {
  const { variable } = flag
  const option = toPlainOption(name, flag)
  const isSet = variable !== undefined && textOf(variable, env) !== undefined
  if (!isSet && setting === undefined) return option
  const read = option.coerce ?? ((given: unknown) => given)
  const coerce = (given: unknown) => (isUnread(given) ? (readVariable(flag, env) ?? setting) : read(given))
  return { ...option, coerce, default: unread, defaultDescription: isSet ? variable : 'configuration file' }
}

function toPlainOption(name: string, flag: Flags[string]): Options {
  const { describe } = flag
  if ('isOn' in flag) return { type: 'boolean', describe, default: flag.isOn }
  if ('each' in flag)
    return { type: 'string', array: true, nargs: 1, coerce: each(name, flag.each), describe, default: [] }
  const option: Options = {
    type: 'string',
    requiresArg: true,
    coerce: once(name, flag.value),
    describe,
    ...(flag.defaultDescription !== undefined && { defaultDescription: flag.defaultDescription }),
  }
  return flag.default === undefined ? option : { ...option, default: flag.default }
}
