import { expect, test } from 'vitest'
import { run, startServe } from '../support/cli.ts'
import { expectWrongUse } from './server.ts'

const serve = ['serve']
const status = ['status']
const others =
  '--host 0.0.0.0 lets other machines reach this server, its control API included. Set a secret with --token'

test.each<[variable: string, text: string, message: string, ...commands: string[][]]>([
  ['PORT', '70000', '=70000: expected a whole number from 0 to 65535, such as GREENHOUSE_PORT=4010.', serve],
  ['FROZEN', 'maybe', '=maybe: expected true or false, such as GREENHOUSE_FROZEN=true.', serve],
  ['CORS', 'https://a.example,b', '=b: expected an origin', serve],
  [
    'TOKEN',
    'two words',
    ': expected visible ASCII characters',
    serve,
    ['run', '--', 'true'],
    ['flip', '--', 'true'],
    status,
  ],
  ['URL', 'nowhere', '=nowhere: expected a URL, such as GREENHOUSE_URL=http://127.0.0.1:4010.', status],
  ['WORLD', '../x', '=../x', status],
])('a mistake in GREENHOUSE_%s is reported, a secret not repeated', async (name, text, message, ...all) => {
  const env = { ...process.env, [`GREENHOUSE_${name}`]: text }
  for (const words of all)
    expect(await expectWrongUse(words, `GREENHOUSE_${name}${message}`, { env })).not.toContain('two words')
})

test('a host of other machines in a variable needs a token', async () => {
  await expectWrongUse(serve, `${others} or GREENHOUSE_TOKEN`, { env: { ...process.env, GREENHOUSE_HOST: '0.0.0.0' } })
})

test('a command reports a misspelt variable, and does its work', async () => {
  const { code, stderr } = await run(['routes'], { env: { ...process.env, GREENHOUSE_PROT: '1' } })
  const message = 'GREENHOUSE_PROT: Greenhouse has no such variable. Did you mean "GREENHOUSE_PORT"?\n'
  expect([code, stderr]).toEqual([0, message])
})

test('commands that call a server find the one that was started with the same variables', async () => {
  const { port } = new URL((await startServe()).ready.plants_url)
  const env = { ...process.env, GREENHOUSE_URL: '', GREENHOUSE_PORT: port }
  for (const host of ['', '0.0.0.0', 'localhost', '127.0.0.1'])
    expect(await run(['status'], { env: { ...env, GREENHOUSE_HOST: host } }), host).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`:${port}, version`),
    })
  const elsewhere = await run(['status'], { env: { ...env, GREENHOUSE_HOST: '::' } })
  expect(elsewhere.stderr).toContain(`http://[::1]:${port}`)
})

test('commands within run find its server, and a nested run gets another port', async () => {
  const own = `${process.execPath} dist/greenhouse.cjs`
  const nested = `${own} run -- 'echo $GREENHOUSE_URL $GREENHOUSE_TOKEN'`
  const taken = await startServe()
  const { port } = new URL(taken.ready.plants_url)
  await taken.stop()
  const env = { ...process.env, GREENHOUSE_PORT: port, GREENHOUSE_TOKEN: 's3cret', GREENHOUSE_WORLD: 'default' }
  const words = ['run', '--', `${own} status && ${own} openapi | grep '"url"' && ${nested}`]
  const { code, stdout, stderr } = await run(words, { env })
  expect([code, stderr]).toEqual([0, ''])
  const lines = stdout.split('\n').filter((line) => line !== '')
  expect(lines[0]).toContain(`http://127.0.0.1:${port}, version`)
  expect(stdout).toContain(`"url": "http://127.0.0.1:${port}"`)
  expect(lines.at(-1)).toMatch(/^http:\/\/127\.0\.0\.1:\d+ s3cret$/)
  expect(lines.at(-1)).not.toContain(`:${port} `)
})

test.each(['serve', 'run', 'flip'])('the help of %s states the rule for variables', async (name) => {
  expect((await run([name, '--help'])).stdout.replace(/\s+/g, ' ')).toContain(
    'Each flag of serve has a variable: --allow-host is GREENHOUSE_ALLOW_HOST.',
  )
})
