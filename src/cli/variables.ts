import { suggest } from '../core/definitions/suggest.ts'
import { UsageError } from './errors.ts'
import { fromEnvironment, readText, textOf, type Flags } from './flags.ts'

const prefix = 'GREENHOUSE_'

/** Variables that stand for no flag of `serve`. */
const others = ['URL', 'WORLD', 'VERIFY_KEY', 'KEY_FREE', 'KEY_LITE', 'KEY_PRO', 'KEY_PRO_PLUS']

/** What a variable is called that has the name of a flag, and is called otherwise. */
const otherwiseCalled: Readonly<Record<string, string>> = { SERVER: 'URL' }

/** Ends the help of a command that serves. */
export const variablesEpilogue =
  'Each flag of serve has a variable: --allow-host is GREENHOUSE_ALLOW_HOST. Commas separate lists; switches are true or false. Flags win.'

/** Gives each flag the variable that stands for it: `GREENHOUSE_ALLOW_HOST` for `--allow-host`. */
export function withVariables<F extends Flags>(flags: F): F {
  return Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [
      name,
      { ...flag, variable: prefix + name.toUpperCase().replaceAll('-', '_') },
    ]),
  ) as F
}

/** What the variable of a flag says; `undefined` when it has none, or an empty one. @throws UsageError that names the variable, what it expects and an example. */
export function readVariable(flag: Flags[string], env: NodeJS.ProcessEnv): unknown {
  const { variable } = flag
  const text = variable === undefined ? undefined : textOf(variable, env)
  if (variable === undefined || text === undefined) return undefined
  if ('isOn' in flag) return readSwitch(variable, text)
  if ('value' in flag) return fromEnvironment(variable, flag.value, env)
  return text.split(',').map((one) => readText(variable, flag.each, one.trim(), '='))
}

const isOn: Readonly<Record<string, boolean>> = {
  true: true,
  1: true,
  on: true,
  yes: true,
  false: false,
  0: false,
  off: false,
  no: false,
}

function readSwitch(variable: string, text: string): boolean {
  const on = isOn[text.trim().toLowerCase()]
  if (on === undefined) throw new UsageError(`${variable}=${text}: expected true or false, such as ${variable}=true.`)
  return on
}

/** What to say of variables that are named nearly as one of Greenhouse is, a line each. Others with its prefix may be anybody's: nothing is said of them. @param flags those that have variables. */
export function describeMisspelt(variables: readonly string[], flags: Flags): string {
  const ours = variables.filter((name) => name.startsWith(prefix))
  if (ours.length === 0) return ''
  const known = [...Object.values(flags).flatMap(({ variable }) => variable?.slice(prefix.length) ?? []), ...others]
  return ours.map((name) => describeOne(name.slice(prefix.length), known)).join('')
}

function describeOne(name: string, known: readonly string[]): string {
  if (known.includes(name)) return ''
  const near = otherwiseCalled[name]
  const hint = suggest(near ?? name.replace(/^NO_/, ''), known).replace('"', `"${prefix}`)
  return hint === '' ? '' : `${prefix}${name}: Greenhouse has no such variable.${hint}\n`
}
