import { UsageError } from './errors.ts'

/** What a flag's value must be. */
export interface FlagValue<T = string> {
  /** Ends "--port: expected …": a whole number from 0 to 65535. */
  readonly expected: string
  /** A value that would do. */
  readonly example: string
  /** Whether an error does not repeat what was given. */
  readonly isSecret?: boolean
  /** The value that a text stands for; `undefined` when it is none. Any text, without this. */
  read?(text: string): T | undefined
}

/** A flag that takes a value. One that has no default may be missing. */
export interface ValueFlag<T = unknown> {
  readonly value: FlagValue<T>
  readonly describe: string
  /** A text is read as if it had been given. */
  readonly default?: T | string
  /** What holds without it, for the help, where that is known only later. */
  readonly otherwise?: string
  /** Stands for it where it is not given. */
  readonly variable?: string
}

/** A flag that may be given several times, each time with a value. */
export interface ListFlag<T = unknown> {
  readonly each: FlagValue<T>
  readonly describe: string
  readonly variable?: string
}

/** A flag that is on or off: `--watch`, `--no-watch`. */
export interface SwitchFlag {
  readonly isOn: boolean
  readonly describe: string
  readonly variable?: string
}

/** The flags of a command by name. yargs gets them (`yargs-flags.ts`), and so does the short way (`plain-flags.ts`). */
export type Flags = Readonly<Record<string, ValueFlag | ListFlag | SwitchFlag>>

/** What the flags of a table give, with their names in camelCase. */
export type ArgumentsOf<F extends Flags> = { [Name in keyof F & string as CamelCase<Name>]: ArgumentOf<F[Name]> }

type ArgumentOf<F> = F extends SwitchFlag
  ? boolean
  : F extends { readonly each: FlagValue<infer T> }
    ? T[]
    : F extends { readonly value: FlagValue<infer T>; readonly default: unknown }
      ? T
      : F extends { readonly value: FlagValue<infer T> }
        ? T | undefined
        : never

type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name

/** Makes what reads a flag that is given once. @throws UsageError that names the flag, what it expects and an example. */
export function once<T = string>(flag: string, value: FlagValue<T>) {
  return (given: unknown): T => {
    if (Array.isArray(given))
      throw new UsageError(
        `--${flag}: it was given ${given.length} times. Give it once, such as --${flag} ${value.example}.`,
      )
    // A default is none that somebody wrote.
    return typeof given === 'string' ? readText(`--${flag}`, value, given) : (given as T)
  }
}

/** Reads a variable of the environment; an empty one is as if it were not there. @throws UsageError that names the variable, what it expects and an example. */
export function fromEnvironment<T = string>(
  variable: string,
  value: FlagValue<T>,
  env: NodeJS.ProcessEnv,
): T | undefined {
  const text = textOf(variable, env)
  return text === undefined ? undefined : readText(variable, value, text, '=')
}

/**
 * The text of a variable that is set and not empty. Kubernetes and Docker set `GREENHOUSE_PORT=tcp://10.0.0.7:4010` in every
 * container beside a service that is named greenhouse: nobody means that.
 */
export function textOf(variable: string, env: NodeJS.ProcessEnv): string | undefined {
  const text = env[variable]
  return text === undefined || text === '' || /^(tcp|udp|sctp):\/\//.test(text) ? undefined : text
}

/** Makes what reads a flag that may be given several times. @throws UsageError that names the flag, what it expects and an example. */
export function each<T = string>(flag: string, value: FlagValue<T>) {
  return (given: readonly unknown[]): T[] => given.map((one) => readText(`--${flag}`, value, String(one)))
}

/** The value that a text stands for. @throws UsageError that names what it is for, what is expected and an example. */
export function readText<T>(
  name: string,
  { expected, example, isSecret, read }: FlagValue<T>,
  text: string,
  joint = ' ',
): T {
  const value = text.trim() === '' ? undefined : read ? read(text) : (text as T)
  if (value !== undefined) return value
  throw new UsageError(
    `${name}${isSecret || text.trim() === '' ? '' : `${joint}${text}`}: expected ${expected}, such as ${name}${joint}${example}.`,
  )
}

/** Refuses `--watch=maybe`, which yargs takes for `--no-watch`. @throws UsageError */
export function assertSwitches(words: readonly string[], switches: readonly string[]): void {
  const end = words.indexOf('--')
  for (const word of end < 0 ? words : words.slice(0, end)) {
    const [, no = '', flag = '', value] = /^--(no-)?([a-z-]+)=(.*)$/s.exec(word) ?? []
    if (switches.includes(flag) && (no !== '' || (value !== 'true' && value !== 'false')))
      throw new UsageError(`--${no}${flag}: it takes no value. Write --${flag} or --no-${flag}.`)
  }
}
