import { expect, test } from 'vitest'
import { start, startServe } from '../support/cli.ts'

test('serve --strict answers 400 to a request that breaks the contract, and logs what breaks it', async () => {
  const { call, stop } = await startServe(['--strict'])
  const reply = await call('/plants?limt=3')
  expect(reply.status).toBe(400)
  const message = '"limt" is not a query parameter of this operation. Did you mean "limit"?'
  expect(await reply.json()).toEqual({ error: 400, message: `unknown-query: ${message}` })
  expect((await call('/plants')).status).toBe(200)
  const { stdout } = await stop()
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ event }) => event === 'request')
  expect(lines.map(({ violations }) => violations)).toEqual([[{ rule: 'unknown-query', message }], undefined])
})

test('the log for people names the rules that a request breaks', async () => {
  const { output, kill, ended, untilPrinted } = start(['serve', '--port', '0', '--log', 'pretty'])
  const [, url] = await untilPrinted(/Plants +(http:\S+)\n/)
  await fetch(`${url}/plants?limt=3&limt=4`)
  kill('SIGTERM')
  await ended
  expect(output.stdout).toMatch(
    /GET +401 .*\/plants\?limt=3&limt=4 +plants\.list +violation=missing-key,unknown-query,repeated-query /,
  )
})
