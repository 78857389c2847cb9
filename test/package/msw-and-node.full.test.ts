import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installPacked, type Project } from './packed.ts'

let project: Project

beforeAll(() => {
  project = installPacked()
  mkdirSync(join(project.folder, 'node_modules/msw'))
  project.write(
    'node_modules/msw/index.js',
    'export const http = { all: () => ({ log: async () => {} }) }\nexport class HttpResponse extends Response {}\n',
  )
})

afterAll(() => project.remove())

/** Returns the message of createHandlers in a project with this msw, on this version of Node. */
function attempt(msw: string, node: string): string {
  const manifest = {
    name: 'msw',
    version: msw,
    type: 'module',
    exports: { '.': './index.js', './package.json': './package.json' },
  }
  project.write('node_modules/msw/package.json', JSON.stringify(manifest))
  const script = `
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${node}' } })
    const { createGreenhouse } = await import('greenhouse-mock')
    const { createHandlers } = await import('greenhouse-mock/msw')
    try {
      console.log(createHandlers(createGreenhouse()).length)
    } catch (error) {
      console.log(error.message)
    }
  `
  return project.run(process.execPath, '--input-type=module', '-e', script).trim()
}

test('msw 3 on a Node before 22.12 is an error that says what to do, not a request that fails', () => {
  for (const node of ['20.19.0', '22.11.0'])
    expect(attempt('3.0.5', node)).toBe(
      `greenhouse-mock/msw can't use msw 3.0.5: it runs on Node 22.12 or later, and this is Node ${node}. Update Node, or install msw 2: npm i -D msw@2`,
    )
})

test.each([
  ['2.15.0', '20.19.0'],
  ['3.0.5', '22.12.0'],
  ['3.0.5', '24.0.0'],
])('msw %s on Node %s is none', (msw, node) => {
  expect(attempt(msw, node)).toBe('2')
})
