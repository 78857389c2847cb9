import { copyFileSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { ascii } from './ascii.mjs'
import { lazyRequire } from './lazy-require.mjs'
import { moduleFolder } from './module-folder.mjs'
import { buildPanel, panelStyles } from './panel.mjs'
import { shortLines } from './short-lines.mjs'
import { writeLicenses } from './third-party-licenses.mjs'
import { yamlFolder } from './yaml-folder.mjs'
import { zodApart } from './zod-apart.mjs'

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))

const parts = ['core', 'plants', 'apps', 'fixtures', 'scenarios', 'journal', 'judge', 'webhook-tools', 'case', 'config']

/** The entries that a user can import, by file name. */
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
  evidence: path('../src/evidence.ts'),
  // The parts that `core` combines, each in its own file: a page loads only those that it imports.
  ...Object.fromEntries(parts.map((name) => [name, path(`../src/${name}.ts`)])),
}

/**
 * The entries with a second build as CommonJS: Jest's own `require` takes no ES module, with or without our transform. Node, Playwright
 * and Mocha would do without, as every supported Node can `require` ES modules. Vitest's tests are ES modules, and a page draws the panel.
 */
const { vitest: _, 'vitest-page': __, panel: ___, ...requirable } = entries

/** An entry that shares no code with the others: what they share would be most of what a page loads for it. */
const client = { client: path('../src/client.ts') }

/** The modules that Jest itself requires, outside of tests. */
const ofJest = {
  jest: path('../src/jest.ts'),
  'jest-preset': path('../src/jest-preset.ts'),
  'jest-transform': path('../src/testing/jest/transform.ts'),
}

/**
 * The executable `greenhouse`: runs the command's CommonJS, precompiled. Node 22.1 and later caches compiled code itself. It is
 * CommonJS too: Node's loader of ES modules takes 8 ms of a start. An old Node reads it too, and no other file.
 */
const bin = `#!/usr/bin/env node
'use strict'
var version = process.versions.node.split('.').map(Number)
if (version[0] < 20 || (version[0] === 20 && version[1] < 19)) {
  process.stderr.write('greenhouse-mock needs Node 20.19 or later. This is Node ' + process.versions.node + '.\\n')
  process.exitCode = 2
} else {
  const { enableCompileCache } = require('node:module')
  if (enableCompileCache) enableCompileCache()
  else require('./cjs/compiled.cjs').loadCompiled()
  // The shell of \`npm start\` passes no signal on: the server ends when the shell has ended.
  if (process.env.npm_package_name === 'greenhouse-mock' && process.env.npm_lifecycle_event === 'start') {
    var shell = process.ppid
    var watch = setInterval(function () {
      if (process.ppid === shell) return
      clearInterval(watch)
      process.kill(process.pid, 'SIGTERM')
    }, 200)
    watch.unref()
  }
  require('./cjs/main.cjs').runOwnCommandLine()
}
`

/** The code of `greenhouse-mock/types`, for an import by mistake as a value: an empty module. */
const typesOnly = 'export {}\n'

/** Bundles the code and its libraries into a folder. Code that several entries share is in it once. */
export async function buildCode(folder) {
  const base = { name: 'base', test: await ofEveryPage(), priority: 3 }
  const esm = { dir: folder, format: 'esm', ...small }
  const cjs = { dir: `${folder}/cjs`, format: 'cjs', ...cjsNames, ...small }
  const ids = await Promise.all([
    bundle(entries, { ...esm, codeSplitting: { groups: [base] } }, [yamlFolder(), panelStyles(), shortLines()]),
    // CommonJS saves 11 ms per start: its files load in one tick, and `require('node:http')` takes half as long as `import`.
    bundle(
      { ...requirable, ...ofJest, main: path('../src/cli/main.ts') },
      { ...cjs, codeSplitting: { groups: [base, ...groups] } },
      [yamlFolder({ isApart: true }), panelStyles(), lazyRequire(), ascii(), shortLines()],
    ),
    bundle(client, esm, [shortLines()]),
    bundle(client, cjs, [shortLines()]),
    buildPanel(`${folder}/panel`),
  ])
  writeFileSync(`${folder}/greenhouse.cjs`, bin)
  copyFileSync(path('compiled.cjs'), `${folder}/cjs/compiled.cjs`)
  writeFileSync(`${folder}/types.js`, typesOnly)
  writeFileSync(`${folder}/cjs/types.cjs`, '')
  writeFileSync(`${folder}/jest.js`, "export { withGreenhouse } from './cjs/jest.cjs'\n")
  writeFileSync(`${folder}/jest-preset.js`, "export { default } from './cjs/jest-preset.cjs'\n")
  writeLicenses(`${folder}/THIRD-PARTY-LICENSES.txt`, ids.flat())
}

/** One file for the code of every command, and one for the server's: each additional file adds 0.3 ms to a start. */
const groups = [
  { name: 'command', test: anyOf('cli/main', 'core/text/messages'), priority: 2 },
  { name: 'service', test: anyOf('api/assembly/create', 'adapters/server'), priority: 1 },
]

/** Returns an expression for the ids of some modules of `src`. @throws Error for a module that was moved. */
function anyOf(...modules) {
  for (const module of modules) statSync(path(`../src/${module}.ts`))
  return new RegExp(`src/(${modules.join('|')})\\.ts$`.replaceAll('/', '[\\\\/]'))
}

/**
 * Minified, as most of the package's weight is code, and reading long names took 3 % of a start. Functions and classes keep their
 * names, for stack traces.
 */
const small = {
  minify: { mangle: { keepNames: true }, compress: { keepNames: { function: true, class: true } } },
  comments: { annotation: true, jsdoc: false, legal: false },
}

const cjsNames = { entryFileNames: '[name].cjs', chunkFileNames: '[name]-[hash].cjs' }

/** Returns a predicate of the modules that every page loads. In one file, they take an import of Greenhouse a quarter less time. */
async function ofEveryPage() {
  const build = await rolldown(toInput({ core: entries.core }, [yamlFolder(), panelStyles()]))
  const { output } = await build.generate({ format: 'esm' })
  await build.close()
  const ids = new Set(output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : [])))
  return (id) => ids.has(id)
}

/** Writes a bundle and returns the ids of its modules. */
async function bundle(input, output, plugins) {
  const build = await rolldown(toInput(input, plugins))
  const { output: files } = await build.write(output)
  await build.close()
  return files.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
}

function toInput(input, plugins) {
  return {
    input,
    external: ['msw', /^msw\//, 'vitest', '@playwright/test'],
    platform: 'node',
    plugins: [moduleFolder(), zodApart(), ...plugins],
    resolve: {
      // Prefers a library's ES module: its CommonJS would add `node:module` to the code that a page loads.
      mainFields: ['module', 'main'],
      alias: {
        'zod/mini': path('./lazy-zod.mjs'),
        '@modelcontextprotocol/server/_shims': path('./mcp-shims.mjs'),
      },
    },
    logLevel: 'warn',
    // Rolldown would warn about slow plugins; on a busy machine all are slow.
    checks: { bundlerTimings: false },
  }
}
