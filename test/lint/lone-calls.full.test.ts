import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { parseAst } from 'rolldown/parseAst'
import { expect, test } from 'vitest'
import { isOnlyForItsValue, loneCalls } from '../../build/lone-calls.mjs'
import { root } from '../package/packed.ts'
import { writeFolder } from '../support/folder.ts'

const source = join(root, 'src')

/** Calls for their throw alone, each in a function of its own. */
const lone = [
  'decodeURIComponent(text)',
  'new URL(text)',
  'new RegExp(text)',
  'BigInt(text)',
  'JSON.parse(text)',
  'structuredClone(text)',
  'atob(text)',
  "new Intl.DateTimeFormat('en', { timeZone: text })",
  'globalThis.decodeURI(text)',
  'void new URL(text)',
  'void (new URL(text) as unknown)',
  'text && decodeURI(text)',
  'text ? new URL(text) : other()',
  'const _url = new URL(text)',
  'return (decodeURI(text), true)',
]

test.each(lone)('it is wrong to call for its throw alone: %s', (statement) => {
  const body = `try {\n    ${statement}\n    return true\n  } catch {\n    return false\n  }`
  const text = `export function isUrl(text: string, other: () => void) {\n  ${body}\n}\n`
  const message =
    /^src\/core\/http\/is-url\.ts:3: nobody uses what [\w.]+ gives, so the bundler may drop the call, and its throw\. Return it, and compare: /
  expect(loneCalls(writeFolder({ 'core/http/is-url.ts': text }))).toEqual([expect.stringMatching(message)])
})

test('a call whose value is used, of what does something, or of the module itself is not', () => {
  const folder = writeFolder({
    'cli/used.ts': `
      import { atob } from './atob.ts'
      const escape = (text: string) => console.log(text)
      export const toUrl = (text: string) => new URL(text)
      export const run = (text: string) => {
        atob(text)
        escape(text)
        setTimeout(run, Number(text))
        Object.assign(globalThis, JSON.parse(text))
        new Set([text]).forEach(run)
        void Promise.resolve(String(text))
        const { length: _ } = new URL(text).href
        return decodeURI(text)
      }`,
  })
  expect(loneCalls(folder)).toEqual([])
})

test('the project calls nothing for its throw alone', () => {
  expect(loneCalls(source)).toEqual([])
})

test('what the bundler drops is known: a call of each global, in a try', async () => {
  const names = Object.getOwnPropertyNames(globalThis).flatMap((name) => {
    const value = (globalThis as Record<string, unknown>)[name]
    if (name.startsWith('global') || value === null || !/^(function|object)$/.test(typeof value)) return []
    const own = Object.getOwnPropertyNames(value).filter(
      (key) => /^[a-z]\w*$/i.test(key) && !/^(caller|arguments)$/.test(key),
    )
    return [name, ...own.map((key) => `${name}.${key}`)]
  })
  const calls = names.flatMap((name) => [`${name}(x)`, `new ${name}(x)`, `${name}()`, `new ${name}()`])
  // Without the call, the catch goes too.
  const toText = (call: string, number: number) =>
    `export const f${number} = (x) => { try { ${call} } catch { x('#${number}') } }`
  const [text] = await bundle({ calls: calls.map(toText).join('\n') })
  const kept = new Set(Array.from(text!.matchAll(/#(\d+)/g), ([, number]) => Number(number)))
  const lost = new Set(calls.filter((_, number) => !kept.has(number)).map((call) => /[\w.]+(?=\()/.exec(call)![0]))
  expect(lost).toContain('decodeURIComponent')
  expect([...lost].filter((name) => !isOnlyForItsValue(name))).toEqual([])
})

test('the bundler drops no call of the project', async () => {
  const paths = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) => /\.tsx?$/.test(path))
  const texts = Object.fromEntries(paths.map((path) => [join(source, path), readFileSync(join(source, path), 'utf8')]))
  const written = paths.flatMap((path) => callsIn(texts[join(source, path)]!, path.endsWith('x') ? 'tsx' : 'ts'))
  const left = count((await bundle(texts)).flatMap((text) => callsIn(text, 'js')))
  const lost = [...count(written)].filter(([name, times]) => times > (left.get(name) ?? 0))
  expect(lost).toEqual([])
})

/** Bundles these modules, each by itself, as the build does, and gives their texts. */
async function bundle(modules: Readonly<Record<string, string>>): Promise<string[]> {
  const build = await rolldown({
    input: Object.keys(modules),
    platform: 'node',
    external: (_id, importer) => importer !== undefined,
    plugins: [{ name: 'given', resolveId: (id) => (id in modules ? id : undefined), load: (id) => modules[id] }],
    logLevel: 'silent',
  })
  const { output } = await build.generate({ format: 'esm', minify: false })
  await build.close()
  return output.map((file) => (file.type === 'chunk' ? file.code : ''))
}

/** The last name of what each call in a text calls, `parse` of `JSON.parse(x)`, without functions of the module's own. */
function callsIn(text: string, lang: 'ts' | 'tsx' | 'js'): string[] {
  const names: string[] = []
  const own = new Set<string>()
  JSON.stringify(parseAst(text, { lang }), (_, node: any) => {
    if (/^Import\w*Specifier$/.test(node?.type)) own.add(node.local.name)
    if (/^(VariableDeclarator|FunctionDeclaration|ClassDeclaration)$/.test(node?.type)) own.add(node.id?.name)
    if (/^(CallExpression|NewExpression)$/.test(node?.type)) {
      const { name, property } = node.callee
      if (name ?? property?.name) names.push(name ?? `.${property.name}`)
    }
    return typeof node === 'bigint' ? String(node) : node
  })
  return names.filter((name) => !own.has(name))
}

function count(names: readonly string[]): Map<string, number> {
  const times = new Map<string, number>()
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1)
  return times
}
