import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, inject } from 'vitest'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** A project of a user's, with the packed package installed in it. */
export interface Project {
  readonly folder: string
  readonly installed: string
  /** The files of the tarball, from its root. */
  readonly files: string[]
  readonly size: { readonly packed: number; readonly unpacked: number }
  /** Runs a program in the project and returns what it prints. @throws Error when it fails. */
  run(program: string, ...args: string[]): string
  write(path: string, text: string): void
  remove(): void
}

export interface Tarball {
  readonly name: string
  readonly filename: string
  readonly size: number
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string }[]
}

/**
 * Packs the package, once for all tests of a run: it takes seconds. Two that ask at once both pack
 * it, and one tarball stays.
 */
export function pack(): { readonly file: string; readonly tarball: Tarball } {
  const run = inject('runFolder')
  const folder = join(run, 'packed')
  if (!existsSync(folder)) {
    const mine = mkdtempSync(join(run, 'packing-'))
    const told = execFileSync('npm', ['pack', root, '--ignore-scripts', '--json'], {
      cwd: mine,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...toUserEnvironment(),
        npm_config_cache: join(mine, '.npm'),
        npm_config_offline: 'true',
      },
    })
    writeFileSync(join(mine, 'told.json'), told)
    try {
      renameSync(mine, folder)
    } catch (error) {
      if (!existsSync(folder)) throw error
    }
  }
  const [tarball] = JSON.parse(readFileSync(join(folder, 'told.json'), 'utf8')) as [Tarball]
  return { file: join(folder, tarball.filename), tarball }
}

/**
 * Packs the package and installs the tarball into a new project from this machine alone: declared
 * dependencies, and those in `beside`, are links to our `node_modules`. Undeclared ones are
 * missing.
 */
export function installPacked({ beside = [] }: { beside?: readonly string[] } = {}): Project {
  const folder = mkdtempSync(join(tmpdir(), 'greenhouse-project-'))
  const environment = {
    ...toUserEnvironment(),
    npm_config_cache: join(folder, '.npm'),
    npm_config_offline: 'true',
  }
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: environment,
    })
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text)
  write('package.json', JSON.stringify({ name: 'project', private: true }))
  const modules = join(folder, 'node_modules')
  const { installed, tarball, dependencies } = unpackInto(modules)
  for (const name of [...Object.keys(dependencies), ...beside])
    link(join(root, 'node_modules', name), join(modules, name))
  return {
    folder,
    installed,
    files: tarball.files.map(({ path }) => path),
    size: { packed: tarball.size, unpacked: tarball.unpackedSize },
    run,
    write,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/**
 * Puts the packed package with its commands into a folder `node_modules`, as npm does, which takes
 * a second for it.
 */
export function unpackInto(modules: string) {
  const { file, tarball } = pack()
  const installed = join(modules, tarball.name)
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', file, '-C', installed, '--strip-components', '1'])
  const { dependencies = {}, bin } = JSON.parse(
    readFileSync(join(installed, 'package.json'), 'utf8'),
  ) as {
    dependencies?: Record<string, string>
    bin: Record<string, string>
  }
  for (const [name, path] of Object.entries(bin))
    link(join('..', tarball.name, path), join(modules, '.bin', name))
  return { installed, tarball, dependencies }
}

export function packedProject(...beside: readonly string[]): Project {
  const project = installPacked({ beside })
  afterAll(() => project.remove())
  return project
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path)
}

/** The environment without what `npm test` and Vitest add to it. */
export function toUserEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_|vitest|node_env$|node_options$)/i.test(name),
    ),
  )
}

export const resolutions = ['bundler', 'node16', 'nodenext'] as const

export type Resolution = (typeof resolutions)[number]

export const typedPeers = ['msw', 'vitest', '@playwright/test', '@types/node']

/**
 * Returns the messages of a strict TypeScript about files of a project, libraries included; empty
 * without any.
 */
export function checkTypes(
  project: Project,
  moduleResolution: Resolution,
  ...files: string[]
): string {
  const options = {
    module: moduleResolution === 'bundler' ? 'esnext' : moduleResolution,
    moduleResolution,
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable', 'esnext.disposable'],
    types: ['node'],
  }
  const strict = {
    strict: true,
    exactOptionalPropertyTypes: true,
    declaration: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    // The declarations of the language itself are no concern of ours, and take a third of the time.
    skipDefaultLibCheck: true,
    noEmit: true,
  }
  return compile(project, { ...options, ...strict }, files)
}

export function compile(
  project: Project,
  compilerOptions: object,
  files: readonly string[],
): string {
  project.write('tsconfig.json', JSON.stringify({ compilerOptions, files }))
  try {
    return project.run(process.execPath, join(root, 'node_modules/typescript/bin/tsc'), '-p', '.')
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}
