import type { Flag } from '../api/config/flag.ts'
import type { Command } from './command.ts'
import { commonFlags, type Flags, textOf } from './flags/flags.ts'
import { wrapLines } from '../output/table.ts'
import type { Terminal } from './terminal.ts'
import { toUsage } from './words.ts'

const widest = 80
const aboutAll = 'A local mock of the plant store and app management APIs.'

export function toHelp(
  chain: readonly Command[],
  commands: readonly Command[],
  { stdout, env }: Terminal,
): string {
  const width = Math.min(widest, stdout.columns || widest)
  const described: Partial<Command> = chain.at(-1) ?? {
    describe: aboutAll,
    subcommands: commands,
  }
  const { describe = '', positionals, flags, subcommands, examples = [], epilogue } = described
  const sections = {
    Commands: (subcommands ?? []).map(
      (command) => [toUsage([...chain, command]), command.describe] as const,
    ),
    Positionals: Object.entries(positionals ?? {}),
    Options: toFlagRows({ ...flags, ...commonFlags }, env),
  }
  const shown = examples.map(
    ([example, meaning]) =>
      indentLines(`greenhouse-mock ${example}`, width, 2) + indentLines(meaning, width, 6),
  )
  return [
    `${toUsage(chain)}\n`,
    indentLines(describe, width),
    ...Object.entries(sections).map(([title, rows]) => {
      if (rows.length > 0) return `${title}:\n${alignColumns(rows, width)}`
      return ''
    }),
    shown.length > 0 ? `Examples:\n${shown.join('')}` : '',
    epilogue === undefined ? '' : indentLines(epilogue, width),
  ]
    .filter((paragraph) => paragraph !== '')
    .join('\n')
}

function indentLines(text: string, width: number, indent = 0): string {
  return wrapLines(text, width - indent)
    .map((line) => `${' '.repeat(indent)}${line}\n`)
    .join('')
}

function alignColumns(
  rows: readonly (readonly [name: string, text: string])[],
  width: number,
): string {
  const left = Math.max(...rows.map(([name]) => name.length)) + 4
  return rows
    .map(([name, text]) => `  ${name}`.padEnd(left) + indentLines(text, width, left).trimStart())
    .join('')
}

export function toFlagRows(flags: Flags, env: NodeJS.ProcessEnv): [name: string, text: string][] {
  return Object.entries(flags).map(([name, flag]) => {
    const { describe, short, variable } = flag
    const isSet = variable !== undefined && textOf(variable, env) !== undefined
    const usual = isSet ? variable : defaultOf(flag)
    return [
      `${short === undefined ? '    ' : `-${short}, `}--${name}`,
      `${describe} [${typeOf(flag)}]${usual === undefined ? '' : ` [default: ${usual}]`}`,
    ]
  })
}

function typeOf(flag: Flag): string {
  if ('isOn' in flag) return 'boolean'
  return 'each' in flag ? 'array' : 'string'
}

function defaultOf(flag: Flag): string | undefined {
  if ('isOn' in flag) return flag.isOn ? 'true' : undefined
  if ('each' in flag) return undefined
  return flag.defaultDescription ?? JSON.stringify(flag.default)
}
