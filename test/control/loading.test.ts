import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { lacks } from '../support/lacks.ts'
import { startProcess } from '../support/process.ts'
import { entry, toResult } from '../environment/node.ts'

const folder = resolve('dist')
const read = (file: string) => readFileSync(file, 'utf8')

/** Every file of the package that is loaded with this one, and the packages that they name. */
function loadedWith(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const [, name] of read(file).matchAll(/(?:^|[;\s}])(?:import|from)\s*["']([^"']+)["']/g))
    if (name!.startsWith('.')) loadedWith(join(dirname(file), name!), seen)
    else seen.add(name!)
  return seen
}

/** The files of the package in which something stands. */
const filesOf = (name: string) =>
  readdirSync(folder)
    .filter((file) => /\.m?js$/.test(file))
    .map((file) => join(folder, file))
    .filter((file) => new RegExp(`(function|const|,) ?${name}\\b`).test(read(file)))

test('loads what answers control calls with the first one, not with the server', () => {
  const loaded = [...loadedWith(join(folder, 'server.js'))]
  expect(loaded).toContain('node:http')
  expect(loaded).not.toContain('express')
  const answering = filesOf('answerRequest')
  expect(answering).toHaveLength(1)
  expect(loaded).not.toContain(answering[0])
})

/** Files that load after the server is up. */
const loadedLater = ['answerRequest', 'createNodeTransport']
  .flatMap(filesOf)
  .flatMap((file) => [...loadedWith(file)])
  .flatMap((file) => (file.startsWith('/') ? basename(file) : []))

const script = `
  import { closeSync, openSync } from 'node:fs'
  import { Agent, request as requestHttp } from 'node:http'
  import { Session } from 'node:inspector'
  import { createGreenhouse } from '${entry('index')}'
  import { serve } from '${entry('server')}'

  const awaited = new Set(${JSON.stringify(loadedLater)})
  const session = new Session()
  session.connect()
  const loaded = new Promise((resolve) =>
    session.on('Debugger.scriptParsed', ({ params: { url } }) => {
      for (const file of awaited) if (url.endsWith('/' + file)) awaited.delete(file)
      if (awaited.size === 0) resolve()
    }))
  session.post('Debugger.enable')

  const server = await serve(createGreenhouse())
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = (method, path, body) =>
    new Promise((resolve, reject) => {
      const headers = { authorization: 'Bearer key_pro', 'content-type': 'application/json' }
      requestHttp(server.url + path, { method, agent, headers }, async (reply) => {
        let text = ''
        for await (const chunk of reply) text += chunk
        resolve([reply.statusCode, JSON.parse(text)])
      }).on('error', reject).end(body)
    })
  const health = async () => { const [status, { error }] = await ask('GET', '/__greenhouse/health'); return error ? [status, error.code] : status }
  await ask('GET', '/plants?limit=1')
  await loaded
  session.disconnect()

  const held = []
  const fill = () => { try { for (;;) held.push(openSync('/dev/null')) } catch {} }
  const results = []
  fill()
  results.push(await health(), (await ask('POST', '/plants', '{"id":9001,"name":"Fern"}'))[0])
  for (let free = 0; free < 4; free++) {
    for (const file of held.splice(0, free)) closeSync(file)
    await health()
    fill()
  }
  for (const file of held.splice(0)) closeSync(file)
  results.push(await health())
  agent.destroy()
  await server.close()
  console.log(JSON.stringify(results))`

test.skipIf(lacks.sh)('the first control call is answered without a free descriptor', async () => {
  const limited = [
    '-c',
    'ulimit -n 80; exec "$0" "$@"',
    process.execPath,
    '--no-warnings',
    '--input-type=module',
    '--eval',
    script,
  ]
  expect(toResult(await startProcess('sh', limited).ended)).toEqual([200, 200, 200])
})
