import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { entries } from '../../build/entries.mjs'
import { startServe } from '../support/cli.ts'
import { root, toUserEnvironment } from './packed.ts'

const dist = join(root, 'dist')
const files = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.\w+$/.test(file) && !file.endsWith('.compiled'))
const textOf = (file: string) => readFileSync(join(dist, file), 'utf8')
const run = (...args: string[]) =>
  execFileSync(process.execPath, args, { encoding: 'utf8', cwd: root, env: toUserEnvironment() })

const stem = (file: string) => basename(file).replace(/(\.d)?\.\w+(\.map)?$/, '')

test('every file of dist is an entry, or another one names it: none is left of an earlier build', () => {
  const known = new Set([
    ...entries,
    'vitest-page',
    'greenhouse',
    'openapi',
    'THIRD-PARTY-LICENSES',
  ])
  const code = files.filter((file) => /\.([cm]?js|html)$/.test(file) || file.endsWith('.ts'))
  const texts = new Map(code.map((file) => [file, textOf(file)]))
  const isNamed = (file: string) =>
    [...texts].some(([other, text]) => stem(other) !== stem(file) && text.includes(stem(file)))
  const unnamed = files.filter(
    (file) => !file.startsWith('docs/') && !known.has(stem(file)) && !isNamed(file),
  )
  expect(unnamed).toEqual([])
})

test('files that are loaded with compiled code import nothing dynamically: Node could not', () => {
  const compiled = readdirSync(join(dist, 'cjs')).filter((file) => file.endsWith('.compiled'))
  expect(compiled.length).toBeGreaterThan(2)
  const codes = compiled.map((file) => `cjs/${file.replace(/\.v\d.*$/, '')}`)
  expect(codes.filter((file) => /\bimport\(/.test(textOf(file)))).toEqual([])
})

test('dist was made from the sources that are here', () => {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  const changed = Math.max(...sources.map((path) => statSync(join(root, 'src', path)).mtimeMs))
  expect(statSync(join(dist, 'index.js')).mtimeMs).toBeGreaterThan(changed)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(run('dist/greenhouse.cjs', '--version').trim()).toBe(version)
})

test('the command reads the fixtures that stand in files of their own', async () => {
  const { call, stop } = await startServe()
  const chats = '/v1/apps/app_w33c4cwmhfyfktiv/conversations'
  const read = async (path: string) =>
    ((await (await call(path)).json()) as { data: { id: string }[] }).data
  const [first] = await read(chats)
  expect(await read(`${chats}/${first!.id}/messages`)).not.toEqual([])
  await stop()
})

test('the command is written in ASCII, which V8 keeps as one byte a character', () => {
  const command = files.filter(
    (file) => /^cjs\/.*\.c?js$/.test(file) && !/(client|jest)[\w-]*\.c?js$/.test(file),
  )
  expect(command).toContain('cjs/main.cjs')
  expect(command.filter((file) => /[^\0-\x7f]/.test(textOf(file)))).toEqual([])
})

test.each([
  ['imported', "await import('greenhouse-mock')"],
  [
    'required',
    "process.getBuiltinModule('module').createRequire(import.meta.url)('greenhouse-mock')",
  ],
  [
    'run',
    "process.argv.splice(1, 9, 'greenhouse', '--version'); process.getBuiltinModule('module').createRequire(import.meta.url)('./dist/cjs/main.cjs')",
  ],
])('no schema is made before it is asked for, where the package is %s', (_how, code) => {
  const count = `
    let made = 0
    const { defineProperty } = Object
    Object.defineProperty = (object, key, property) => {
      if (key === '_zod') made++
      return defineProperty(object, key, property)
    }
    process.on('exit', () => console.log('made:' + made))
    ${code}`
  expect(run('--input-type=module', '-e', count)).toMatch(/^made:0$/m)
})

const typeFiles = files.filter((file) => /^types\/.*\.d\.ts$/.test(file))
const docstrings = (name: string) => [
  ...textOf(name).matchAll(/^.*\/\*\*(?:[^*]|\*(?!\/))*\*\/.*$/gm),
]

test.each(typeFiles)('editors find every docstring of %s: it is on separate lines', (name) => {
  const found = docstrings(name).map(([lines]) => lines.trim())
  expect(found.length).toBeGreaterThan(0)
  expect(found.filter((lines) => !lines.startsWith('/**') || !lines.endsWith('*/'))).toEqual([])
})

test.each(typeFiles)('no word of a docstring of %s is a tag by mistake', (name) => {
  const tags = docstrings(name).flatMap(([lines]) => lines.match(/(?<=\s)@\w+/g) ?? [])
  expect(
    tags.filter((tag) => !['@deprecated', '@example', '@note', '@param', '@throws'].includes(tag)),
  ).toEqual([])
})
