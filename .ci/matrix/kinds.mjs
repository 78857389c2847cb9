// How a cell runs: its files, in a folder of its own, and its program.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { entries } from '../../build/entries.mjs'
import { environment, execute } from '../programs.mjs'
import { olds } from './dimensions.mjs'

const files = fileURLToPath(new URL('files', import.meta.url))
const examples = fileURLToPath(new URL('../../examples', import.meta.url))

/**
 * Runs a cell in its own folder. Returns whether it passed, its output, and a note if it passed
 * with a reservation.
 */
export async function runCell(cell, folder, node, tarball) {
  const own = join(folder, 'cells', cell.name.replaceAll(/[^\w.-]+/g, '_'))
  rmSync(own, { recursive: true, force: true })
  mkdirSync(own, { recursive: true })
  const write = (file, text) => writeFileSync(join(own, file), text)
  const [kind] = cell.runner.split('-')
  return kinds[kind]({
    where: cell.environment,
    tests: cell.tests,
    folder,
    own,
    tarball,
    bin: (path) => join(folder, 'node_modules', path),
    put: (...names) => names.forEach((file) => write(file, textOf(file))),
    write,
    json: (file, value) => write(file, JSON.stringify(value, null, 2)),
    run: (args, more) => runIn(own, node, args, more),
    runInFolder: (args) => runIn(folder, node, args),
  })
}

const recipes = join(examples, 'recipes')

/** The projects of frameworks: their mock, of the recipes, their page, and their server. */
const stacks = {
  vue: {
    mock: { 'react-vite/mock.ts': 'src/mock.ts' },
    page: 'src/App.vue',
    inBrowser: true,
    command: ['vite/bin/vite.js', '--host', '127.0.0.1'],
  },
  angular: {
    mock: { 'react-vite/mock.ts': 'src/mock.ts' },
    page: 'src/app/app.ts',
    inBrowser: true,
    command: ['@angular/cli/bin/ng.js', 'serve', '--host', '127.0.0.1'],
  },
  sveltekit: {
    mock: { 'stacks/server/mock.ts': 'src/mock.ts' },
    page: 'src/routes/+page.svelte',
    command: ['vite/bin/vite.js', 'dev', '--host', '127.0.0.1'],
  },
  nuxt: {
    source: '.',
    mock: { 'stacks/server/mock.ts': 'server/mock.ts' },
    page: 'app.vue',
    command: ['nuxt/bin/nuxt.mjs', 'dev', '--host', '127.0.0.1'],
  },
  astro: {
    mock: { 'stacks/server/mock.ts': 'src/mock.ts' },
    page: 'src/pages/index.astro',
    command: ['astro/bin/astro.mjs', 'dev', '--host', '127.0.0.1'],
  },
  'next-pages': {
    source: '.',
    mock: { 'nextjs/mock.ts': 'mock.ts', 'nextjs/instrumentation.ts': 'instrumentation.ts' },
    page: 'pages/index.tsx',
    command: ['next/dist/bin/next', 'dev', '--hostname', '127.0.0.1'],
  },
}

const launchOptions = {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
}

