import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { packedProject } from './packed.ts'

const runner = 'export const expect = {}, test = {}\n'

const peers: Readonly<Record<string, string>> = {
  msw: 'export const http = { all: () => ({ log: async () => {} }) }\nexport class HttpResponse extends Response {}\n',
  'msw 1': 'export const rest = {}\n',
  vitest: runner,
  '@playwright/test': runner,
}

const uses = {
  msw: `const { createHandlers } = await import('greenhouse-mock/msw')
    console.log(createHandlers((await import('greenhouse-mock')).createGreenhouse()).length)`,
  testing: `const { createWithWorld } = await import('greenhouse-mock/testing')
    await createWithWorld({ plants: 'https://plants.test' })(() => {})()`,
  vitest: `await import('greenhouse-mock/vitest')`,
  playwright: `await import('greenhouse-mock/playwright')`,
}

const project = packedProject()

const tooOldNode =
  'it runs on Node 22.12 or later, and this is Node 22.11.0. Update Node, or install msw 2: npm i -D msw@2'

test.each<[use: keyof typeof uses, peer: string, version: string, node: string, output: string]>([
  ['msw', 'msw', '2.11.0', '20.19.0', '2'],
  ['msw', 'msw', '2.15.0', '20.19.0', '2'],
  ['msw', 'msw', '3.0.5', '22.12.0', '2'],
  ['msw', 'msw', '3.0.5', '22.11.0', `greenhouse-mock/msw can't use msw 3.0.5: ${tooOldNode}`],
  ['testing', 'msw', '3.0.5', '22.11.0', `A test that uses msw can't use msw 3.0.5: ${tooOldNode}`],
  ...(
    [
      ['msw', 'greenhouse-mock/msw', 'msw', '2.11', '2.10.5'],
      ['msw', 'greenhouse-mock/msw', 'msw 1', '2.11', '1.3.5'],
      ['testing', 'A test that uses msw', 'msw 1', '2.11', '1.3.5'],
      ['vitest', 'greenhouse-mock/vitest', 'vitest', '3.2', '2.1.9'],
      ['playwright', 'greenhouse-mock/playwright', '@playwright/test', '1.40', '1.39.0'],
    ] as const
  ).map(([use, user, peer, oldest, version]): [typeof use, string, string, string, string] => {
    const name = peer.replace(/ .*/, '')
    const sentence = `${user} needs ${name} ${oldest} or later, but ${version} is installed. Update it: npm i -D ${name}@latest`
    return [use, peer, version, '24.0.0', sentence]
  }),
])('%s with %s %s on Node %s: %s', (use, peer, version, node, output) => {
  const file = `node_modules/${peer.replace(/ .*/, '')}/package.json`
  mkdirSync(dirname(`${project.folder}/${file}`), { recursive: true })
  project.write(file.replace('package.json', 'index.js'), peers[peer]!)
  project.write(file, JSON.stringify({ version, type: 'module', exports: { '.': './index.js', './*': './*' } }))
  const script = `
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${node}' } })
    try {
      ${uses[use]}
    } catch (error) {
      console.log(error.message)
    }
  `
  expect(project.run(process.execPath, '--input-type=module', '-e', script).trim()).toBe(output)
})
