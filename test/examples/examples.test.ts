import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../package/packed.ts'
import { command, startProcess } from '../support/process.ts'
import { writeFolder } from '../support/folder.ts'

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly resolved?: string; readonly integrity?: string }>>
}

const folder = join(root, 'examples')
const projects = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'package.json')))

const read = (...path: string[]) => JSON.parse(readFileSync(join(folder, ...path), 'utf8'))

test.each(projects)(
  'the example %s names the package, and npm ci can install whatever tarball is beside it',
  (name) => {
    expect(read(name, 'package.json').devDependencies['greenhouse-mock']).toBe('file:greenhouse-mock.tgz')
    const { packages } = read(name, 'package-lock.json') as LockFile
    const entry = packages['node_modules/greenhouse-mock']
    expect(entry?.resolved).toBe('file:greenhouse-mock.tgz')
    // Each build packs another tarball. `npm install` adds it: remove it again.
    expect(entry?.integrity).toBeUndefined()
    // npm gets these from its configured registry.
    const addresses = Object.values(packages).flatMap(({ resolved = '' }) =>
      resolved.includes('://') ? [resolved] : [],
    )
    expect(addresses).toEqual([])
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
  const { stdout, stderr, code } = await startProcess(process.execPath, [command, 'run', '--', 'node', 'dev.mjs'], {
    cwd,
    env: { ...process.env, GREENHOUSE_URL: undefined, VITEST: undefined, NODE_ENV: undefined },
  }).ended
  expect(stdout, stderr).toContain('/plants 200 world=vite; operation=plants.list')
  expect(stdout, stderr).toContain('/v1/apps 200 world=vite; operation=apps.list')
  expect(code).toBe(0)
})