const kinds = {
  vitest({ where, own, bin, put, write, run }) {
    if (where === 'browser') {
      put('client.mjs', 'vitest-browser.test.mjs')
      write('vitest.config.mjs', browserConfig)
      mkdirSync(join(own, 'public'))
      cpSync(bin('msw/lib/mockServiceWorker.js'), join(own, 'public/mockServiceWorker.js'))
    } else {
      put('client.mjs', 'vitest-msw.test.mjs', 'vitest-fixture.test.mjs')
      const pools = { 'no-isolate': { pool: 'threads', isolate: false, fileParallelism: false } }
      const isPage = where === 'jsdom' || where === 'happy-dom'
      write(
        'vitest.config.mjs',
        toVitestConfig(pools[where] ?? (isPage ? { environment: where } : { pool: where })),
      )
    }
    return run([bin('vitest/vitest.mjs'), 'run', '--root', own])
  },

  jest({ where, own, bin, put, write, json, run }) {
    const jest = [
      bin('jest/bin/jest.js'),
      '--runInBand',
      '--no-watchman',
      '--cacheDirectory',
      join(own, '.jest'),
    ]
    const config = jestConfigs[where]
    json('package.json', { name: 'cell', ...(!config && { jest: toJestConfig(where) }) })
    if (config) {
      const text = readFileSync(join(examples, 'jest/configurations', config))
      write(config.replace(/^.*\.config\.js$/, 'jest.config.cjs'), text)
    }
    if (where === 'esm') {
      put('client.mjs', 'jest.test.mjs')
      return run(['--experimental-vm-modules', ...jest, '--config', config])
    }
    if (where === 'ts-jest') {
      put('ts-jest.test.ts')
      json('tsconfig.json', { compilerOptions: tsJestOptions })
      return run(jest)
    }
    put('client.cjs')
    // A preset may ignore .cjs files.
    write('jest.test.js', textOf('jest.test.cjs'))
    if (where === 'next/jest') mkdirSync(join(own, 'app'))
    if (where === 'jest-expo') write('babel.config.cjs', babelConfig)
    return run(jest)
  },

  /** Timers are faked, or globals are those of a page. */
  globals({ where, tests, own, bin, put, write, json, run }) {
    const [runner, window, pool] = where.split(' ')
    const names = tests.map((name) => `${name}.test.mjs`)
    put('exercise.mjs', 'globals.mjs', 'runner.mjs', ...names)
    if (runner === 'vitest') {
      write('vitest.config.mjs', toVitestConfig({ environment: window, pool }))
      return run([bin('vitest/vitest.mjs'), 'run', '--root', own], { RUNNER: runner })
    }
    if (runner.startsWith('jest')) {
      const version = runner.slice('jest'.length)
      const testEnvironment = window === 'jsdom' ? `jest-environment-jsdom${version}` : window
      const jest = {
        testMatch: ['**/*.test.mjs'],
        testEnvironment,
        testTimeout: 60_000,
        transform: {},
      }
      json('package.json', { name: 'cell', type: 'module', jest })
      return run(
        ['--no-warnings', '--experimental-vm-modules', bin(`jest${version}/bin/jest.js`)],
        { RUNNER: 'jest' },
      )
    }
    const first = window === 'node' ? [] : ['--import', './globals.mjs']
    return run(['--no-warnings', ...first, '--test', ...names], { RUNNER: runner, WINDOW: window })
  },

  next({ own, bin, put, write, json, run }) {
    cpSync(join(examples, 'recipes/nextjs'), own, { recursive: true })
    rmSync(join(own, 'page.test.tsx'))
    put('next-start.mjs')
    write('app/layout.tsx', nextLayout)
    write('next.config.mjs', nextConfig)
    json('package.json', { name: 'cell' })
    json('tsconfig.json', { compilerOptions: nextOptions })
    return run(['next-start.mjs', bin('next/dist/bin/next')])
  },

  /** A framework's project is its whole folder: its tools look for packages only beside it. */
  stack({ where, folder, bin, runInFolder }) {
    const { source = 'src', mock, page, inBrowser, command } = stacks[where]
    const into = (...path) => join(folder, ...path)
    for (const own of ['src', 'server', 'pages', 'public'])
      rmSync(into(own), { recursive: true, force: true })
    cpSync(join(files, 'stacks', where), folder, { recursive: true })
    const recipe = join(recipes, 'stacks', where)
    if (existsSync(recipe)) cpSync(recipe, folder, { recursive: true })
    for (const [from, to] of Object.entries(mock)) cpSync(join(recipes, from), into(to))
    cpSync(join(files, 'stacks/visit.ts'), into(source, 'visit.ts'))
    if (inBrowser) {
      mkdirSync(into('public'))
      cpSync(bin('msw/lib/mockServiceWorker.js'), into('public/mockServiceWorker.js'))
    }
    cpSync(join(files, 'stack.mjs'), into('stack.mjs'))
    const [program, ...words] = command
    return runInFolder([
      'stack.mjs',
      page,
      inBrowser ? 'browser' : 'server',
      bin(program),
      ...words,
    ])
  },

  node: (cell) => runSuite(cell, `import { test } from 'node:test'\n`, 'test', ['--test']),
  mocha: (cell) => runSuite(cell, '', 'it', [cell.bin('mocha/bin/mocha.js'), '--timeout', '60000']),

  playwright({ bin, put, write, run }) {
    put('playwright.spec.cjs')
    const config = { testMatch: '*.spec.cjs', timeout: 90_000, use: { launchOptions } }
    write('playwright.config.cjs', `module.exports = ${JSON.stringify(config)}\n`)
    return run([bin('@playwright/test/cli.js'), 'test', '--workers', '1', '--reporter', 'line'])
  },

  async typescript({ where, own, bin, write, json, run }) {
    const [resolution, format] = where.split(' ')
    const ofNode = format === 'import' ? 'mts' : 'cts'
    const ending = resolution === 'node10' || resolution === 'bundler' ? 'ts' : ofNode
    // Vitest is for ES modules only.
    const uses = format === 'import' ? ['use', 'use-vitest'] : ['use']
    for (const name of uses) write(`${name}.${ending}`, textOf(`${name}.mts`))
    json('tsconfig.json', {
      compilerOptions: {
        module: { bundler: 'esnext', node10: 'commonjs' }[resolution] ?? resolution,
        moduleResolution: resolution,
        target: 'es2022',
        lib: ['es2022', 'dom', 'dom.iterable', 'esnext.disposable'],
        types: ['node'],
        strict: true,
        noUncheckedIndexedAccess: true,
        exactOptionalPropertyTypes: true,
        declaration: true,
        skipLibCheck: false,
        noEmit: true,
      },
      files: uses.map((name) => `${name}.${ending}`),
    })
    return judge(await run([bin('typescript/bin/tsc'), '-p', own]))
  },

  attw({ where, tarball, bin, run }) {
    // By name, since `./*` of the export map names none. Vitest and its tests are ES modules only.
    const names = entries
      .filter((name) => name !== 'vitest')
      .map((name) => name.replace('index', '.'))
    const part = where === 'vitest' ? ['vitest', '--profile', 'esm-only'] : names
    return run([
      bin('@arethetypeswrong/cli/dist/index.js'),
      tarball,
      '--no-color',
      '--no-emoji',
      '--entrypoints',
      ...part,
    ])
  },

  async install({ where, own, tarball, put, write, json, run }) {
    put('beside.mjs')
    write(
      'beside.test.mjs',
      `import { test } from 'greenhouse-mock/vitest'\n\ntest('a world', ({ world }) => world.use('slow'))\n`,
    )
    json('package.json', {
      name: 'cell',
      dependencies: { ...olds[where], 'greenhouse-mock': `file:${tarball}` },
    })
    // Without --legacy-peer-deps: npm checks the peers.
    const args = ['install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts']
    const installed = await runIn(own, 'npm', args)
    return installed.passed ? run(['beside.mjs']) : installed
  },
}

