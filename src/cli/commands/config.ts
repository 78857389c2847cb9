import { basename } from 'node:path'
import type { AssumptionChoices } from '../../greenhouse/types/names.ts'
import { showValue } from '../../core/definitions/shown-value.ts'
import type { Command } from '../command.ts'
import { fileFlags, toFileSettings, toSettingName, toSettings } from '../flags/file-settings.ts'
import { textOf, type ArgumentsOf, type Flags } from '../flags/flags.ts'
import { createFromArguments } from '../flags/greenhouse.ts'
import { jsonFlag } from '../flags/server.ts'
import { withFlags } from '../flags/yargs-flags.ts'
import { print } from '../output/print.ts'
import { toTable } from '../output/table.ts'
import type { Terminal } from '../terminal.ts'
import { serveCommandFlags } from './serve.ts'

type ConfigArguments = ArgumentsOf<typeof serveCommandFlags & typeof jsonFlag>

/** A setting in force. */
interface Setting {
  readonly name: string
  readonly value: unknown
  /** A flag, a variable, the configuration file, or `default`. */
  readonly from: string
}

export const configCommand: Command<ConfigArguments> = {
  command: 'config',
  describe: 'Print the settings of serve: their values, and where they come from',
  builder: (args, terminal) =>
    withFlags(
      args,
      { ...serveCommandFlags, ...jsonFlag },
      terminal.env,
      toFileSettings(serveCommandFlags, terminal.config),
    )
      .example('$0 config', 'What serve would use')
      .example('$0 config --port 4100', 'With a flag')
      .epilogue('Flags win over variables, variables over greenhouse.config.ts, and that over defaults.'),
  handler: async ({ json, ...args }, terminal) => {
    ;(await createFromArguments(args, terminal.config)).close()
    const data = listSettings(args, terminal)
    const file = terminal.config?.file ?? null
    if (json) return (await import('../output/print-json.ts')).printJson(terminal, { file, data })
    print(
      terminal,
      `${file ?? 'No configuration file: greenhouse.config.ts, or another ending, in this folder or above.'}\n\n`,
    )
    const rows = data.map(({ name, value, from }) => [name, showSetting(value), from])
    print(terminal, toTable([['SETTING', 'VALUE', 'FROM'], ...rows], terminal.stdout.columns))
  },
}

function listSettings(args: Omit<ConfigArguments, 'json'>, { config, env, words = [] }: Terminal): Setting[] {
  const file = config && basename(config.file)
  const ofFile = new Map(toSettings(config?.config ?? {}))
  const values = args as Readonly<Record<string, unknown>>
  const givenBy = (flag: string): string[] => {
    const { variable = '' } = (serveCommandFlags as Flags)[flag]!
    if (words.some((word) => word.replace(/^--(no-)?/, '--').split('=')[0] === `--${flag}`)) return [`--${flag}`]
    return textOf(variable, env) === undefined ? [] : [variable]
  }
  const settings = Object.keys(serveCommandFlags).flatMap((flag): Setting[] => {
    if (flag === 'assume' || flag === 'assume-file') return []
    const name = toSettingName(flag)
    const given = values[flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())]
    const isFlag = givenBy(flag).length > 0
    const own = ofFile.get(name)
    const value = !isFlag && fileFlags.includes(flag) ? own : given
    const from = givenBy(flag)[0] ?? (own === undefined ? 'default' : file!)
    return [{ name, value: name === 'token' && value !== undefined ? '(hidden)' : toJsonValue(value), from }]
  })
  const { assumptions } = config?.config ?? {}
  const fromFlags = ['assume', 'assume-file'].flatMap(givenBy)
  const sources = [...fromFlags, ...(assumptions === undefined ? [] : [file!])]
  const named = [assumptions, args.assumeFile].filter((one) => typeof one === 'string')
  const inline = {
    ...(typeof assumptions === 'object' && (assumptions as AssumptionChoices)),
    ...Object.fromEntries(args.assume),
  }
  const parts = [...named, ...(Object.keys(inline).length > 0 ? [inline] : [])]
  const known = new Set(['assumptions', ...settings.map(({ name }) => name)])
  return [
    ...settings,
    {
      name: 'assumptions',
      value: parts.length > 1 ? parts : (parts[0] ?? null),
      from: sources.length > 0 ? sources.join(', ') : 'default',
    },
    ...[...ofFile].flatMap(([name, value]) =>
      known.has(name) ? [] : [{ name, value: toJsonValue(value), from: file! }],
    ),
  ]
}

/** Returns a value as JSON can have it: functions are named only. */
function toJsonValue(value: unknown): unknown {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return null
  const text = JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'function' ? 'a function' : typeof part === 'bigint' ? String(part) : part,
  )
  return JSON.parse(text)
}

function showSetting(value: unknown): string {
  if (value === null) return 'none'
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(', ')
  return typeof value === 'string' ? value : showValue(value)
}
