import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { parseAst } from 'rolldown/parseAst'
import { expect, test } from 'vitest'
import { root } from '../package/packed.ts'

const source = join(root, 'src')

/**
 * The calls of modules that their bundle lacks: the bundler drops a call of a global whose value
 * nobody uses, and so its throw.
 */
async function lostIn(texts: Readonly<Record<string, string>>): Promise<string[]> {
  const written = Object.entries(texts).flatMap(([path, text]) =>
    callsIn(text, path.endsWith('x') ? 'tsx' : 'ts'),
  )
  const left = count((await bundle(texts)).flatMap((text) => callsIn(text, 'js')))
  return [...count(written)]
    .filter(([name, times]) => times > (left.get(name) ?? 0))
    .map(([name]) => name)
}

test.each([
  ['decodeURIComponent(text)', ['decodeURIComponent']],
  ['void decodeURI(text)', ['decodeURI']],
  ['return decodeURI(text)', []],
])('whether the bundler drops a call for its throw is seen: %s', async (statement, lost) => {
  const text = `export function isUrl(text: string) { try { ${statement} } catch { return false } return true }`
  expect(await lostIn({ '/is-url.ts': text })).toEqual(lost)
})

test('the bundler drops no call of the project', async () => {
  const paths = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.tsx?$/.test(path),
  )
  const texts = paths.map(
    (path) => [join(source, path), readFileSync(join(source, path), 'utf8')] as const,
  )
  expect(await lostIn(Object.fromEntries(texts))).toEqual([])
})

/** Bundles these modules, each by itself, as the build does, and gives their texts. */
async function bundle(modules: Readonly<Record<string, string>>): Promise<string[]> {
  const build = await rolldown({
    input: Object.keys(modules),
    platform: 'node',
    external: (_id, importer) => importer !== undefined,
    plugins: [
      {
        name: 'given',
        resolveId: (id) => (id in modules ? id : undefined),
        load: (id) => modules[id],
      },
    ],
    logLevel: 'silent',
  })
  const { output } = await build.generate({ format: 'esm', minify: false })
  await build.close()
  return output.map((file) => (file.type === 'chunk' ? file.code : ''))
}

/**
 * The last name of what each call in a text calls, `parse` of `JSON.parse(x)`, without functions of
 * the module's own.
 */
function callsIn(text: string, lang: 'ts' | 'tsx' | 'js'): string[] {
  const names: string[] = []
  const own = new Set<string>()
  JSON.stringify(parseAst(text, { lang }), (_, node: any) => {
    if (/^Import\w*Specifier$/.test(node?.type)) own.add(node.local.name)
    if (/^(VariableDeclarator|FunctionDeclaration|ClassDeclaration)$/.test(node?.type))
      own.add(node.id?.name)
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