/** Runs suite.mjs, or the same as CommonJS, with functions of a runner. */
function runSuite({ where, put, write, run }, start, test, args) {
  const text = `${start}import { byMsw, byServer } from './suite.mjs'\n\n${test}('MSW', byMsw)\n${test}('a server', byServer)\n`
  const type = where === 'import' ? 'mjs' : 'cjs'
  put(`client.${type}`, `suite.${type}`)
  write(`all.test.${type}`, type === 'mjs' ? text : toCommonJs(text))
  return run([...args, `all.test.${type}`])
}

/**
 * Returns the text of a file. One for CommonJS that is not there is made of that for ES modules.
 */
function textOf(file) {
  const path = join(files, file)
  return existsSync(path)
    ? readFileSync(path, 'utf8')
    : toCommonJs(readFileSync(path.replace(/\.cjs$/, '.mjs'), 'utf8'))
}

function toCommonJs(text) {
  return text
    .replaceAll(
      /^import (\{.*\}) from '(.*)'$/gm,
      (_, names, from) => `const ${names} = require('${from.replace('.mjs', '.cjs')}')`,
    )
    .replaceAll(/^export (async function|const) (\w+)/gm, (_, what, name) =>
      what === 'const'
        ? `const ${name} = exports.${name}`
        : `exports.${name} = ${name}\n${what} ${name}`,
    )
}

