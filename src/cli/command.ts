import type { Argv, CommandModule, Options } from 'yargs'
import type { FileSettings } from './flags/config.ts'
import { type ArgumentsOf, assertSwitches, each, type Flags, once, readVariable, textOf } from './flags/flags.ts'
import type { Terminal } from './terminal.ts'

export interface Command<Arguments = object> extends Pick<CommandModule, 'command' | 'describe'> {
  readonly builder?: (args: Argv<any>, terminal: Terminal) => Argv<any>
  readonly handler: (args: Arguments, terminal: Terminal) => void | Promise<void>
}

export function toYargsCommand<Arguments>(
  terminal: Terminal,
  { builder, handler, ...rest }: Command<Arguments>,
): CommandModule<object, Arguments> {
  return {
    ...rest,
    ...(builder && { builder: (args) => builder(args, terminal) }),
    handler: (args) => handler(args as Arguments, terminal),
  }
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
