import type { Flag } from '../api/config/flag.ts'
import {
  type ArgumentsOf,
  commonFlags,
  type Flags,
  type GivenFlags,
  resolveFlags,
  toFileSettings,
} from './flags/flags.ts'
import { print, printJson, type Terminal, UsageError } from './terminal.ts'
import type { Fields, Texts } from '../core/text/values.ts'

interface CommandText {
  readonly describe: string
  readonly positionals?: Texts
  readonly examples?: readonly (readonly [command: string, description: string])[]
  readonly epilogue?: string
  /**
   * If the words after `--` are a command to run: an example of the whole line, `run -- npm test`.
   */
  readonly runsCommand?: string
  /** The part that a configuration file plays, if it does not need to be right. */
  readonly config?: 'unused' | 'optional'
  readonly subcommands?: readonly Command[]
  readonly isDefault?: boolean
  /** The flag for fields that have no end of names, such as those of records. */
  readonly freeFlag?: Flag
}

interface Definition<Form extends string, F extends Flags> extends CommandText {
  /** Its name and its positional arguments: `save <file>`, `clear [names..]`. */
  readonly command: Form
  readonly flags?: F
  readonly run?: (
    args: ArgumentsOf<F> & PositionalsOf<Form> & { '--': string[] },
    terminal: Terminal,
  ) => CommandResult | Promise<CommandResult>
}

/**
 * What a command prints, if it does not print itself: the answer with `--json`, otherwise the text.
 */
interface Printed {
  readonly answer: unknown
  toText(): string | Promise<string>
}

type CommandResult = Printed | void

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

export interface Command extends CommandText {
  readonly name: string
  /** The words that a person writes: `clear [names..]`. */
  readonly form: string
  readonly flags: Flags
  run(given: GivenFlags, others: Fields, terminal: Terminal): Promise<void>
}

export function defineCommand<Form extends string, F extends Flags = Record<never, never>>(
  definition: Definition<Form, F>,
): Command {
  const { command, flags = {}, run, ...text } = definition
  const [name = ''] = command.split(' ', 1)
  return {
    ...text,
    name,
    form: command,
    flags,
    async run(given, others, terminal) {
      const all = withFreeFlags({ flags, ...text }, Object.keys(given))
      const resolved = resolveFlags<Flags>(
        all,
        given,
        terminal.env,
        toFileSettings(flags, terminal.config),
      )
      if (given['json'] && given['report'])
        throw new UsageError('--report: not together with --json. Use one of them.')
      const { runsCommand } = text
      if (runsCommand !== undefined && (others['--'] as string[]).length === 0)
        throw new UsageError(`Put the command to run after "--": greenhouse-mock ${runsCommand}`)
      const printed = await run?.({ ...others, ...resolved } as never, terminal)
      if (!printed) return
      if (resolved['json']) printJson(terminal, printed.answer)
      else print(terminal, await printed.toText())
    },
  }
}

/** Returns the flags of a command, with those among `names` that only it knows how to read. */
export function withFreeFlags(
  { flags, freeFlag }: Pick<Command, 'flags' | 'freeFlag'>,
  names: readonly string[],
): Flags {
  if (!freeFlag) return flags
  const free = names.filter((name) => !Object.hasOwn(commonFlags, name))
  return { ...Object.fromEntries(free.map((name) => [name, freeFlag])), ...flags }
}
