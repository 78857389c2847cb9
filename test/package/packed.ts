import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** A project of a user's, with the packed package installed in it. */
export interface Project {
  readonly folder: string
  /** The files of the tarball, from its root. */
  readonly files: string[]
  /** Runs a program in the project and returns what it prints. @throws Error when it fails. */
  run(program: string, ...args: string[]): string
  write(path: string, text: string): void
  remove(): void
}

/** Packs the package and installs the tarball in a new project that has nothing else but what is named of our own `node_modules`. */
export function installPacked({ beside = [] }: { beside?: readonly string[] } = {}): Project {
  const folder = mkdtempSync(join(tmpdir(), 'greenhouse-project-'))
  const run = (program: string, ...args: string[]) => execFileSync(program, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], env: toUserEnvironment() })
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text)
  write('package.json', JSON.stringify({ name: 'project', private: true }))
  const [tarball] = JSON.parse(run('npm', 'pack', root, '--ignore-scripts', '--json')) as [{ filename: string; files: { path: string }[] }]
  run('npm', 'install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', join(folder, tarball.filename))
  for (const name of beside) {
    mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  return { folder, files: tarball.files.map(({ path }) => path), run, write, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** The environment without what `npm test` and Vitest add to it. */
export function toUserEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|vitest|node_env$|node_options$)/i.test(name)))
}
