// What the report card says of well-known clients with their retries, as they are by default: `node .ci/clients/run.mjs`
// after a build. Installs its own packages. `--write` writes the table into docs/evidence.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { installBeside } from '../matrix/install.mjs'

installBeside(fileURLToPath(new URL('.', import.meta.url)), {
  '@tanstack/query-core': '5.108.0',
  axios: '1.21.1',
  'axios-retry': '4.5.0',
  got: '14.6.6',
  ky: '1.14.3',
  'openapi-fetch': '0.17.0',
  undici: '7.30.2',
})

const { createGreenhouse } = await import('../../dist/index.js')
const { serve } = await import('../../dist/server.js')
const { collectEvidence } = await import('../../dist/evidence.js')
const { clients } = await import('./clients.mjs')

/** The longest that a client may try, in milliseconds. */
const patience = 15_000

const unavailable = { error: { code: 'unavailable', message: 'Try again.' } }

/** What each client meets, each in a world of its own: a scenario, and a request. */
const situations = [
  { use: 'server-error', method: 'GET', path: '/apps' },
  {
    use: {
      title: 'unavailable',
      respond: [{ status: 503, headers: { 'Retry-After': '3' }, body: unavailable, times: 1 }],
    },
    method: 'GET',
    path: '/apps',
  },
  { use: 'not-found', method: 'GET', path: '/apps' },
  { use: 'expired-key', method: 'GET', path: '/apps' },
  { use: 'connection-reset-after-write', method: 'POST', path: '/apps', body: { name: 'helper' } },
]

const rules = [
  'retry-after-honoured',
  'backs-off',
  'gives-up',
  'no-retry-of-4xx',
  'stops-on-bad-key',
  'unsafe-retry-has-key',
]

const rows = []
for (const [name, create] of Object.entries(clients)) rows.push({ name, card: await grade(create) })
const marks = { passed: 'passed', failed: '**failed**', 'not exercised': 'does not retry' }
const table = [
  `| client | ${rules.map((rule) => `\`${rule}\``).join(' | ')} |`,
  `| --- | ${rules.map(() => '---').join(' | ')} |`,
  ...rows.map(({ name, card }) => `| ${name} | ${rules.map((rule) => toCell(card, rule)).join(' | ')} |`),
].join('\n')
console.log(table)
for (const { name, card } of rows)
  for (const { rule, result, examples } of card.rules)
    if (result === 'failed' && rules.includes(rule))
      console.log(`${name}: ${rule}: ${examples.map(({ message }) => message).join('; ')}`)

if (process.argv.includes('--write')) {
  const page = fileURLToPath(new URL('../../docs/evidence.md', import.meta.url))
  const text = readFileSync(page, 'utf8')
  writeFileSync(page, text.replace(/\| client \|[^]*?\n\n/, `${table}\n\n`))
}
process.exit()

async function grade(create) {
  const greenhouse = createGreenhouse()
  const server = await serve(greenhouse)
  const collector = collectEvidence(greenhouse)
  await Promise.all(
    situations.map(async ({ use, ...request }, index) => {
      const world = greenhouse.world(`w${index}`)
      world.use(use)
      const send = create(`${server.url}/~w${index}/v1`, 'key_pro')
      const late = new Promise((resolve) => setTimeout(resolve, patience))
      await Promise.race([
        late,
        Promise.resolve()
          .then(() => send(request))
          .catch(() => undefined),
      ])
    }),
  )
  const { card } = collector.end()
  await server.close()
  return card
}

function toCell(card, name) {
  const { result } = card.rules.find(({ rule }) => rule === name)
  return marks[result]
}
