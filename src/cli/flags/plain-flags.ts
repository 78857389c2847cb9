import { type ArgumentsOf, each, type Flags, once, readVariable, toCamelCase } from './flags.ts'
import type { FileSettings } from './config.ts'

/**
 * Parses simple arguments without yargs, which takes 23 ms of each start (its code and its help). Returns `undefined`
 * for anything else (an unknown, repeated, invalid or empty flag, a positional word, `--help`): yargs then parses
 * everything, so there is one place for errors.
 */
export function readPlainFlags<F extends Flags>(
  words: readonly string[],
  flags: F,
  env: NodeJS.ProcessEnv,
  settings: FileSettings = {},
): ArgumentsOf<F> | undefined {
  const given = new Map<string, string[] | boolean>()
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    if (!word.startsWith('--')) return undefined
    const equals = word.indexOf('=')
    const name = word.slice(2, equals < 0 ? undefined : equals)
    const flag = flagOf(flags, name) ?? flagOf(flags, name.replace(/^no-/, ''))
    if (flag === undefined) return undefined
    if ('isOn' in flag) {
      const isOn = !name.startsWith('no-')
      const plain = isOn ? name : name.slice('no-'.length)
      if (equals >= 0 || given.has(plain)) return undefined
      given.set(plain, isOn)
    } else {
      const text = equals < 0 ? words[++at] : word.slice(equals + 1)
      if (text === undefined || !isPlain(text) || flagOf(flags, name) === undefined) return undefined
      given.set(name, [...((given.get(name) as string[] | undefined) ?? []), text])
    }
  }
  try {
    return Object.fromEntries(
      Object.entries(flags).map(([name, flag]) => [
        toCamelCase(name),
        toValue(name, flag, given.get(name), env, settings[name]),
      ]),
    ) as ArgumentsOf<F>
  } catch {
    return undefined
  }
}

function flagOf(flags: Flags, name: string): Flags[string] | undefined {
  return Object.hasOwn(flags, name) ? flags[name] : undefined
}

/** Whether yargs would leave a string unchanged: it removes quotes, and reads a leading dash as a flag or a number. */
function isPlain(text: string): boolean {
  return text !== '' && !text.startsWith('-') && !text.startsWith('"') && !text.startsWith("'")
}

function toValue(
  name: string,
  flag: Flags[string],
  given: string[] | boolean | undefined,
  env: NodeJS.ProcessEnv,
  setting: unknown,
): unknown {
  const set = given === undefined ? (readVariable(flag, env) ?? setting) : undefined
  if (set !== undefined) return set
  if ('isOn' in flag) return given ?? flag.isOn
  const texts = given as string[] | undefined
  if ('each' in flag) return each(name, flag.each)(texts ?? [])
  if (texts === undefined && flag.default === undefined) return undefined
  return once(name, flag.value)(texts === undefined ? flag.default : texts.length > 1 ? texts : texts[0])
}
