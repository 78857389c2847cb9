import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'

export interface JestConfig {
  readonly preset?: string | null | undefined
  readonly rootDir?: string | undefined
  readonly projects?: readonly unknown[] | undefined
  readonly transform?: object | undefined
  readonly transformIgnorePatterns?: readonly string[] | undefined
  readonly testEnvironmentOptions?: object | undefined
}

/** The extensions of a preset's file, in Jest's order. */
const endings = ['', '.js', '.cjs', '.mjs', '.json']

export function readPreset({ preset, rootDir = '.' }: JestConfig): JestConfig {
  if (typeof preset !== 'string') return {}
  const folder = resolve(rootDir)
  const require = createRequire(join(folder, '_.js'))
  const name = preset.replace(/^<rootDir>/, '.')
  const path = name.startsWith('.') ? join(folder, name) : name
  const candidates = [...endings.map((ending) => `${path}/jest-preset${ending}`), ...(path === name ? [] : [path])]
  for (const candidate of candidates) {
    let file: string
    try {
      file = require.resolve(candidate)
    } catch {
      continue
    }
    const read = require(file) as JestConfig & { readonly default?: JestConfig }
    return read.default ?? read
  }
  throw new Error(
    `Failed to call withGreenhouse(): the preset "${preset}" was not found from ${folder}. If that is not the folder of your project, set rootDir: __dirname.`,
  )
}
