import { codedError } from '../../core/text/error-codes.ts'
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { findOfJest } from './with-greenhouse.ts'

interface TransformOptions {
  readonly config: { readonly rootDir: string }
  /** True if Node loads the file as an ES module: Jest under `--experimental-vm-modules`. */
  readonly supportsStaticESM?: boolean
}

/** Must change whenever the output changes, because Jest caches it. */
const version = '4'

/**
 * A Jest transformer that converts ES modules of packages to CommonJS, with Jest's own Babel and
 * without a project's configuration.
 */
export function process(
  text: string,
  file: string,
  { config, supportsStaticESM }: TransformOptions,
): { code: string } {
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

export function getCacheKey(
  text: string,
  file: string,
  { supportsStaticESM = false }: TransformOptions,
): string {
  return createHash('sha256')
    .update(`${version}\0${supportsStaticESM}\0${file}\0${text}`)
    .digest('hex')
    .slice(0, 32)
}

function isModule(text: string): boolean {
  return text
    .split('\n')
    .some(
      (line) =>
        /^\s*(?:import|export)\b/.test(line) || /[;}]\s*(?:import|export)\s*[{*"'`\w$]/.test(line),
    )
}

let loaded:
  | {
      readonly babel: Babel
      readonly transforms: ModuleTransforms
    }
  | undefined

function loadBabel(rootDir: string): NonNullable<typeof loaded> {
  if (loaded) return loaded
  const path = findOfJest('@babel/core', rootDir)
  if (path === undefined)
    throw codedError(
      'GREENHOUSE_UNSUPPORTED_HOST',
      `Failed to transform an ES module for Jest: @babel/core, which comes with Jest, was not found from ${rootDir}. Install it: npm i -D @babel/core`,
    )
  const require = createRequire(path)
  return (loaded = {
    babel: require('@babel/core') as Babel,
    transforms: require('@babel/helper-module-transforms') as ModuleTransforms,
  })
}

const taken = ['exports', 'module', 'require', '__filename', '__dirname']

function createCommonJs({ template }: Babel, transforms: ModuleTransforms): object {
  const makeMeta = template.expression(
    '({ url: require("node:url").pathToFileURL(__filename).href, filename: __filename, dirname: __dirname })',
  )
  return {
    name: 'greenhouse-commonjs',
    visitor: {
      Program: {
        exit(path: ProgramPath): void {
          if (!transforms.isModule(path)) return
          for (const name of taken) path.scope.rename(name)
          path.traverse({
            MetaProperty(property) {
              if (property.node.meta.name === 'import') property.replaceWith(makeMeta())
            },
          })
          const { meta, headers } = transforms.rewriteModuleStatementsAndPrepareHeader(path, {
            exportName: 'exports',
            strictMode: true,
            allowTopLevelThis: true,
          })
          for (const [specifier, source] of meta.source) {
            const code = `require(${JSON.stringify(specifier)})`
            const required = template.expression(code, { placeholderPattern: false })()
            const header = transforms.isSideEffectImport(source)
              ? template.statement('VALUE')({ VALUE: required })
              : template.statement('var NAME = VALUE')({
                  NAME: source.name,
                  VALUE: transforms.wrapInterop(path, required, source.interop) ?? required,
                })
            header.loc = source.loc
            headers.push(header, ...transforms.buildNamespaceInitStatements(meta, source, false))
          }
          transforms.ensureStatementsHoisted(headers)
          path.unshiftContainer('body', headers)
        },
      },
    },
  }
}

type SyntaxNode = { loc?: unknown }

interface ProgramPath {
  readonly scope: { rename(name: string): void }
  traverse(visitor: { MetaProperty(path: MetaPath): void }): void
  unshiftContainer(key: 'body', nodes: SyntaxNode[]): unknown
}

interface MetaPath {
  readonly node: { readonly meta: { readonly name: string } }
  replaceWith(node: SyntaxNode): void
}

interface Source {
  readonly name: string
  readonly loc: unknown
  readonly interop: string
}

interface Babel {
  transformSync(
    text: string,
    options: Readonly<Record<string, unknown>>,
  ): { code?: string | null } | null
  readonly template: Readonly<
    Record<
      'expression' | 'statement',
      (code: string, options?: object) => (values?: object) => SyntaxNode
    >
  >
}

interface ModuleTransforms {
  isModule(path: ProgramPath): boolean
  rewriteModuleStatementsAndPrepareHeader(
    path: ProgramPath,
    options: Readonly<Record<string, unknown>>,
  ): {
    meta: { source: ReadonlyMap<string, Source> }
    headers: SyntaxNode[]
  }
  isSideEffectImport(source: Source): boolean
  wrapInterop(path: ProgramPath, expression: SyntaxNode, interop: string): SyntaxNode | undefined
  buildNamespaceInitStatements(
    meta: unknown,
    source: Source,
    constantReexports: boolean,
  ): SyntaxNode[]
  ensureStatementsHoisted(statements: SyntaxNode[]): void
}
