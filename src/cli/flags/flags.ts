import { UsageError } from '../errors.ts'

export interface FlagValue<T = string> {
  /** The end of "--port: expected …": a whole number from 0 to 65535. */
  readonly expected: string
  /** A valid value. */
  readonly example: string
  /** Whether errors hide the value. */
  readonly isSecret?: boolean
  /** Parses a string; `undefined` if it is invalid. Without it, any string is valid that is not blank. */
  read?(text: string): T | undefined
}

/** A flag with a value, optional unless it has a default. */
interface ValueFlag<T = unknown> {
  readonly value: FlagValue<T>
  readonly describe: string
  /** The default; a string is parsed like a given value. */
  readonly default?: T | string
  /** The default for the help, if it is known only later. */
  readonly defaultDescription?: string
  /** The environment variable that replaces a missing flag. */
  readonly variable?: string
}

/** A repeatable flag with values. */
interface ListFlag<T = unknown> {
  readonly each: FlagValue<T>
  readonly describe: string
  readonly variable?: string
}

/** A boolean flag: `--watch`, `--no-watch`. */
interface SwitchFlag {
  readonly isOn: boolean
  readonly describe: string
  readonly variable?: string
}

/** The flags of a command by name, for yargs (`yargs-flags.ts`) and for the fast path (`plain-flags.ts`). */
export type Flags = Readonly<Record<string, ValueFlag | ListFlag | SwitchFlag>>

/** The values of flags, with camelCase names. */
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

/** Returns the parser of a flag that may be given once. @throws UsageError that names the flag, what it expects and an example. */
export function once<T = string>(flag: string, value: FlagValue<T>) {
  return (given: unknown): T => {
    if (Array.isArray(given))
      throw new UsageError(
        `--${flag}: it was given ${given.length} times. Give it once, such as --${flag} ${value.example}.`,
      )
    // A default that is not a string needs no parsing.
    return typeof given === 'string' ? readText(`--${flag}`, value, given) : (given as T)
  }
}

/** Reads an environment variable; an empty one counts as missing. @throws UsageError that names the variable, what it expects and an example. */
export function fromEnvironment<T = string>(
  variable: string,
  value: FlagValue<T>,
  env: NodeJS.ProcessEnv,
): T | undefined {
  const text = textOf(variable, env)
  return text === undefined ? undefined : readText(variable, value, text, '=')
}

/**
 * Returns the value of a variable; `undefined` if it is missing, empty or like `GREENHOUSE_PORT=tcp://10.0.0.7:4010`, which
 * Kubernetes and Docker set in every container beside a service named greenhouse.
 */
export function textOf(variable: string, env: NodeJS.ProcessEnv): string | undefined {
  const text = env[variable]
  return text === undefined || text === '' || /^(tcp|udp|sctp):\/\//.test(text) ? undefined : text
}

/** Returns the parser of a repeatable flag. @throws UsageError that names the flag, what it expects and an example. */
export function each<T = string>(flag: string, value: FlagValue<T>) {
  return (given: readonly unknown[]): T[] => given.map((one) => readText(`--${flag}`, value, String(one)))
}

/** Parses a string. @throws UsageError that names the flag or variable, what is expected and an example. */
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

/** Returns the name of a flag's argument: `bodyLimit` for `body-limit`. */
export function toCamelCase(flag: string): string {
  return flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** Refuses `--watch=maybe`, which yargs reads as `--no-watch`. @throws UsageError */
export function assertSwitches(words: readonly string[], switches: readonly string[]): void {
  const end = words.indexOf('--')
  for (const word of end < 0 ? words : words.slice(0, end)) {
    const [, no = '', flag = '', value] = /^--(no-)?([a-z-]+)=(.*)$/s.exec(word) ?? []
    if (switches.includes(flag) && (no !== '' || (value !== 'true' && value !== 'false')))
      throw new UsageError(`--${no}${flag}: it takes no value. Write --${flag} or --no-${flag}.`)
  }
}
