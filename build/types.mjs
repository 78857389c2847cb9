import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { entries } from './entries.mjs'
import { toReadable } from './readable-types.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** It has all types that several entries share; the others import them from it. */
const shared = 'index'
const others = entries.filter((name) => ![shared, 'types', 'jest-preset'].includes(name))

/** Imports nothing from other entries: a project may copy the file. */
const alone = 'types'

/** `require` returns the preset itself, not a default export. */
const jestPreset = `/** A preset for Jest: \`preset: 'greenhouse-mock'\`, or a part of a configuration of your own. */
declare const preset: {
  transform: Record<string, string>
  transformIgnorePatterns: string[]
  testEnvironmentOptions: { customExportConditions: string[] }
}
`

/**
 * Writes one declaration file per entry. TypeScript emits one per module; this bundles them with
 * the types of the bundled libraries, so users who lack these libraries get no errors and no `any`.
 */
export async function buildTypes(declarations, folder) {
  await emit(declarations)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'jest-preset.d.cts'), `${jestPreset}export = preset\n`)
  await writeFile(join(folder, 'jest-preset.d.ts'), `${jestPreset}export default preset\n`)
  const modules = new Set(await bundle(shared, declarations, folder, []))
  await Promise.all([
    bundle(alone, declarations, folder, []),
    ...others.map((name) => bundle(name, declarations, folder, [fromShared(modules)])),
  ])
}

/** Bundles an entry's declarations and returns the ids of their modules. */
async function bundle(name, declarations, folder, plugins) {
  const bundle = await rolldown({
    input: join(declarations, name + '.d.ts'),
    external: ['msw', /^msw\//, 'vitest', '@playwright/test', /^node:/],
    plugins: [...plugins, dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false })],
    logLevel: 'warn',
    // Rolldown would warn about slow plugins; on a busy machine all are slow.
    checks: { bundlerTimings: false },
  })
  const { output } = await bundle.generate({ format: 'esm' })
  await bundle.close()
  const [chunk] = output
  const code = await toReadable(withOwnNames(chunk.code), join(root, 'src', name + '.ts'))
  await writeFile(join(folder, name + '.d.ts'), code)
  await writeFile(
    join(folder, name + '.d.cts'),
    code.replaceAll(`'./${shared}.js'`, `'./${shared}.cjs'`),
  )
  return chunk.moduleIds
}

/**
 * Gives a declaration the name that it is exported by, where the bundler chose another one without
 * need: `journal$1 as journal`.
 */
function withOwnNames(code) {
  let named = code
  for (const [, given, name] of code.matchAll(/(\w+\$\d+) as (\w+)/g))
    if (!new RegExp(`\\b(interface|type|const|function|class) ${name}[^\\w$]`).test(code))
      named = named.replaceAll(given, () => name)
  return named
}

/** Replaces imports of modules that the shared entry contains with imports of that entry. */
function fromShared(modules) {
  return {
    name: 'from-shared',
    resolveId: {
      order: 'pre',
      handler(source, importer) {
        if (!importer || !source.startsWith('.')) return null
        const id = resolve(dirname(importer), source).replace(/\.ts$/, '.d.ts')
        return modules.has(id) ? { id: `./${shared}.js`, external: true } : null
      },
    },
  }
}

async function emit(folder) {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  try {
    await promisify(execFile)(process.execPath, [
      tsc,
      '-p',
      join(root, 'build/tsconfig.json'),
      '--outDir',
      folder,
    ])
  } catch (error) {
    throw new Error(`Failed to make the types:\n${error.stdout}${error.stderr}`, { cause: error })
  }
}
