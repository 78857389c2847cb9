import { copyFileSync, statSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { entries } from './entries.mjs'
import { ascii, shortLines } from './minified.mjs'
import { lazyRequire } from './lazy-require.mjs'
import { moduleFolder } from './module-folder.mjs'
import { buildPanel, panelStyles } from './panel.mjs'
import { writeLicenses } from './third-party-licenses.mjs'
import { yamlFolder } from './yaml-folder.mjs'
import { zodApart } from './zod-apart.mjs'

const path = (below) => fileURLToPath(new URL(below, import.meta.url))

const toSource = (name) => [name, path(`../src/${name}.ts`)]

/**
 * What has no code, shares none with the others, or is a module that Jest itself requires, outside
 * of tests.
 */
const apart = ['types', 'client', 'jest', 'jest-preset']

/** The code of each entry, by file name. */
const sources = Object.fromEntries(
  [...entries.filter((name) => !apart.includes(name)), 'vitest-page'].map(toSource),
)

/**
 * The entries with a second build as CommonJS: below Node 24.9, Jest's own `require` takes no ES
 * module without a transform. Node itself would do without. Vitest's tests are ES modules, and a
 * page draws the panel.
 */
const { vitest: _, 'vitest-page': __, panel: ___, ...requirable } = sources

/**
 * An entry that shares no code with the others: what they share would be most of what a page loads
 * for it.
 */
const client = Object.fromEntries([toSource('client')])

/** The modules that Jest itself requires, outside of tests. */
const ofJest = {
  ...Object.fromEntries(['jest', 'jest-preset'].map(toSource)),
  'jest-transform': path('../src/testing/jest/transform.ts'),
}

/**
 * The executable `greenhouse`: runs the command's CommonJS, precompiled. Node 22.1 and later caches
 * compiled code itself. It is CommonJS too: Node's loader of ES modules takes 8 ms of a start. An
 * old Node reads it too, and no other file.
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

/**
 * Bundles the code and its libraries into a folder. Code that several entries share is in it once.
 */
export async function buildCode(folder) {
  const esm = { dir: folder, format: 'esm', ...esmNames, ...small }
  const cjs = { dir: `${folder}/cjs`, format: 'cjs', ...cjsNames, ...small }
  const ids = await Promise.all([
    bundle(sources, { ...esm, codeSplitting: { groups: [service, surface, drawer] } }, [
      yamlFolder(),
      panelStyles(),
      ascii(),
      shortLines(),
    ]),
    // CommonJS saves 11 ms per start: its files load in one tick, and `require('node:http')` takes
    // half as long as `import`.
    bundle(
      { ...requirable, ...ofJest, main: path('../src/cli/main.ts') },
      { ...cjs, codeSplitting: { groups: [command, service] } },
      [yamlFolder({ isApart: true }), panelStyles(), lazyRequire(), ascii(), shortLines()],
    ),
    bundle(client, esm, [ascii(), shortLines()], './client-zod.mjs'),
    bundle(client, cjs, [ascii(), shortLines()], './client-zod.mjs'),
    buildPanel(`${folder}/panel`),
  ])
  writeFileSync(`${folder}/greenhouse.cjs`, bin)
  copyFileSync(path('compiled.cjs'), `${folder}/cjs/compiled.cjs`)
  writeFileSync(`${folder}/types.js`, typesOnly)
  writeFileSync(`${folder}/cjs/package.json`, '{ "type": "commonjs" }\n')
  writeFileSync(`${folder}/cjs/types.cjs`, '')
  for (const name of ['vitest', 'panel'])
    writeFileSync(`${folder}/cjs/${name}.cjs`, `module.exports = require('../${name}.js')\n`)
  writeFileSync(`${folder}/jest.js`, "export { withGreenhouse } from './cjs/jest.cjs'\n")
  writeFileSync(`${folder}/jest-preset.js`, "export { default } from './cjs/jest-preset.cjs'\n")
  writeLicenses(`${folder}/THIRD-PARTY-LICENSES.txt`, ids.flat())
}

/**
 * One file for what every page and server loads, and one for every command: each additional file
 * adds 0.3 ms to a start.
 */
const service = { name: 'service', test: anyOf('api/assembly/create'), priority: 1 }
const command = { name: 'command', test: anyOf('cli/main', 'core/text/messages'), priority: 2 }

/** One file for the drawer, which a page loads as a whole when it opens, and what its button needs. */
const drawer = { name: 'drawer', test: /src[\\/]panel[\\/](?!in-page)/, priority: 0 }
const surface = { name: 'surface', test: anyOf('panel/data/surface'), priority: 1 }

/**
 * Returns an expression for the ids of some modules of `src`. @throws Error for a module that was
 * moved.
 */
function anyOf(...modules) {
  for (const module of modules) statSync(path(`../src/${module}.ts`))
  return new RegExp(`src/(${modules.join('|')})\\.ts$`.replaceAll('/', '[\\\\/]'))
}

/**
 * Minified, as most of the package's weight is code, and reading long names took 3 % of a start.
 * Functions and classes keep their names, for stack traces.
 */
const small = {
  minify: { mangle: { keepNames: true }, compress: { keepNames: { function: true, class: true } } },
  comments: { annotation: true, jsdoc: false, legal: false },
}

/**
 * Only entries end in `.js`, and those of CommonJS in `.cjs`: all that the package's `exports` can
 * lead to.
 */
const esmNames = {
  entryFileNames: ({ name }) => (name === 'vitest-page' ? '[name].mjs' : '[name].js'),
  chunkFileNames: '[name]-[hash].mjs',
}

const cjsNames = { entryFileNames: '[name].cjs', chunkFileNames: '[name]-[hash].js' }

/**
 * Runs a module that imports from `src`, for the documentation: `export { settings } from
 * './api/config/settings.ts'`.
 * @param change returns the text of a file of `src`, for a test that runs a copy in which something
 * differs
 */
export async function runSource(code, change = (_file, text) => text) {
  const name = path('../src/for-the-documentation.ts')
  const given = {
    name: 'given',
    resolveId: (id) => (id === name ? id : null),
    load: (id) => (id === name ? code : null),
    transform: (text, id) => change(relative(path('../src'), id).replaceAll('\\', '/'), text),
  }
  const build = await rolldown(toInput(name, [given, yamlFolder()]))
  const { output } = await build.generate({ format: 'esm', codeSplitting: false })
  await build.close()
  return import(`data:text/javascript,${encodeURIComponent(output[0].code)}`)
}

/** Writes a bundle and returns the ids of its modules. */
async function bundle(input, output, plugins, zod) {
  const build = await rolldown(toInput(input, plugins, zod))
  const { output: files } = await build.write(output)
  await build.close()
  return files.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
}

/** @param zod what stands for `zod/mini` */
function toInput(input, plugins, zod = './lazy-zod.mjs') {
  return {
    input,
    external: ['msw', /^msw\//, 'vitest', '@playwright/test'],
    platform: 'node',
    plugins: [moduleFolder(), zodApart(), ...plugins],
    resolve: {
      // Prefers a library's ES module: its CommonJS would add `node:module` to the code that a page
      // loads.
      mainFields: ['module', 'main'],
      alias: {
        'zod/mini': path(zod),
        '@modelcontextprotocol/server/_shims': path('./mcp-shims.mjs'),
      },
    },
    logLevel: 'warn',
    // Rolldown would warn about slow plugins; on a busy machine all are slow.
    checks: { bundlerTimings: false },
  }
}
