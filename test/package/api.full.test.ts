import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from './packed.ts'
import { installTypeProject, resolutions, type TypeProject } from './type-project.ts'

const folder = join(root, 'dist/types')
const emitted = readdirSync(folder).map((file) => ({ file, code: readFileSync(join(folder, file), 'utf8') }))
/** Without what stands in comments and texts. */
const words = (code: string) => code.replace(/\/\*[^]*?\*\/|\/\/.*|'[^'\n]*'/g, '')

let project: TypeProject

beforeAll(() => {
  project = installTypeProject()
})

afterAll(() => project.remove())

test('npm run api prints the whole surface as one file, which compiles on its own', () => {
  const api = execFileSync(process.execPath, [join(root, 'build/api.mjs')], { encoding: 'utf8' })
  const { name, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const entries = Object.entries<{ types?: string; import?: unknown }>(exports).filter(
    ([, { types, import: imported }]) => types !== undefined || imported !== undefined,
  )
  expect(api.match(/^declare module '.*'/gm)).toEqual(
    entries.map(([entry]) => `declare module '${name}${entry.slice(1)}'`),
  )
  project.write('api.d.mts', api)
  for (const resolution of resolutions) expect(project.check(resolution, 'api.d.mts'), resolution).toBe('')
})

test.each(emitted)(
  '$file has interfaces to read: no class but an error, no private parts, no any, no name that a bundler made',
  ({ file, code }) => {
    // So does Vitest declare what it lets others add to.
    const own = words(code).replace('interface Matchers<T = any>', '')
    expect(own).not.toMatch(/#private|\bany\b|\$\d|typeof |zod|StandardSchema/i)
    const errors = { index: ['class DataError'], case: ['class CaseStepError'] }[file.split('.')[0]!]
    expect(words(code).match(/\bclass \w+/g) ?? []).toEqual(errors ?? [])
  },
)

test('every type and function of the surface has a docstring', () => {
  const bare = emitted.flatMap(({ file, code }) => {
    let end = 0
    return parseAst(code, { lang: 'dts' }).body.flatMap((node) => {
      const before = code.slice(end, node.start)
      end = node.end
      const isExport = node.type === 'ExportNamedDeclaration' && node.declaration !== null
      return isExport && !before.includes('/**') ? [`${file}: ${code.slice(node.start, node.end).split('\n')[0]}`] : []
    })
  })
  expect(bare).toEqual([])
})

test('nothing of what is inside shows: of requests on their way, of the core, of stores', () => {
  const all = emitted.map(({ code }) => words(code)).join('\n')
  for (const inside of [
    'LiveWorld',
    'Exchange',
    'Activation',
    'ServiceRequest',
    'Reply ',
    'WhenGone',
    'SecretFinder',
    'CollectionDefinition',
  ])
    expect(all).not.toMatch(new RegExp(`\\b${inside}\\b`))
})
