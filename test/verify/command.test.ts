import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RequestListener } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { createHttpClient } from '../../src/node-http/verify-http.ts'
import { nobody, run, startServe } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'
import { serveGreenhouse, verifyTargets, type RunOptions } from './against.ts'
import { serveHttp, serveHttps, serveTcp } from './servers.ts'

const rejectionOf = (plants: string, options: RunOptions = {}) =>
  verifyTargets({ plants }, options).then(
    () => undefined,
    (error: Error) => `${error.name}: ${error.message}`,
  )

const html =
  (status: number, text: string): RequestListener =>
  (_, response) =>
    response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' }).end(text)

const empty: RequestListener = (_, response) => void response.end()
const greenhouse = async (path = '') => (await serveGreenhouse()).url + path

/** What is there, and what `verify` says of it; URL stands for its address. */
const unusable: Record<
  string,
  [serveIt: () => string | Promise<string>, message: string | RegExp, options?: RunOptions]
> = {
  'no server': [
    () => nobody,
    'TargetUnreachableError: Failed to reach --target-plants: GET URL/plants: nothing listens there (ECONNREFUSED). Is the server running, and the port right?',
  ],
  'no such host': [
    () => 'http://no-such-host.invalid',
    /^TargetUnreachableError: Failed to reach --target-plants: .*(ENOTFOUND|EAI_AGAIN)/,
  ],
  'a server with another key': [
    greenhouse,
    'TargetUnreachableError: Failed to use --target-plants: GET URL/plants answered 401: the service does not accept the key for plants. Give another with --key.',
    { key: 'wrong' },
  ],
  'a page of HTML, from a proxy or a login': [
    () => serveHttp(html(200, '<!doctype html><title> Sign in </title>')),
    'TargetUnreachableError: Failed to use --target-plants: GET URL/plants answered 200 with a page of HTML ("Sign in"). Is a proxy, a login or a web site in front of the API?',
  ],
  'a page of HTML with 502': [
    () =>
      serveHttp((_, response) =>
        response.writeHead(502).end('<html><body>Bad gateway</body></html>'),
      ),
    'answered 502 with a page of HTML. Is a proxy',
  ],
  'a redirect, which is not followed': [
    () =>
      serveHttp((_, response) =>
        response.writeHead(308, { Location: 'https://example.com/v2' }).end(),
      ),
    'redirects to https://example.com/v2 (308). Redirects are not followed: give the final address.',
  ],
  'another path': [
    () => greenhouse('/api'),
    'GET URL/plants answered 404. Is it the address of a plant store? Requests go to /plants below it.',
  ],
  'a server that hangs': [
    () => serveHttp(() => undefined),
    'TargetUnreachableError: Failed to reach --target-plants: GET URL/plants: no answer within 0.2 s. Allow more with --timeout.',
    { timeout: 200 },
  ],
  'a server that hangs in the middle of a reply': [
    () =>
      serveHttp(
        (_, response) => void response.writeHead(200, { 'Content-Length': '9' }).write('['),
      ),
    'no answer within 0.2 s',
    { timeout: 200 },
  ],
  'a self-signed certificate': [
    () => serveHttps(empty),
    'this machine does not trust its certificate (DEPTH_ZERO_SELF_SIGNED_CERT). Name its authority with NODE_EXTRA_CA_CERTS, or accept it with --insecure.',
  ],
  'http at an https URL': [
    async () => (await serveHttp(empty)).replace('http:', 'https:'),
    'there is no TLS on that port',
  ],
  'https at an http URL': [
    async () => (await serveHttps(empty)).replace('https:', 'http:'),
    'the connection was cut before a reply',
  ],
  'a server without HTTP': [
    () => serveTcp((socket) => void socket.end('SSH-2.0-OpenSSH\r\n')),
    'the answer is not HTTP',
  ],
}

test.each(Object.entries(unusable))(
  'verify says what is wrong with %s',
  async (_, [serveIt, message, options]) => {
    const url = await serveIt()
    const said = (await rejectionOf(url, options))!.replaceAll(url, 'URL')
    if (message instanceof RegExp || !message.startsWith('TargetUnreachableError'))
      expect(said).toMatch(message)
    else expect(said).toBe(message)
  },
)

test('--insecure takes a self-signed certificate', async () => {
  const { send, close } = createHttpClient({ insecure: true })
  onTestFinished(close)
  const headers = { 'Content-Type': 'application/json' }
  const url = await serveHttps((_, response) => response.writeHead(200, headers).end('[]'))
  expect(await rejectionOf(url, { send, allowWrites: false })).toBeUndefined()
})

