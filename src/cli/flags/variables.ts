import { suggest } from '../../core/text/messages.ts'
import { UsageError } from '../errors.ts'
import { fromEnvironment, readText, textOf, type Flags } from './flags.ts'

const prefix = 'GREENHOUSE_'

const withoutFlag = ['CONFIG', 'URL', 'WORLD', 'VERIFY_KEY', 'KEY_FREE', 'KEY_LITE', 'KEY_PRO', 'KEY_PRO_PLUS']

/**
 * Variables that a user may expect from a flag's name, and what they are called: that of `--server` is GREENHOUSE_URL.
 */
const renamed: Readonly<Record<string, string>> = { SERVER: 'URL' }

export const variablesEpilogue =
  'Each flag of serve has a variable: --allow-host is GREENHOUSE_ALLOW_HOST. Commas separate lists; switches are true or false. Flags win over variables, and variables over greenhouse.config.ts.'

export function withVariables<F extends Flags>(flags: F): F {
  return Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [
      name,
      { ...flag, variable: prefix + name.toUpperCase().replaceAll('-', '_') },
    ]),
  ) as F
}

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

export function describeMisspelt(variables: readonly string[], flags: Flags): string {
  const ours = variables.filter((name) => name.startsWith(prefix))
  if (ours.length === 0) return ''
  const known = [
    ...Object.values(flags).flatMap(({ variable }) => variable?.slice(prefix.length) ?? []),
    ...withoutFlag,
  ]
  return ours.map((name) => describeOne(name.slice(prefix.length), known)).join('')
}

function describeOne(name: string, known: readonly string[]): string {
  if (known.includes(name)) return ''
  const replacement = renamed[name]
  const hint = suggest(replacement ?? name.replace(/^NO_/, ''), known).replace('"', `"${prefix}`)
  return hint === '' ? '' : `${prefix}${name}: Greenhouse has no such variable.${hint}\n`
}
