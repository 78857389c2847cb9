import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const missingChromium = ({ CHROMIUM }) => (existsSync(CHROMIUM) ? undefined : `it needs Chromium at ${CHROMIUM}`)

const missingDriver = (env) =>
  missingChromium(env) ??
  (existsSync('/usr/bin/chromedriver') ? undefined : 'it needs /usr/bin/chromedriver: apt-get install chromium-driver')

const missingRequests = () =>
  spawnSync('python3', ['-c', 'import requests']).status === 0
    ? undefined
    : 'it needs python3 and requests: apt-get install python3-requests'

/** The output of a failing test, with any runner. */
const journal =
  /Greenhouse world fails-and-prints-its-requests-\S+: 1 request\n\s+GET \/v1\/apps 500 apps\.list \[server-error\]/
const stray = /a request went astray\.\n\s+GET http:\/\/127\.0\.0\.1:\d+\/plants names no world/

const vitestJournal = /Greenhouse world fails-and-prints-its-requests-\S+: 1 request\n\s+GET \/v1\/apps 500/

/** Type-checks examples without their own TypeScript with ours. */
const typecheck = 'ROOT/node_modules/.bin/tsc --typeRoots ROOT/node_modules/@types'

/** The steps of each example: commands in its folder, their exit codes, and what they must print. */
export const examples = {
  vitest: {
    steps: [
      { command: 'npm test -- --testTimeout 120000', prints: [/Tests +7 passed/] },
      {
        command: 'npm run test:failing -- --testTimeout 120000',
        code: 1,
        prints: [/Tests +2 failed \| 1 passed/, vitestJournal, stray],
      },
      { command: typecheck },
    ],
  },
  'plug-in': {
    steps: [{ command: 'npm test -- --testTimeout 120000', prints: [/Tests +4 passed/] }, { command: typecheck }],
  },
  playwright: {
    missing: missingChromium,
    steps: [
      { command: 'npm test -- --timeout 120000', prints: [/4 passed/] },
      {
        command: 'npm run test:failing -- --timeout 120000 --reporter json',
        code: 1,
        prints: [/greenhouse-journal\.json/],
      },
      { command: typecheck },
    ],
  },
  'node-test': {
    steps: [
      { command: 'npm test', prints: [/# pass [78]\n|pass [78]\n/] },
      {
        command: 'npm run test:failing',
        code: 1,
        prints: [/Greenhouse world fails-and-prints-its-requests-\S+: 1 request/, stray],
      },
      { command: 'node --test typed.test.ts', needsNode: '22.18', prints: [/pass 1\n/] },
      { command: typecheck },
    ],
  },
  mocha: {
    steps: [
      { command: 'npm test', prints: [/8 passing/] },
      { command: 'npm run test:parallel', prints: [/8 passing/] },
      { command: 'npm run test:failing', code: 2, prints: [/1 passing/, /2 failing/, journal, stray] },
    ],
  },
  jest: {
    steps: [
      { command: 'npm test', prints: [/Tests: +13 passed, 13 total/] },
      { command: 'npm run test:failing', code: 1, prints: [/Tests: +2 failed, 1 passed, 3 total/, journal, stray] },
      { command: 'npm run typecheck' },
    ],
  },
  webdriverio: {
    missing: missingDriver,
    steps: [
      { command: 'npm test', prints: [/5 passing/] },
      {
        command: 'npm run test:failing',
        code: 1,
        prints: [
          /fails, and prints its requests: 1 request\n.*GET \S+\/plants 500 plants\.list server-error/,
          /Requests named no world: 1 request\n.*GET \/plants 200/,
        ],
      },
    ],
  },
  cypress: {
    steps: [{ command: 'npm run typecheck' }, { command: 'npm run test:tasks', prints: [/pass 3\n/] }],
  },
  recipes: { steps: [{ command: 'npm test', prints: [/Tests +16 passed/] }] },
  storybook: {
    missing: missingChromium,
    steps: [{ command: 'npm run build' }, { command: 'npm test', prints: [/pass 4\n/] }],
  },
  python: {
    missing: missingRequests,
    steps: [
      { command: 'npm test', prints: [/Ran 5 tests/] },
      {
        command: 'npm run test:failing',
        code: 1,
        prints: [
          /failures=2/,
          /test_fails_and_prints_its_requests: 1 requests\n {2}GET \S+\/v1\/apps 500/,
          /These requests named no world: 1 requests\n {2}GET \/plants 200/,
        ],
      },
    ],
  },
}
