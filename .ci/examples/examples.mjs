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

/** What a failing test prints, whatever the runner. */
const journal =
  /Greenhouse world fails-and-prints-its-requests-\S+: 1 request\n\s+GET \/v1\/apps 500 apps\.list \[server-error\]/
const stray = /A request did not reach the world of this test:\n\s+GET \/plants 200 plants\.list/

/** What is done with each example: commands in its folder, the exit code, and what they must print. */
export const examples = {
  'node-test': {
    steps: [
      { command: 'npm test', prints: [/# pass [78]\n|pass [78]\n/] },
      {
        command: 'npm run test:failing',
        code: 1,
        prints: [/Greenhouse world fails-and-prints-its-requests-\S+: 1 request/, stray],
      },
      { command: 'node --test typed.test.ts', needsNode: '22.18', prints: [/pass 1\n/] },
    ],
  },
  mocha: {
    steps: [
      { command: 'npm test', prints: [/8 passing/] },
      { command: 'npm run test:parallel', prints: [/8 passing/] },
      { command: 'npm run test:failing', code: 2, prints: [/1 passing/, /2 failing/, journal, stray] },
    ],
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
          /These requests said no world: 1 requests\n {2}GET \/plants 200/,
        ],
      },
    ],
  },
}