const toVitestConfig = (options) =>
  `export default { test: ${JSON.stringify({ testTimeout: 60_000, ...options })} }\n`

const browserConfig = `import { playwright } from '@vitest/browser-playwright'

const provider = playwright({ launchOptions: ${JSON.stringify(launchOptions)} })
const browser = { enabled: true, headless: true, provider, instances: [{ browser: 'chromium' }] }
export default { test: { testTimeout: 60_000, browser } }
`

const babelConfig = `module.exports = (api) => {
  api.cache(true)
  return { presets: [require.resolve('babel-preset-expo')] }
}
`

const nextLayout = `import type { ReactNode } from 'react'

export default function Layout({ children }: { children: ReactNode }) {
  return <html lang="en"><body>{children}</body></html>
}
`

const nextConfig = `import { fileURLToPath } from 'node:url'

export default {
  serverExternalPackages: ['greenhouse-mock', 'msw'],
  // The folder that contains this cell's node_modules.
  turbopack: { root: fileURLToPath(new URL('../..', import.meta.url)) },
}
`

/** The same as create-next-app writes. */
const nextOptions = {
  target: 'ES2017',
  lib: ['dom', 'dom.iterable', 'esnext'],
  skipLibCheck: true,
  strict: true,
  noEmit: true,
  esModuleInterop: true,
  module: 'esnext',
  moduleResolution: 'bundler',
  isolatedModules: true,
  jsx: 'react-jsx',
}

const toJestConfig = (where) => ({
  preset: 'greenhouse-mock',
  testTimeout: 60_000,
  ...(where === 'jsdom' && { testEnvironment: 'jest-fixed-jsdom' }),
})

const tsJestOptions = {
  module: 'node16',
  moduleResolution: 'node16',
  target: 'es2022',
  strict: true,
  skipLibCheck: true,
  esModuleInterop: true,
  isolatedModules: true,
  types: ['jest', 'node'],
}

/** The Jest configurations of the documentation, by environment. */
const jestConfigs = {
  esm: 'esm.config.mjs',
  swc: 'swc.config.js',
  'ts-jest': 'ts-jest.config.js',
  'next/jest': 'next.config.js',
  'jest-expo': 'expo.config.js',
}

/** Runs a program. One that hangs fails: the limit is long enough for a busy machine. */
async function runIn(cwd, program, args, more) {
  const env = { ...environment, FORCE_COLOR: '0', NO_COLOR: '1', ...more }
  const { code, output, hangs } = await execute(program, args, { cwd, env })
  return { passed: code === 0, output: hangs ? `${output}\nhangs` : output }
}

/**
 * Accepts errors inside the types of other packages: `skipLibCheck`, which most projects set, hides
 * them.
 */
function judge({ passed, output }) {
  const errors = output.split('\n').filter((line) => /error TS\d+/.test(line))
  const others = errors.filter((line) => /node_modules\/(?!greenhouse-mock\/)/.test(line))
  if (passed || others.length === 0 || others.length < errors.length) return { passed, output }
  const names = new Set(others.map((line) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(line)[1]))
  return {
    passed: true,
    output,
    note: `needs skipLibCheck for the types of ${[...names].sort().join(', ')}`,
  }
}
