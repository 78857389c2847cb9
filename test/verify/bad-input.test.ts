import { expect, onTestFinished, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse } from 'greenhouse-mock'
import { createHttpClient } from '../../src/node-http/verify-http.ts'
import { nobody, run } from '../support/cli.ts'
import { verifyTargets } from './against.ts'
import { serveHttp, serveHttps, serveTcp } from './servers.ts'

/** Returns the message of `verify` for an unusable plant store. */
const refusal = (plants: string, options = {}) =>
  verifyTargets({ plants }, options).then(
    () => undefined,
    (error: Error) => `${error.name}: ${error.message}`,
  )

test('no server there', async () => {
  expect(await refusal(nobody)).toBe(
    `TargetUnreachableError: Failed to reach --target-plants: GET ${nobody}/plants: nothing listens there (ECONNREFUSED). Is the server running, and the port right?`,
  )
})

test('no such host', async () => {
  expect(await refusal('http://no-such-host.invalid')).toMatch(
    /^TargetUnreachableError: Failed to reach --target-plants: .*(ENOTFOUND|EAI_AGAIN)/,
  )
})

test('a wrong key', async () => {
  const url = await serveGreenhouse()
  expect(await refusal(url, { key: 'wrong' })).toBe(
    `TargetUnreachableError: Failed to use --target-plants: GET ${url}/plants answered 401: the server does not take the key. Give one that it knows with --key.`,
  )
})

test('a page of HTML, from a proxy or a login', async () => {
  const url = await serveHttp((_, response) =>
    response
      .writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
      .end('<!doctype html><title> Sign in </title>'),
  )
  expect(await refusal(url)).toBe(
    `TargetUnreachableError: Failed to use --target-plants: GET ${url}/plants answered 200 with a page of HTML ("Sign in"). Is a proxy, a login or a web site in front of the API?`,
  )
})

test('a page of HTML with 502', async () => {
  const url = await serveHttp((_, response) => response.writeHead(502).end('<html><body>Bad gateway</body></html>'))
  expect(await refusal(url)).toContain('answered 502 with a page of HTML. Is a proxy')
})

test('a redirect is not followed', async () => {
  const url = await serveHttp((_, response) => response.writeHead(308, { Location: 'https://example.com/v2' }).end())
  expect(await refusal(url)).toContain(
    'redirects to https://example.com/v2 (308). Redirects are not followed: give the final address.',
  )
})

test('another path', async () => {
  const url = await serveGreenhouse()
  expect(await refusal(`${url}/api`)).toContain(
    `GET ${url}/api/plants answered 404. Is the address right? Requests go to /plants below it.`,
  )
})

test('a server that hangs', async () => {
  const url = await serveHttp(() => undefined)
  expect(await refusal(url, { timeout: 200 })).toBe(
    `TargetUnreachableError: Failed to reach --target-plants: GET ${url}/plants: no answer within 0.2 s. Allow more with --timeout.`,
  )
})

test('a server that hangs in the middle of a reply', async () => {
  const url = await serveHttp((_, response) => void response.writeHead(200, { 'Content-Length': '9' }).write('['))
  expect(await refusal(url, { timeout: 200 })).toContain('no answer within 0.2 s')
})

test('a self-signed certificate, which --insecure takes', async () => {
  const url = await serveHttps((_, response) =>
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('[]'),
  )
  expect(await refusal(url)).toContain(
    'this machine does not trust its certificate (DEPTH_ZERO_SELF_SIGNED_CERT). Name its authority with NODE_EXTRA_CA_CERTS, or accept it with --insecure.',
  )
  const { send, close } = createHttpClient({ insecure: true })
  onTestFinished(close)
  expect(await refusal(url, { send, allowWrites: false })).toBeUndefined()
})

test('https where there is only http, and http where there is only https', async () => {
  const plain = await serveHttp((_, response) => void response.end())
  expect(await refusal(plain.replace('http:', 'https:'))).toContain('there is no TLS on that port')
  const secure = await serveHttps((_, response) => void response.end())
  expect(await refusal(secure.replace('https:', 'http:'))).toContain('the connection was cut before a reply')
})

test('a server that speaks no HTTP', async () => {
  const url = await serveTcp((socket) => void socket.end('SSH-2.0-OpenSSH\r\n'))
  expect(await refusal(url)).toContain('the answer is not HTTP')
})

test('a server that stops answering ends the run, and is reported as such', async () => {
  let count = 0
  const greenhouse = await serveGreenhouse()
  const { send, close } = createHttpClient()
  onTestFinished(close)
  const report = await verifyTargets(
    { plants: greenhouse },
    { send: (asked, signal) => (++count > 5 ? send({ ...asked, url: nobody }, signal) : send(asked, signal)) },
  )
  expect(report.ended).toBe('The server no longer answers.')
})

test('the exit codes: 3 for what can not be reached, 2 for wrong use', async () => {
  const verify = (...args: string[]) => run(['verify', ...args])
  expect(await verify('--target-plants', nobody, '--key', 'k')).toMatchObject({
    code: 3,
    stdout: '',
    stderr: expect.stringMatching(/^Failed to reach --target-plants: .*ECONNREFUSED/),
  })
  for (const [args, message] of [
    [['--key', 'k'], 'Name the server with --target-plants URL, --target-apps URL, or both.'],
    [['--target-plants', nobody], 'Give an API key with --key or GREENHOUSE_VERIFY_KEY.'],
    [['--target-plants', 'plants', '--key', 'k'], '--target-plants plants: expected an http or https URL'],
    [
      ['--target-plants', nobody, '--key', 'k', '--only', 'plants.delete.statu'],
      'Did you mean "plants.delete.status"?',
    ],
    [['--target-plants', nobody, '--key', 'k', '--allow-spending'], 'add --allow-writes'],
    [['--target-plants', nobody, '--key', 'k', '--rate', '0'], '--rate 0: expected a number of requests a second'],
    [['--target-plants', nobody, '--key', 'k', '--report', 'xml'], '--report xml: expected table, json, junit or md'],
    [['--target-plants', nobody, '--key', 'k', '--timeout', '10'], '--timeout 10: expected a duration'],
    [['--target-plants', nobody, '--key', 'k', '--read-lag', '2m'], '--read-lag 2m: expected a duration from 0s'],
    [['--target-plants', nobody, '--key', 'k', '--read-lg', '2s'], 'Did you mean "--read-lag"?'],
  ] as const)
    expect(await verify(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
})

async function serveGreenhouse(): Promise<string> {
  const server = await serve(createGreenhouse())
  onTestFinished(() => server.close())
  return server.url
}
