import { copyFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { ascii } from './ascii.mjs'
import { lazyRequire } from './lazy-require.mjs'
import { moduleFolder } from './module-folder.mjs'
import { buildPanel, panelStyles } from './panel.mjs'
import { ownSources } from './own-sources.mjs'
import { writeLicenses } from './third-party-licenses.mjs'
import { yamlFolder } from './yaml-folder.mjs'

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))

const parts = ['core', 'plants', 'apps', 'fixtures', 'scenarios', 'journal', 'judge', 'webhook-tools']

/** What a user can import, by the name of its file. */
const entries = {
  index: path('../src/index.ts'),
  msw: path('../src/msw.ts'),
  server: path('../src/server.ts'),
  express: path('../src/express.ts'),
  node: path('../src/node.ts'),
  data: path('../src/data.ts'),
  testing: path('../src/testing.ts'),
  vitest: path('../src/vitest.ts'),
  'vitest-page': path('../src/vitest-page.ts'),
  playwright: path('../src/playwright.ts'),
  matchers: path('../src/matchers.ts'),
  panel: path('../src/panel.ts'),
  // What `core` puts together, each in a file that a page loads only where it is imported.
  ...Object.fromEntries(parts.map((name) => [name, path(`../src/${name}.ts`)])),
}

/** What has a second build, as CommonJS, for `require`. Vitest and its tests are ES modules. */
const { vitest: _, 'vitest-page': __, ...requirable } = entries

/** What Jest requires itself, apart from tests. */
const ofJest = {
  jest: path('../src/jest.ts'),
  'jest-preset': path('../src/jest-preset.ts'),
  'jest-transform': path('../src/testing/jest/transform.ts'),
}

/** What `greenhouse` runs: it hands over to the command's CommonJS, with what V8 made of it before: Node 22.1 and later keeps that itself. */
const bin = `#!/usr/bin/env node
import module from 'node:module'
const require = module.createRequire(import.meta.url)
if (module.enableCompileCache) module.enableCompileCache()
else require('./cli/compiled.cjs').loadCompiled()
require('./cli/main.cjs').runOwnCommandLine()
`

/** What `greenhouse-mock/types` is where it is imported by mistake as if it were code: an empty module. */
const typesOnly = 'export {}\n'

/** Bundles the code, and the libraries that it uses, into a folder; what several entries share stands there once. */
export async function buildCode(folder) {
  const [library, required, command, panel] = await Promise.all([
    bundle(entries, { dir: folder, format: 'esm', ...readable, sourcemap: true }, [yamlFolder(), panelStyles()]),
    bundle({ ...requirable, ...ofJest }, { dir: `${folder}/cjs`, format: 'cjs', ...cjsNames, ...readable }, [
      yamlFolder(),
      panelStyles(),
      lazyRequire(),
    ]),
    // CommonJS, since a start takes 11 ms less: its files load in one turn, and `node:http` by `require` takes half as long.
    bundle(
      { main: path('../src/cli/main.ts'), 'fixture-reader': path('../src/files/fixture-reader.ts') },
      { dir: `${folder}/cli`, format: 'cjs', ...cjsNames, ...small, codeSplitting: { groups } },
      [yamlFolder({ isApart: true }), ascii()],
      {
        // yargs asks for it where a configuration file extends another one, which nothing here does.
        'import.meta.resolve': 'undefined',
      },
    ),
    buildPanel(`${folder}/panel`),
  ])
  writeFileSync(`${folder}/greenhouse.js`, bin)
  copyFileSync(path('compiled.cjs'), `${folder}/cli/compiled.cjs`)
  writeFileSync(`${folder}/types.js`, typesOnly)
  writeFileSync(`${folder}/cjs/types.cjs`, '')
  writeFileSync(`${folder}/jest.js`, "export { withGreenhouse } from './cjs/jest.cjs'\n")
  writeFileSync(`${folder}/jest-preset.js`, "export { default } from './cjs/jest-preset.cjs'\n")
  writeLicenses(`${folder}/THIRD-PARTY-LICENSES.txt`, [...library, ...required, ...command, ...panel])
}

/** One file for what every command needs, and one for what a server does: each file more takes a start 0.3 ms. */
const groups = [
  { name: 'command', test: /src[\\/](cli[\\/]main|core[\\/]definitions[\\/]suggest)\.ts$/, priority: 2 },
  { name: 'service', test: /src[\\/](greenhouse[\\/]create|adapters[\\/]server)\.ts$/, priority: 1 },
]

/** What a start reads is small. */
const small = { minify: { mangle: false, compress: true, codegen: true } }

/** What a user's stack trace shows keeps its lines: a bundler of theirs makes it small. */
const readable = { minify: false, comments: { annotation: true, jsdoc: false, legal: false } }

const cjsNames = { entryFileNames: '[name].cjs', chunkFileNames: '[name]-[hash].cjs' }

/** Writes a bundle, and gives the ids of the modules that are in it. */
async function bundle(input, output, plugins, define = {}) {
  const build = await rolldown({
    input,
    external: ['msw', /^msw\//, 'vitest', '@playwright/test'],
    platform: 'node',
    plugins: [moduleFolder(), ...plugins, ownSources()],
    transform: { define },
    resolve: {
      // An ES module where a library has one: CommonJS would bring `node:module` into what a page loads.
      mainFields: ['module', 'main'],
      // yargs measures help text with string-width, which builds an Intl.Segmenter at import: 28 ms of every start.
      alias: {
        'string-width': path('./string-width.mjs'),
        'wrap-ansi': path('./wrap-ansi.mjs'),
        'zod/mini': path('./lazy-zod.mjs'),
      },
    },
    logLevel: 'warn',
    // It warns of plugins that take long, which on a busy machine they do.
    checks: { bundlerTimings: false },
  })
  const { output: files } = await build.write(output)
  await build.close()
  return files.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
}
