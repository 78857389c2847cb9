import { join } from 'node:path'
import { installPacked, root, type Project } from './packed.ts'

/** Module resolutions of projects. */
export const resolutions = ['bundler', 'node16', 'nodenext'] as const

export type Resolution = (typeof resolutions)[number]

/** A strict TypeScript project of a user's, with the package and its peers. */
export interface TypeProject extends Project {
  /** Returns the messages of a strict TypeScript, libraries included; empty without any. */
  check(moduleResolution: Resolution, ...files: string[]): string
}

export function installTypeProject(): TypeProject {
  const project = installPacked({ beside: ['msw', 'vitest', '@playwright/test', '@types/node'] })
  return { ...project, check: (moduleResolution, ...files) => check(project, moduleResolution, files) }
}

function check(project: Project, moduleResolution: Resolution, files: readonly string[]): string {
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
    noEmit: true,
  }
  project.write('tsconfig.json', JSON.stringify({ compilerOptions: { ...options, ...strict }, files }))
  try {
    return project.run(process.execPath, join(root, 'node_modules/typescript/bin/tsc'), '-p', '.')
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}
