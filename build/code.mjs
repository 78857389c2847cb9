import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { builtinRequire } from './builtin-require.mjs'
import { thirdPartyLicenses } from './third-party-licenses.mjs'
import { moduleFolder } from './module-folder.mjs'
import { yamlFolder } from './yaml-folder.mjs'

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))

/** What a user can import or run, by the name of its file. */
const entries = {
  index: path('../src/index.ts'),
  msw: path('../src/msw.ts'),
  server: path('../src/server.ts'),
  express: path('../src/express.ts'),
  node: path('../src/node.ts'),
  data: path('../src/data.ts'),
  vitest: path('../src/vitest.ts'),
  playwright: path('../src/playwright.ts'),
  greenhouse: path('../src/cli/main.ts'),
}

/** Bundles the code, and the libraries that it uses, into a folder; what several entries share stands there once. */
export async function buildCode(folder) {
  const bundle = await rolldown({
    input: entries,
    external: ['msw', /^msw\//, 'vitest', '@playwright/test', 'express'],
    platform: 'node',
    plugins: [yamlFolder(), moduleFolder(), thirdPartyLicenses(), builtinRequire()],
    resolve: {
      // An ES module where a library has one: CommonJS would bring `node:module` into what a page loads.
      mainFields: ['module', 'main'],
      // yargs measures help text with string-width, which builds an Intl.Segmenter at import: 28 ms of every start.
      alias: { 'string-width': path('./string-width.mjs'), 'wrap-ansi': path('./wrap-ansi.mjs') },
    },
    logLevel: 'warn',
    // It warns of plugins that take long, which on a busy machine they do.
    checks: { bundlerTimings: false },
  })
  await bundle.write({
    dir: folder,
    format: 'esm',
    banner: (chunk) => (chunk.isEntry && chunk.name === 'greenhouse' ? '#!/usr/bin/env node' : ''),
    minify: { mangle: false, compress: true, codegen: true },
  })
  await bundle.close()
}
