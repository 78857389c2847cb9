import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Each public entry's types, by the name that the package gives it. */
const entries = {
  index: 'index',
  msw: 'msw',
  server: 'server',
  express: 'express',
  node: 'node',
  data: 'data',
  vitest: 'vitest',
  playwright: 'playwright',
  types: 'types',
}

/**
 * Writes one declaration file an entry: TypeScript emits one a module, and these are bundled, together with the types of
 * the libraries that the code was bundled with. A user who has none of them gets no error, and no `any`.
 */
export async function buildTypes(declarations, folder) {
  await emit(declarations)
  const bundle = await rolldown({
    input: Object.fromEntries(
      Object.entries(entries).map(([name, module]) => [name, join(declarations, module + '.d.ts')]),
    ),
    external: ['msw', /^msw\//, 'vitest', '@playwright/test', /^node:/],
    plugins: [dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false }), tidy()],
    logLevel: 'warn',
    // It warns of plugins that take long, which on a busy machine they do.
    checks: { bundlerTimings: false },
  })
  await bundle.write({ dir: folder, format: 'esm', chunkFileNames: '[name].d.ts' })
  await bundle.close()
}

async function emit(folder) {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  try {
    await promisify(execFile)(process.execPath, [tsc, '-p', join(root, 'build/tsconfig.json'), '--outDir', folder])
  } catch (error) {
    throw new Error(`Failed to make the types:\n${error.stdout}${error.stderr}`, { cause: error })
  }
}

/** Mends what bundling leaves behind: names of modules, and a `@ts-ignore` of zod that no longer stands on the line above. */
function tidy() {
  return {
    name: 'tidy',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle))
        if (chunk.type === 'chunk')
          chunk.code = chunk.code
            .replace(/^\/\/(#(end)?region.*| \S+\.d\.[mc]?ts)\n/gm, '')
            .replace(/(\/\*\* @ts-ignore[^*]*\*\/) ?/g, '$1\n')
    },
  }
}
