import { defineCommand } from '../command.ts'
import { basename } from 'node:path'
import { showValue } from '../../core/text/messages.ts'
import { toCamelCase } from '../../api/config/flag-value.ts'
import { flagsByKey, type Setting, settings, variableOf } from '../../api/config/settings.ts'
import { fileFlags, toSettings } from '../flags/config.ts'
import { textOf } from '../flags/flags.ts'
import { serveCommandFlags, toGreenhouseOptions } from '../flags/serve.ts'
import { jsonFlag } from '../flags/server.ts'
import type { Terminal } from '../terminal.ts'
import { toTable } from '../output/table.ts'

export const configCommand = defineCommand({
  command: 'config',
  describe: 'Print the settings of serve: their values, and where they come from',
  flags: { ...serveCommandFlags, ...jsonFlag },
  examples: [
    ['config', 'What serve would use'],
    ['config --port 4100', 'With a flag'],
  ],
  epilogue: 'Flags win over variables, variables over greenhouse.config.ts, and that over defaults.',
  async run(args, terminal) {
    const { assumptions } = await toGreenhouseOptions(args, terminal.config)
    const data = listSettings(settings, { ...args, assumptions }, terminal)
    const file = terminal.config?.file ?? null
    const head = file ?? 'No configuration file: greenhouse.config.ts, or another ending, in this folder or above.'
    const rows = data.map(({ name, value, from }) => [name, showSetting(value), from])
    const toText = () => `${head}\n\n${toTable([['SETTING', 'VALUE', 'FROM'], ...rows], terminal.stdout.columns)}`
    return { answer: { file, data }, toText }
  },
})

/** Lists settings with their values and where those come from; one without a flag only if the configuration file has it. */
export function listSettings(
  all: Readonly<Record<string, Setting>>,
  args: Readonly<Record<string, unknown>>,
  { config, env, given: words = [] }: Pick<Terminal, 'config' | 'env' | 'given'>,
): { name: string; value: unknown; from: string }[] {
  const inFile = new Map(toSettings(config?.config ?? {}))
  return [...flagsByKey(all)].flatMap(([name, flags]) => {
    const own = inFile.get(name)
    if (flags.length === 0 && own === undefined) return []
    const given = flags.flatMap((flag) => sourceOf(flag, words, env))
    const ofFile = own === undefined ? [] : [basename(config!.file)]
    // Assumptions add up; of other settings, one source wins.
    const sources = name === 'assumptions' || given.length === 0 ? [...given, ...ofFile] : given
    const [flag = ''] = flags
    const isOwn = given.length === 0 && (flag === '' || fileFlags.includes(flag))
    const value = name === 'assumptions' ? args[name] : isOwn ? own : args[toCamelCase(flag)]
    return [{ name, value: toShown(name, value), from: sources.join(', ') || 'default' }]
  })
}

function sourceOf(flag: string, given: readonly string[], env: NodeJS.ProcessEnv): string[] {
  if (given.includes(flag)) return [`--${flag}`]
  const variable = variableOf(flag)
  return textOf(variable, env) === undefined ? [] : [variable]
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
