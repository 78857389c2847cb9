import { defineCommand } from '../command.ts'
import { basename } from 'node:path'
import { showValue } from '../../core/text/messages.ts'
import { fileFlags, toFileSettings, toSettingName, toSettings } from '../flags/config.ts'
import { textOf, toCamelCase, type Flags } from '../flags/flags.ts'
import { toGreenhouseOptions } from '../flags/serve.ts'
import { jsonFlag } from '../flags/server.ts'
import { print, printJson, type Terminal } from '../terminal.ts'
import { toTable } from '../output/table.ts'
import { serveCommandFlags } from './serve.ts'

interface Setting {
  readonly name: string
  readonly value: unknown
  readonly from: string
}

export const configCommand = defineCommand({
  command: 'config',
  describe: 'Print the settings of serve: their values, and where they come from',
  flags: { ...serveCommandFlags, ...jsonFlag },
  settings: ({ config }) => toFileSettings(serveCommandFlags, config),
  examples: [
    ['config', 'What serve would use'],
    ['config --port 4100', 'With a flag'],
  ],
  epilogue: 'Flags win over variables, variables over greenhouse.config.ts, and that over defaults.',
  async run({ json, ...args }, terminal) {
    const { assumptions } = await toGreenhouseOptions(args, terminal.config)
    const data = listSettings(args, assumptions, terminal)
    const file = terminal.config?.file ?? null
    if (json) return printJson(terminal, { file, data })
    print(
      terminal,
      `${file ?? 'No configuration file: greenhouse.config.ts, or another ending, in this folder or above.'}\n\n`,
    )
    const rows = data.map(({ name, value, from }) => [name, showSetting(value), from])
    print(terminal, toTable([['SETTING', 'VALUE', 'FROM'], ...rows], terminal.stdout.columns))
  },
})

function listSettings(args: object, assumptions: object | undefined, { config, env, words = [] }: Terminal): Setting[] {
  const file = config && basename(config.file)
  const ofFile = new Map(toSettings(config?.config ?? {}))
  const values: Readonly<Record<string, unknown>> = { ...args }
  const givenBy = (flag: string): string[] => {
    const { variable = '' } = (serveCommandFlags as Flags)[flag]!
    if (words.some((word) => word.replace(/^--(no-)?/, '--').split('=')[0] === `--${flag}`)) return [`--${flag}`]
    return textOf(variable, env) === undefined ? [] : [variable]
  }
  const settings = Object.keys(serveCommandFlags).flatMap((flag): Setting[] => {
    if (flag === 'assume' || flag === 'assume-file') return []
    const name = toSettingName(flag)
    const given = values[toCamelCase(flag)]
    const [from] = givenBy(flag)
    const own = ofFile.get(name)
    const value = from === undefined && fileFlags.includes(flag) ? own : given
    return [{ name, value: toShown(name, value), from: from ?? (own === undefined ? 'default' : file!) }]
  })
  const sources = [...['assume', 'assume-file'].flatMap(givenBy), ...(ofFile.has('assumptions') ? [file!] : [])]
  settings.push({
    name: 'assumptions',
    value: toShown('assumptions', assumptions),
    from: sources.join(', ') || 'default',
  })
  const known = new Set(settings.map(({ name }) => name))
  const others = [...ofFile].filter(([name]) => !known.has(name))
  return [...settings, ...others.map(([name, value]) => ({ name, value: toShown(name, value), from: file! }))]
}

function toShown(name: string, value: unknown): unknown {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return null
  if (name === 'token') return '(hidden)'
  const isPlain = typeof value !== 'object' || isTexts(value) || name === 'use' || name === 'assumptions'
  return isPlain ? value : '(in the file)'
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

function showSetting(value: unknown): string {
  if (value === null) return 'none'
  if (isTexts(value)) return value.join(', ')
  return typeof value === 'string' ? value : showValue(value)
}
