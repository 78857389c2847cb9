import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defaultOf, toSettingsTable } from '../../build/reference.mjs'
import * as module from '../../src/api/config/flag.ts'
import { flagsOf, isFlag, type Setting, settingKey, toSchemas } from '../../src/api/config/flag.ts'
import { settings } from '../../src/api/config/settings.ts'
import { greenhouseSchemas } from '../../src/api/options.ts'
import { text } from '../../src/core/store/options.ts'
import { toFlagRows } from '../../src/cli/help.ts'
import { resolveFlags } from '../../src/cli/flags/flags.ts'
import { listSettings } from '../../src/cli/commands/files.ts'
import { run } from '../support/cli.ts'
import { root } from '../package/packed.ts'
import { expectTables, toTable } from './table.ts'

test('the build writes settings.md, as the code has it', () => {
  expect(readFileSync(join(root, 'dist/docs/settings.md'), 'utf8')).toContain(
    toSettingsTable(module, settings),
  )
})

test('docs/limits.md begins with every limit that can be set', async () => {
  const rows = Object.entries<Setting>(settings).flatMap(([name, setting]) =>
    setting.past === undefined
      ? []
      : [
          [
            setting.describe,
            defaultOf(module, setting),
            setting.past,
            [...(isFlag(setting) ? [`--${name}`] : []), settingKey(name, setting)]
              .map((text) => `\`${text}\``)
              .join(', '),
          ],
        ],
  )
  await expectTables('limits.md', [toTable(['what', 'limit', 'past it', 'flag, option'], rows)])
})

test('flag, variable, help, check, listing and documentation of a setting follow from one object', () => {
  const colour: Setting = {
    describe: 'Colour of the leaves',
    value: text('a colour'),
    default: 'green',
    schema: text('the name of a colour'),
  }
  const all = { ...settings, 'leaf-colour': colour }
  expect(toFlagRows(flagsOf(all), {})).toContainEqual([
    '    --leaf-colour',
    'Colour of the leaves [string] [default: "green"]',
  ])
  const env = { GREENHOUSE_LEAF_COLOUR: 'red' }
  expect(resolveFlags(flagsOf(all), {}, env)).toMatchObject({ leafColour: 'red' })
  expect(toSchemas(all)['leafColour'].safeParse(7).success).toBe(false)
  const printed = listSettings(all, { leafColour: 'red' }, { env })
  expect(printed).toContainEqual({
    name: 'leafColour',
    value: 'red',
    from: 'GREENHOUSE_LEAF_COLOUR',
  })
  expect(toSettingsTable(module, all)).toContain(
    '| `leafColour` | Colour of the leaves | the name of a colour | `green` | `--leaf-colour` `GREENHOUSE_LEAF_COLOUR` |',
  )
})

test('commands show every setting with a flag', async () => {
  const help = (await run(['proxy', '--help'])).stdout.replace(/\s+/g, ' ')
  const { data } = JSON.parse((await run(['config', '--json'])).stdout) as {
    data: { name: string }[]
  }
  const names = new Set(data.map(({ name }) => name))
  for (const [name, setting] of Object.entries<Setting>(settings))
    if (isFlag(setting)) {
      expect(help).toContain(setting.describe)
      expect(names).toContain(settingKey(name, setting))
    }
})

test('every option of createGreenhouse is a setting', () => {
  expect(Object.keys(toSchemas(settings))).toEqual(
    expect.arrayContaining(Object.keys(greenhouseSchemas)),
  )
})
