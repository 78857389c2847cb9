import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execFile } from 'node:child_process'
import { olds } from './dimensions.mjs'
import { environment } from './install.mjs'

const files = join(dirname(fileURLToPath(import.meta.url)), 'files')
const examples = fileURLToPath(new URL('../../examples', import.meta.url))

/** The time limit of a run in milliseconds, long enough for a busy machine; a run that hangs fails. */
const patience = 600_000

/** Runs a cell in its own folder. Returns whether it passed, its output, and a note if it passed with a reservation. */
export async function runCell({ runner, environment: where, name }, folder, node, tarball) {
  const own = join(folder, 'cells', name.replaceAll(/[^\w.-]+/g, '_'))
  rmSync(own, { recursive: true, force: true })
  mkdirSync(own, { recursive: true })
  const bin = (path) => join(folder, 'node_modules', path)
  const put = (...names) => names.forEach((file) => cpSync(join(files, file), join(own, file)))
  const json = (file, value) => writeFileSync(join(own, file), JSON.stringify(value, null, 2))
  const run = (...args) => execute(node, args, own)
  const [kind] = runner.split('-')

  if (kind === 'vitest') {
    if (where === 'browser') {
      put('client.mjs', 'vitest-browser.test.mjs', 'vitest-browser.config.mjs')
      mkdirSync(join(own, 'public'))
      cpSync(bin('msw/lib/mockServiceWorker.js'), join(own, 'public/mockServiceWorker.js'))
      return run(bin('vitest/vitest.mjs'), 'run', '--root', own, '--config', 'vitest-browser.config.mjs')
    }
    put('client.mjs', 'vitest-msw.test.mjs', 'vitest-fixture.test.mjs', 'vitest-server.test.mjs')
    const options = {
      threads: { pool: 'threads' },
      forks: { pool: 'forks' },
      vmThreads: { pool: 'vmThreads' },
      'no-isolate': { pool: 'threads', isolate: false, fileParallelism: false },
      jsdom: { environment: 'jsdom' },
      'happy-dom': { environment: 'happy-dom' },
    }[where]
    writeFileSync(
      join(own, 'vitest.config.mjs'),
      `export default { test: ${JSON.stringify({ testTimeout: 60_000, ...options })} }\n`,
    )
    return run(bin('vitest/vitest.mjs'), 'run', '--root', own)
  }

  if (kind === 'jest') {
    const jest = [bin('jest/bin/jest.js'), '--runInBand', '--no-watchman', '--cacheDirectory', join(own, '.jest')]
    const config = jestConfigs[where]
    json('package.json', { name: 'cell', ...(!config && { jest: toJestConfig(where) }) })
    if (config)
      cpSync(
        join(examples, 'jest/configurations', config),
        join(own, config.replace(/^.*\.config\.js$/, 'jest.config.cjs')),
      )
    if (where === 'esm') {
      put('client.mjs', 'jest.test.mjs')
      return run('--experimental-vm-modules', ...jest, '--config', config)
    }
    if (where === 'ts-jest') {
      put('ts-jest.test.ts')
      json('tsconfig.json', { compilerOptions: tsJestOptions })
      return run(...jest)
    }
    put('client.cjs', 'jest.test.cjs')
    // A preset may ignore .cjs files.
    renameSync(join(own, 'jest.test.cjs'), join(own, 'jest.test.js'))
    if (where === 'next/jest') mkdirSync(join(own, 'app'))
    if (where === 'jest-expo') writeFileSync(join(own, 'babel.config.cjs'), babelConfig)
    return run(...jest)
  }

  if (kind === 'next') {
    cpSync(join(examples, 'recipes/nextjs'), own, { recursive: true })
    rmSync(join(own, 'page.test.tsx'))
    put('next-layout.tsx', 'next.config.mjs', 'next-start.mjs')
    renameSync(join(own, 'next-layout.tsx'), join(own, 'app/layout.tsx'))
    json('package.json', { name: 'cell' })
    // The same as create-next-app writes.
    json('tsconfig.json', {
      compilerOptions: {
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
      },
    })
    return run('next-start.mjs', bin('next/dist/bin/next'))
  }

  if (kind === 'node') {
    const type = where === 'import' ? 'mjs' : 'cjs'
    put(`client.${type}`, `suite.${type}`)
    const start =
      where === 'import'
        ? `import { test } from 'node:test'\nimport * as suite from './suite.mjs'`
        : `const { test } = require('node:test')\nconst suite = require('./suite.cjs')`
    writeFileSync(
      join(own, `all.test.${type}`),
      `${start}\nfor (const name of ['byMsw', 'byServer']) test(name, suite[name])\n`,
    )
    return run('--test', `all.test.${type}`)
  }

  if (kind === 'mocha') {
    const type = where === 'import' ? 'mjs' : 'cjs'
    put(`client.${type}`, `suite.${type}`)
    const start = where === 'import' ? `import * as suite from './suite.mjs'` : `const suite = require('./suite.cjs')`
    writeFileSync(
      join(own, `all.test.${type}`),
      `${start}\nfor (const name of ['byMsw', 'byServer']) it(name, suite[name])\n`,
    )
    return run(bin('mocha/bin/mocha.js'), '--timeout', '60000', `all.test.${type}`)
  }

  if (kind === 'playwright') {
    put('playwright.spec.cjs')
    const use = {
      launchOptions: { executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] },
    }
    writeFileSync(
      join(own, 'playwright.config.cjs'),
      `module.exports = ${JSON.stringify({ testMatch: '*.spec.cjs', timeout: 90_000, use })}\n`,
    )
    return run(bin('@playwright/test/cli.js'), 'test', '--workers', '1', '--reporter', 'line')
  }

  if (kind === 'attw') {
    // Vitest and its tests are ES modules only.
    const part =
      where === 'vitest' ? ['--entrypoints', 'vitest', '--profile', 'esm-only'] : ['--exclude-entrypoints', 'vitest']
    return run(bin('@arethetypeswrong/cli/dist/index.js'), tarball, ...part, '--no-color', '--no-emoji')
  }

  if (kind === 'install') {
    put('beside.mjs', 'beside.test.mjs')
    json('package.json', { name: 'cell', dependencies: { ...olds[where], 'greenhouse-mock': `file:${tarball}` } })
    // Without --legacy-peer-deps: npm checks the peers.
    const args = ['install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts']
    const installed = await execute('npm', args, own)
    return installed.passed ? run('beside.mjs') : installed
  }

  const [resolution, format] = where.split(' ')
  const file =
    resolution === 'node10' || resolution === 'bundler' ? 'use.ts' : format === 'import' ? 'use.mts' : 'use.cts'
  cpSync(join(files, 'use.mts'), join(own, file))
  // Vitest is for ES modules only.
  const further = format === 'import' ? [file.replace('use', 'use-vitest')] : []
  for (const name of further) cpSync(join(files, 'use-vitest.mts'), join(own, name))
  const module = { bundler: 'esnext', node10: 'commonjs' }[resolution] ?? resolution
  json('tsconfig.json', {
    compilerOptions: {
      module,
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
    files: [file, ...further],
  })
  return judge(await run(bin('typescript/bin/tsc'), '-p', own))
}

const babelConfig = `module.exports = (api) => {
  api.cache(true)
  return { presets: [require.resolve('babel-preset-expo')] }
}
`

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

/** Accepts errors inside the types of other packages: `skipLibCheck`, which most projects set, hides them. */
function judge({ passed, output }) {
  const errors = output.split('\n').filter((line) => /error TS\d+/.test(line))
  const others = errors.filter((line) => /node_modules\/(?!greenhouse-mock\/)/.test(line))
  if (passed || others.length === 0 || others.length < errors.length) return { passed, output }
  const names = new Set(others.map((line) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(line)[1]))
  return { passed: true, output, note: `needs skipLibCheck for the types of ${[...names].sort().join(', ')}` }
}

function execute(program, args, cwd) {
  return new Promise((resolve) => {
    const env = { ...environment, FORCE_COLOR: '0', NO_COLOR: '1' }
    execFile(program, args, { cwd, env, timeout: patience, maxBuffer: 1 << 26 }, (error, out, err) => {
      const output = `${out}${err}`
      resolve({ passed: !error, output: error?.killed ? `${output}\nended after ${patience / 1000} s` : output })
    })
  })
}
