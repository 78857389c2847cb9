import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../package/packed.ts'

export interface Block {
  readonly file: string
  readonly line: number
  readonly language: string
  /** The text after the language: `file=src/x.ts`, or `not-run: why`. */
  readonly note: string
  readonly text: string
}

const foldersOf = (folder: string) =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => `${folder}/${name}`)

const documents = [
  'README.md',
  'bench/README.md',
  'scenarios/README.md',
  ...['docs', ...foldersOf('docs')].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
]

export const blocks: readonly Block[] = documents.flatMap((file) => {
  const found: Block[] = []
  let open:
    | { line: number; indent: number; language: string; note: string; lines: string[] }
    | undefined
  readFileSync(join(root, file), 'utf8')
    .split('\n')
    .forEach((text, index) => {
      const [, indent, info] = /^( *)```(.*)$/.exec(text) ?? []
      if (open === undefined && indent !== undefined) {
        const [language = '', ...note] = info!.trim().split(' ')
        open = { line: index + 1, indent: indent.length, language, note: note.join(' '), lines: [] }
      } else if (open !== undefined && info === '') {
        const { line, language, note, lines } = open
        found.push({ file, line, language, note, text: lines.join('\n') + '\n' })
        open = undefined
      } else open?.lines.push(text.slice(open.indent))
    })
  if (open) throw new Error(`${file}:${open.line}: the block is not closed.`)
  return found
})

export function placeOf({ file, line, language }: Block): string {
  return `${file}:${line} (${language})`
}
