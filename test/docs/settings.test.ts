import { expect, test } from 'vitest'
import { readValue } from '../../src/api/config/flag-value.ts'
import {
  flagsByKey,
  flagsOf,
  isFlag,
  type Setting,
  settingKey,
  settings,
  toRules,
  variableOf,
} from '../../src/api/config/settings.ts'
import { greenhouseRules } from '../../src/api/assembly/options.ts'
import { toFlagRows } from '../../src/cli/help.ts'
import { resolveFlags } from '../../src/cli/flags/flags.ts'
import { listSettings } from '../../src/cli/commands/files.ts'
import { run } from '../support/cli.ts'
import { expectTables, toTable } from './table.ts'

type Settings = Readonly<Record<string, Setting>>

const code = (text: string) => `\`${text}\``

function toSettingsTable(all: Settings): string {
  const rows = Array.from(flagsByKey(all), ([key, flags]) => {
    const entries = Object.entries(all).filter(([name, setting]) => settingKey(name, setting) === key)
    return [
      code(key),
      entries.map(([, { describe }]) => describe).join('. '),
      entries[0]![1].rule.takes,
      entries.map(([, setting]) => defaultOf(setting)).find((text) => text !== '') ?? '',
      flags.map((flag) => `${code(`--${flag}`)} ${code(variableOf(flag))}`).join(' '),
    ]
  })
  return toTable(['setting', 'what it is', 'takes', 'default', 'flag and variable'], rows)
}

function defaultOf(setting: Setting): string {
  if (!isFlag(setting)) return setting.defaultDescription ?? ''
  if ('each' in setting) return ''
  if ('isOn' in setting) return code(String(setting.isOn))
  return setting.defaultDescription ?? (setting.default === undefined ? '' : code(String(setting.default)))
}

test('docs/config.md lists every setting as the code has it', async () => {
  await expectTables('config.md', [toSettingsTable(settings)])
})

test('flag, variable, help, check, listing and documentation of a setting follow from one object', () => {
  const colour: Setting = {
    describe: 'Colour of the leaves',
    value: readValue('a colour', 'green', (text) => text),
    default: 'green',
    rule: { takes: 'the name of a colour', accepts: (value) => typeof value === 'string' },
  }
  const all = { ...settings, 'leaf-colour': colour }
  expect(toFlagRows(flagsOf(all), {})).toContainEqual([
    '    --leaf-colour',
    'Colour of the leaves [string] [default: "green"]',
  ])
  const env = { GREENHOUSE_LEAF_COLOUR: 'red' }
  expect(resolveFlags(flagsOf(all), {}, env)).toMatchObject({ leafColour: 'red' })
  expect(toRules(all)['leafColour']!.accepts(7)).toBe(false)
  const printed = listSettings(all, { leafColour: 'red' }, { env })
  expect(printed).toContainEqual({ name: 'leafColour', value: 'red', from: 'GREENHOUSE_LEAF_COLOUR' })
  expect(toSettingsTable(all)).toContain(
    '| `leafColour` | Colour of the leaves | the name of a colour | `green` | `--leaf-colour` `GREENHOUSE_LEAF_COLOUR` |',
  )
})

test('commands show every setting with a flag', async () => {
  const help = (await run(['proxy', '--help'])).stdout.replace(/\s+/g, ' ')
  const { data } = JSON.parse((await run(['config', '--json'])).stdout) as { data: { name: string }[] }
  const names = new Set(data.map(({ name }) => name))
  for (const [name, setting] of Object.entries<Setting>(settings))
    if (isFlag(setting)) {
      expect(help).toContain(setting.describe)
      expect(names).toContain(settingKey(name, setting))
    }
})

test('every option of createGreenhouse is a setting', () => {
  expect(Object.keys(toRules(settings))).toEqual(expect.arrayContaining(Object.keys(greenhouseRules)))
})
