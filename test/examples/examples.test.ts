import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../package/packed.ts'
import { command, startProcess } from '../support/process.ts'
import { writeFolder } from '../support/folder.ts'

const folder = join(root, 'examples')
const projects = readdirSync(folder).filter((name) =>
  existsSync(join(folder, name, 'package.json')),
)

test.each(projects)(
  'the example %s installs whatever tarball of the package is beside it',
  (name) => {
    const { devDependencies } = JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8'))
    expect(devDependencies['greenhouse-mock']).toBe('file:greenhouse-mock.tgz')
  },
)

test('the page about the examples names them all', () => {
  const page = readFileSync(join(folder, 'README.md'), 'utf8')
  expect(projects.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})

const program = `
import { createServer } from '${new URL('../../node_modules/vite/dist/node/index.js', import.meta.url).href}'
const server = await createServer({
  configFile: ${JSON.stringify(join(root, 'examples/recipes/react-vite/vite.config.ts'))},
  root: import.meta.dirname,
  logLevel: 'silent',
  server: { port: 0 },
})
await server.listen()
const { port } = server.httpServer.address()
for (const path of ['/plants', '/v1/apps']) {
  const headers = { authorization: 'Bearer key_pro', 'x-greenhouse-world': 'vite' }
  const reply = await fetch(\`http://localhost:\${port}\${path}\`, { headers })
  console.log(path, reply.status, reply.headers.get('x-greenhouse'))
}
await server.close()
process.exit()
`

test("the Vite recipe's proxy finds the server that `run` started at a free port", async () => {
  const cwd = writeFolder({ 'dev.mjs': program, 'package.json': '{}' })
  const { stdout, stderr, code } = await startProcess(
    process.execPath,
    [command, 'run', '--', 'node', 'dev.mjs'],
    {
      cwd,
      env: { ...process.env, GREENHOUSE_URL: undefined, VITEST: undefined, NODE_ENV: undefined },
    },
  ).ended
  expect(stdout, stderr).toContain('/plants 200 world=vite; operation=plants.list')
  expect(stdout, stderr).toContain('/v1/apps 200 world=vite; operation=apps.list')
  expect(code).toBe(0)
})
