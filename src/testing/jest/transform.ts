import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { createCommonJs } from './commonjs.ts'
import { findOfJest } from './find-of-jest.ts'
import type { Babel, ModuleTransforms } from './babel.ts'

interface TransformOptions {
  readonly config: { readonly rootDir: string }
  /** Whether Node loads the file as an ES module: Jest under `--experimental-vm-modules`. */
  readonly supportsStaticESM?: boolean
}

/** Must change whenever the output changes, because Jest caches it. */
const version = '3'

/** A Jest transformer that converts ES modules of packages to CommonJS, with Jest's own Babel and without a project's configuration. */
export function process(text: string, file: string, { config, supportsStaticESM }: TransformOptions): { code: string } {
  if (supportsStaticESM || !isModule(text)) return { code: text }
  const { babel, transforms } = loadBabel(config.rootDir)
  const result = babel.transformSync(text, {
    filename: file,
    babelrc: false,
    configFile: false,
    browserslistConfigFile: false,
    compact: false,
    sourceMaps: 'inline',
    sourceType: 'module',
    plugins: [createCommonJs(babel, transforms)],
  })
  return { code: result?.code ?? text }
}

export function getCacheKey(text: string, file: string, { supportsStaticESM = false }: TransformOptions): string {
  return createHash('sha256').update(`${version}\0${supportsStaticESM}\0${file}\0${text}`).digest('hex').slice(0, 32)
}

function isModule(text: string): boolean {
  return text
    .split('\n')
    .some((line) => /^\s*(?:import|export)\b/.test(line) || /[;}]\s*(?:import|export)\s*[{*"'`\w$]/.test(line))
}

let loaded: { readonly babel: Babel; readonly transforms: ModuleTransforms } | undefined

function loadBabel(rootDir: string): NonNullable<typeof loaded> {
  if (loaded) return loaded
  const path = findOfJest('@babel/core', rootDir)
  if (path === undefined)
    throw new Error(
      `Failed to transform an ES module for Jest: @babel/core, which comes with Jest, was not found from ${rootDir}. Install it: npm i -D @babel/core`,
    )
  const require = createRequire(path)
  return (loaded = {
    babel: require('@babel/core') as Babel,
    transforms: require('@babel/helper-module-transforms') as ModuleTransforms,
  })
}
