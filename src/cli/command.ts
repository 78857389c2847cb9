import type { Argv, CommandModule, Options } from 'yargs'
import type { Flag } from '../api/config/flag-value.ts'
import { joinNames } from '../core/text/messages.ts'
import { type ArgumentsOf, assertSwitches, type FileSettings, type Flags, resolveFlags, textOf } from './flags/flags.ts'
import { FailedCheck } from './errors.ts'
import { print, printJson, type Terminal } from './terminal.ts'

export interface Definition<Form extends string, F extends Flags> {
  /** Its name and its positional arguments: `save <file>`, `clear [names..]`. */
  readonly command: Form
  readonly describe: string
  readonly positionals?: (terminal: Terminal) => Readonly<Record<string, { describe: string; default?: string }>>
  readonly flags?: F
  readonly settings?: (terminal: Terminal) => FileSettings
  readonly aliases?: Readonly<Record<string, string>>
  readonly examples?: readonly (readonly [command: string, description: string])[]
  readonly epilogue?: string
  readonly runsCommand?: boolean
  readonly subcommands?: readonly Command[]
  /** Whether it runs when the words name no subcommand. */
  readonly isDefault?: boolean
  readonly run?: (args: CommandArguments<Form, F>, terminal: Terminal) => Result | Promise<Result>
}

/** What a command prints, if it does not print itself: the answer with `--json`, otherwise the text. */
export interface Printed {
  readonly answer: unknown
  toText(): string | Promise<string>
  /** Whether the command ends with 1. */
  readonly hasFailed?: boolean
}

type Result = Printed | void

export type NoFlags = Record<never, never>

export type CommandArguments<Form extends string, F extends Flags> = ArgumentsOf<F> &
  PositionalsOf<Form> & { '--'?: string[] }

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

export interface Command {
  readonly name: string
  readonly isDefault: boolean
  toModule(terminal: Terminal): CommandModule
}

export function defineCommand<Form extends string, F extends Flags = NoFlags>(
  definition: Definition<Form, F>,
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
      async handler(args) {
        const resolved = resolveFlags(definition.flags ?? {}, args, terminal.env, definition.settings?.(terminal))
        const printed = await run?.({ ...args, ...resolved } as never, terminal)
        if (!printed) return
        if ((resolved as { readonly json?: boolean }).json) printJson(terminal, printed.answer)
        else print(terminal, await printed.toText())
        if (printed.hasFailed) throw new FailedCheck()
      },
    }),
  }
}

function build(args: Argv, definition: Omit<Definition<string, Flags>, 'run'>, terminal: Terminal): Argv {
  const { command, flags = {}, subcommands = [], examples = [], aliases, epilogue } = definition
  const positionals = definition.positionals?.(terminal) ?? {}
  for (const [, open, name, dots] of command.matchAll(/([<[])(\w+)(\.\.)?/g))
    args.positional(name!, {
      type: 'string',
      ...(open === '<' && { demandOption: true }),
      ...(dots !== undefined && { array: true }),
      ...positionals[name!],
    })
  addFlags(args, flags, terminal, definition.settings?.(terminal))
  for (const subcommand of subcommands) args.command(subcommand.toModule(terminal))
  if (definition.runsCommand) args.parserConfiguration({ 'populate--': true })
  const names = subcommands.map(({ name }) => name)
  if (names.length > 0 && !subcommands.some(({ isDefault }) => isDefault))
    args.demandCommand(1, `Expected ${joinNames(names, 'or')}.`)
  if (aliases) args.alias(aliases)
  for (const [example, description] of examples) args.example(`$0 ${example}`, description)
  return epilogue === undefined ? args : args.epilogue(epilogue)
}

export function addFlags(
  args: Argv,
  flags: Flags,
  { env, words = [] }: Pick<Terminal, 'env' | 'words'>,
  settings: FileSettings = {},
): Argv {
  const switches = Object.keys(flags).filter((name) => 'isOn' in flags[name]!)
  assertSwitches(words, switches)
  for (const [name, flag] of Object.entries(flags)) {
    const { describe, variable } = flag
    const isSet = variable !== undefined && textOf(variable, env) !== undefined
    const source = isSet ? variable : settings[name] === undefined ? undefined : 'configuration file'
    args.option(name, { ...toOption(flag), describe, defaultDescription: source ?? describeDefault(flag) })
  }
  return args
}

function toOption(flag: Flag): Options {
  if ('isOn' in flag) return { type: 'boolean' }
  return 'each' in flag ? { type: 'string', array: true, nargs: 1 } : { type: 'string', requiresArg: true }
}

function describeDefault(flag: Flag): string | undefined {
  if ('isOn' in flag) return String(flag.isOn)
  return 'each' in flag ? '[]' : (flag.defaultDescription ?? JSON.stringify(flag.default))
}
