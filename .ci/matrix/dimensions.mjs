import { readFileSync } from 'node:fs'
import { nodes } from '../programs.mjs'

// The dimensions of the matrix. A folder of packages has one generation of tools and one msw; every
// Node runs in each.

/** The versions of msw, as ranges for npm. */
export const msws = { 2.11: '~2.11.0', 2: '^2.15.0', 3: '^3.0.0' }

/** Tools of about the same time share a folder, one for each msw. */
export const generations = {
  old: {
    vitest: '~3.2.0',
    jest: '^29.7.0',
    typescript: '~5.4.0',
    playwright: '1.40.1',
    jsdom: '^24.0.0',
    tsJest: '^29.4.0',
    next: '^15.5.0',
  },
  now: {
    vitest: '^4.1.0',
    jest: '^30.0.0',
    typescript: '~5.9.0',
    playwright: '^1.65.0',
    jsdom: '^26.0.0',
    tsJest: '^29.4.0',
    next: '^16.0.0',
    browserProvider: '^4.1.0',
  },
  next: {
    vitest: '^5.0.0',
    vite: '^8.0.0',
    typescript: '^7.0.0',
    jsdom: '^26.0.0',
    browserProvider: '^5.0.0',
  },
  // Frameworks, each in a folder of its own.
  stacks: {},
  // React Native's tools need packages of their own time.
  expo: { jest: '^29.7.0', expo: '~54.0.0', reactNative: '0.81.4', react: '19.1.0' },
}

/** What the cells of globals install: exact versions, in a file that Dependabot reads. */
const pins = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')).dependencies

/** The packages of a cell beside ours and msw, by the kind of its runner and by its environment. */
const needs = {
  attw: () => ({ '@arethetypeswrong/cli': '^0.18.0' }),
  install: () => ({}),
  globals: () => pins,
  node: () => ({}),
  mocha: () => ({ mocha: '^11.0.0' }),
  vitest: ({ vitest, vite, jsdom, browserProvider }, environment) => ({
    vitest,
    ...(vite && { vite }),
    ...(environment === 'jsdom' && { jsdom }),
    ...(environment === 'happy-dom' && { 'happy-dom': '^20.0.0' }),
    ...(environment === 'browser' && {
      '@vitest/browser-playwright': browserProvider,
      playwright: '^1.65.0',
    }),
  }),
  jest: ({ jest, jsdom, tsJest, next, typescript, expo, react, reactNative }, environment) => ({
    jest,
    ...(environment === 'jsdom' && {
      jsdom,
      'jest-environment-jsdom': jest,
      'jest-fixed-jsdom': '^0.0.11',
    }),
    ...(environment === 'swc' && { '@swc/core': '^1.13.0', '@swc/jest': '^0.2.39' }),
    ...(environment === 'next/jest' && { next, react: '^19.0.0', 'react-dom': '^19.0.0' }),
    ...(environment === 'ts-jest' && {
      'ts-jest': tsJest,
      typescript,
      '@types/jest': jest.replace(/\..*/, '.0.0'),
      ...typesOfNode,
    }),
    ...(environment === 'jest-expo' && {
      expo,
      'jest-expo': expo,
      'babel-preset-expo': expo,
      'react-native': reactNative,
      react,
      'react-test-renderer': react,
    }),
  }),
  stack: (_, environment) => stacks[environment],
  next: ({ next, typescript }) => ({
    next,
    react: '^19.0.0',
    'react-dom': '^19.0.0',
    '@types/react': '^19.0.0',
    typescript,
    ...typesOfNode,
  }),
  playwright: ({ playwright }) => ({ '@playwright/test': playwright }),
  // The types of Vitest and Playwright, too.
  typescript: ({ typescript, vitest, vite, playwright = '^1.65.0' }) => ({
    typescript,
    vitest,
    ...(vite && { vite }),
    '@playwright/test': playwright,
    ...typesOfNode,
  }),
}

const typesOfNode = { '@types/node': '^20.19.0' }

const browser = { 'playwright-core': '^1.65.0' }

/** What a project of each framework installs. */
const stacks = {
  vue: { vue: '^3.5.0', '@vitejs/plugin-vue': '^6.0.0', vite: '^8.0.0', ...browser },
  angular: {
    '@angular/build': '^22.2.0',
    '@angular/cli': '^22.2.0',
    '@angular/common': '^22.2.0',
    '@angular/compiler': '^22.2.0',
    '@angular/compiler-cli': '^22.2.0',
    '@angular/core': '^22.2.0',
    '@angular/platform-browser': '^22.2.0',
    rxjs: '^7.8.0',
    tslib: '^2.8.0',
    typescript: '~6.0.0',
    ...browser,
  },
  sveltekit: {
    '@sveltejs/kit': '^3.2.0',
    '@sveltejs/vite-plugin-svelte': '^7.3.0',
    svelte: '^5.57.0',
    typescript: '^6.0.0',
    vite: '^8.0.0',
  },
  nuxt: { nuxt: '^4.5.0', vue: '^3.5.0', ...typesOfNode },
  astro: { astro: '^7.3.0' },
  'next-pages': {
    next: '^16.0.0',
    react: '^19.0.0',
    'react-dom': '^19.0.0',
    '@types/react': '^19.0.0',
    typescript: '~5.9.0',
    ...typesOfNode,
  },
}

/** Returns the packages that the folder of these cells installs beside ours. */
export function packagesOf(cells) {
  const own = cells.map(({ runner, environment, generation }) =>
    needs[runner.split('-')[0]](generations[generation], environment),
  )
  const [{ generation, msw }] = cells
  return Object.assign(generations[generation] ? { msw: msws[msw] } : {}, ...own)
}