test('a server that stops answering ends the run, and is reported as such', async () => {
  let count = 0
  const wrap: RunOptions['wrap'] = (send) => (asked, signal) =>
    send(++count > 5 ? { ...asked, url: nobody } : asked, signal)
  const report = await verifyTargets({ plants: await greenhouse() }, { wrap })
  expect(report.ended).toBe('The server no longer answers.')
})

test('verify ends with 3 where the server can not be reached', async () => {
  expect(await run(['verify', '--target-plants', nobody, '--key', 'k'])).toMatchObject({
    code: 3,
    stdout: '',
    stderr: expect.stringMatching(/^Failed to reach --target-plants: .*ECONNREFUSED/),
  })
})

const newFile = (text: string) =>
  join(writeFolder({ 'assumptions.yaml': text }), 'assumptions.yaml')

test('the files of verify make the mock behave like the verified server', async () => {
  const real = await startServe([
    '--assume',
    'plants.delete.unknown=204',
    '--assume',
    'apps.create.status=200',
  ])
  const file = newFile('')
  const targets = ['--target-plants', real.ready.plants_url, '--target-apps', real.ready.apps_url]
  const flags = ['--key', 'key_pro', '--rate', '999', '--allow-writes', '--write', file]
  const only = ['--only', 'plants.delete.*', '--only', 'apps.create.status']
  const verified = await run(['verify', ...targets, ...flags, ...only])
  expect(verified).toMatchObject({ code: 0, stderr: '' })
  expect(verified.stdout).toMatch(/^plants\.delete\.unknown +204 +404 +DELETE/m)
  expect(verified.stdout).toContain(
    `Wrote ${file}. Use it: greenhouse-mock serve --assume-file ${file}`,
  )
  const text = readFileSync(file, 'utf8')
  expect(text).toMatch(/^plants\.delete\.unknown: '204'$/m)
  expect(text).toMatch(
    /^# plants\.delete\.foreign: not observed: it needs another caller's key: --other-key$/m,
  )

  const mock = await startServe(['--assume-file', file])
  expect((await mock.call('/plants/4711', { method: 'DELETE' })).status).toBe(204)
  expect((await mock.call('/v1/apps', { method: 'POST', body: '{"name":"a"}' })).status).toBe(200)
})

test('--assume wins over the file, and values may stand without quotes', async () => {
  const file = newFile('plants.delete.unknown: 204\nplants.rate-limits: on\n')
  const { call } = await startServe([
    '--assume-file',
    file,
    '--assume',
    'plants.delete.unknown=400',
  ])
  const { status, headers } = await call('/plants/4711', { method: 'DELETE' })
  expect([status, headers.get('x-ratelimit-limit')]).toEqual([400, '300'])
})

test.each([
  ['a list', '- plants.delete.unknown\n', /expected assumptions by id/],
  ['no YAML', 'a: [\n', /Failed to load the assumptions/],
  ['an id twice', 'http.head: 404\nhttp.head: as-get\n', /Map keys must be unique/],
  [
    'a misspelt id',
    'plants.delete.unkown: 204\n',
    /yaml:1:1: .*there is no such assumption\. Did you mean "plants\.delete\.unknown"\?/,
  ],
  [
    'another value',
    '\nplants.delete.status: 205\n',
    /yaml:2:1: .*to "205": it can be "204", "200"/,
  ],
  ['a list as a value', 'http.head: [404]\n', /yaml:1:1: .*it can be "as-get", "404"/],
  [
    'three mistakes',
    'a: 1\nb: 2\nc: 3\n',
    /Failed to load the assumptions in .*assumptions\.yaml: 3 problems\./,
  ],
])('an --assume-file with %s is rejected', async (_, text, message) => {
  const { code, stderr } = await run(['serve', '--port', '0', '--assume-file', newFile(text)])
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
})

test('a missing file is reported as such, and an empty one changes nothing', async () => {
  const { code, stderr } = await run(['serve', '--port', '0', '--assume-file', './none.yaml'])
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/^Failed to read the file "\.\/none\.yaml": ENOENT/),
  ])
  const { call } = await startServe(['--assume-file', newFile('# nothing\n')])
  expect((await call('/plants/4711', { method: 'DELETE' })).status).toBe(404)
})
