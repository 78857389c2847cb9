import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'

/**
 * Every module outside the package that a built file needs, directly or through others, lazily or
 * not.
 */
export function importsOf(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return []
  seen.add(file)
  const found = specifiers(parseAst(readFileSync(file, 'utf8')))
  const outside = found.filter((specifier) => !specifier.startsWith('.'))
  const inside = found
    .filter((specifier) => specifier.startsWith('.'))
    .flatMap((specifier) => importsOf(join(dirname(file), specifier), seen))
  return [...new Set([...outside, ...inside])].sort()
}

export function exportsOf(file: string): string[] {
  const names: string[] = []
  visit(parseAst(readFileSync(file, 'utf8')), (node) => {
    if (node.type !== 'ExportNamedDeclaration') return
    for (const { exported } of node.specifiers as { exported: { name: string } }[])
      names.push(exported.name)
  })
  return names.sort()
}

type Node = { type: string } & Record<string, unknown>

function specifiers(program: unknown): string[] {
  const found: string[] = []
  visit(program, (node) => {
    const source = node['source'] as
      | (Node & { value?: string; quasis?: { value: { cooked: string } }[] })
      | null
      | undefined
    if (!/^(Import|Export)/.test(node.type) || !source) return
    const specifier =
      source.value ??
      (source.type === 'TemplateLiteral' && source.quasis!.length === 1
        ? source.quasis![0]!.value.cooked
        : undefined)
    found.push(specifier ?? '<computed>')
  })
  return found
}

function visit(value: unknown, see: (node: Node) => void): void {
  if (typeof value !== 'object' || value === null) return
  if (typeof (value as Node).type === 'string') see(value as Node)
  for (const item of Object.values(value)) visit(item, see)
}