const vitestEnvironments = ['threads', 'forks', 'vmThreads', 'no-isolate', 'jsdom', 'happy-dom']
const resolutions = ['bundler', 'node16', 'nodenext', 'node10']

/** All cells: runner or compiler, environment, msw and Node. */
const matrix = Object.keys(generations).flatMap((generation) =>
  Object.keys(msws).flatMap((msw) => {
    const { vitest, jest, typescript, playwright, next, browserProvider, expo } =
      generations[generation]
    const short = (range) =>
      range
        .replace(/^[^\d]*/, '')
        .replace(/^(\d+)\.(\d+).*/, (_, major, minor) =>
          major === '3' || (major === '5' && range.startsWith('~5')) || major === '1'
            ? `${major}.${minor}`
            : major,
        )
    const of = (runner, environments, onNodes = nodes) =>
      environments.flatMap((environment) =>
        onNodes.map((node) => ({
          runner,
          environment,
          msw,
          node,
          generation,
          name: `${runner} ${environment} msw-${msw} node-${node}`,
        })),
      )
    if (expo) return of(`jest-${short(jest)}`, ['jest-expo'])
    if (generation === 'stacks') return msw === '3' ? of('stack', Object.keys(stacks), ['24']) : []
    return [
      ...of(`vitest-${short(vitest)}`, vitestEnvironments),
      ...(browserProvider ? of(`vitest-${short(vitest)}`, ['browser']) : []),
      ...(jest
        ? of(`jest-${short(jest)}`, ['node', 'jsdom', 'esm', 'ts-jest', 'swc', 'next/jest'])
        : []),
      ...(next ? of(`next-${short(next)}`, ['build']) : []),
      ...(generation === 'next'
        ? [...of('node-test', ['import', 'require']), ...of('mocha', ['import', 'require'])]
        : []),
      ...(playwright ? of(`playwright-${short(playwright)}`, ['chromium']) : []),
      ...of(
        `typescript-${generation === 'next' ? '7' : short(typescript)}`,
        resolutions.flatMap((resolution) =>
          resolution === 'bundler'
            ? ['bundler import']
            : resolution === 'node10'
              ? ['node10 require']
              : [`${resolution} import`, `${resolution} require`],
        ),
        // The result of a compiler does not depend on the Node that runs it.
        ['22'],
      ),
    ]
  }),
)

/** Cells without a runner: do each entry's types match its code, however it is imported? */
const types = ['all but vitest', 'vitest'].map((environment) => ({
  runner: 'attw',
  environment,
  msw: '2',
  node: '22',
  generation: 'types',
  name: `attw ${environment}`,
}))

/**
 * Packages older than what the entries need: npm installs ours beside them, and the entries say
 * what they need.
 */
export const olds = {
  'vitest 2': { vitest: '2.1.9', msw: '2.4.0' },
  'vitest 3.1': { vitest: '3.1.4', msw: '1.3.5', jiti: '1.21.7', '@playwright/test': '1.39.0' },
}

const besides = Object.keys(olds).map((environment) => ({
  runner: 'install',
  environment,
  msw: '2',
  node: '22',
  generation: 'older',
  name: `install beside ${environment}`,
}))

const faked = ['faked-after', 'faked-before']

/** Where globals are not those of Node: timers are faked, or a page's environment has its own. */
const globals = [
  ['vitest node forks', faked],
  ['vitest node threads', faked],
  ['vitest jsdom forks', [...faked, 'page-like']],
  ['vitest happy-dom forks', [...faked, 'page-like']],
  ...['jest', 'jest-29'].flatMap((jest) => [
    [`${jest} node`, faked],
    [`${jest} jest-fixed-jsdom`, [...faked, 'page-like']],
    [`${jest} jsdom`, ['hidden']],
  ]),
  ['node:test node', faked],
  ['sinon node', faked],
  ['node:test jsdom', ['page-like']],
  ['node:test happy-dom', ['page-like']],
].map(([environment, tests]) => ({
  runner: 'globals',
  environment,
  tests,
  msw: '2',
  node: '20',
  generation: 'globals',
  name: `globals ${environment}`,
}))

export const cells = [...matrix, ...types, ...besides, ...globals]

/**
 * The row of results.json, and of the page, that has a cell's result: cells that differ only by
 * Node share one.
 */
export const rowOf = ({ name }) => name.replace(/ node-\d+$/, '')

/**
 * The fast diagonal, which .ci/run runs: the oldest runners, msw and Node, and the newest. The
 * examples cover versions between.
 */
export const diagonal = [
  'vitest-3.2 forks msw-2.11 node-20',
  'jest-29 ts-jest msw-2.11 node-20',
  'vitest-5 browser msw-3 node-26',
  'node-test require msw-3 node-26',
  'mocha import msw-3 node-26',
]

/**
 * The diagonal with versions between, with compilers, which take as long as all runners, and with
 * other globals; .ci/nightly runs it.
 */
export const wideDiagonal = [
  ...diagonal,
  'vitest-4 jsdom msw-2 node-26',
  'vitest-5 happy-dom msw-3 node-26',
  'jest-30 esm msw-3 node-24',
  'jest-30 next/jest msw-3 node-22',
  'jest-29 jest-expo msw-2 node-22',
  'next-16 build msw-3 node-26',
  'jest-30 jsdom msw-3 node-22',
  ...Object.keys(stacks).map((name) => `stack ${name} msw-3 node-24`),
  'typescript-5.4 node16 require msw-2.11 node-22',
  'typescript-5.9 nodenext import msw-2 node-22',
  'attw all but vitest',
  'install beside vitest 2',
  ...globals.map(({ name }) => name),
]
