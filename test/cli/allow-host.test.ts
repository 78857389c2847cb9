import { request } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run, startServe } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'

/** Asks as a browser or a container would that reaches the server by another name. */
function ask(url: string, host: string, path = '/plants'): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(
      url + path,
      { headers: { host, authorization: 'Bearer key_pro' }, agent: false },
      async (response) => {
        let text = ''
        for await (const chunk of response) text += chunk
        resolve({ status: response.statusCode!, text })
      },
    )
    asked.on('error', reject).end()
  })
}

test('--allow-host lets a name in, and may come more than once', async () => {
  const { ready } = await startServe(['--allow-host', 'greenhouse', '--allow-host', '.example.com'])
  for (const host of ['greenhouse', 'greenhouse:4010', 'a.example.com', 'localhost'])
    expect((await ask(ready.plants_url, host)).status, host).toBe(200)
  const other = await ask(ready.plants_url, 'attacker.example')
  expect([other.status, JSON.parse(other.text)]).toEqual([
    403,
    { error: 403, message: expect.stringContaining('--allow-host attacker.example') },
  ])
})

test('own handlers stand behind the same checks', async () => {
  const handlers =
    "import { http, HttpResponse } from 'msw'\nexport const handlers = [http.all('*', () => HttpResponse.text('mine'))]\n"
  const module = handlers.replace("'msw'", JSON.stringify(join(process.cwd(), 'node_modules/msw/lib/core/index.mjs')))
  const { ready } = await startServe(['--handlers', join(writeFolder({ 'own.mjs': module }), 'own.mjs')])
  expect(await ask(ready.plants_url, 'localhost')).toEqual({ status: 200, text: 'mine' })
  expect((await ask(ready.plants_url, 'attacker.example')).status).toBe(403)
})

test.each(['', 'http://api', 'api:4010', '*'])(
  '--allow-host "%s" is no name, and an error that says so',
  async (name) => {
    const { code, stderr } = await run(['serve', '--port', '0', '--allow-host', name])
    expect(code).toBe(2)
    expect(stderr).toMatch(/^--allow-host.*: expected a host name/)
  },
)
