import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { serve } from 'greenhouse-mock/server'
import { listPages } from '../../docs/.vitepress/sidebar.ts'
import { connectOverHttp } from '../support/mcp.ts'
import { createCaller, start } from '../support/test-api.ts'
import { root } from '../package/packed.ts'
import { readPage } from './table.ts'

const page = readPage('ai-agents.md')

/** The dialogues: the sections with calls of tools. */
const dialogues = page
  .split(/^## /m)
  .map((section) => ({
    title: section.split('\n', 1)[0]!,
    lines: [...section.matchAll(/^```text\n(.*?)^```/gms)].flatMap(([, text]) =>
      text!.trimEnd().split('\n'),
    ),
  }))
  .filter(({ lines }) => lines.length > 0)

test.each(dialogues)('docs/ai-agents.md: $title', async ({ lines }) => {
  const greenhouse = createGreenhouse({ now: start, frozen: true })
  await using server = await serve(greenhouse)
  const { use } = await connectOverHttp(server.url)
  const call = createCaller((path, init) => fetch(server.url + path, init))
  let answer: unknown
  let checked = 0
  for (const line of lines) {
    const [, method, path, body] = /^(GET|POST) (\S+)(?: (.*))?$/.exec(line) ?? []
    const [, tool, given] = /^([a-z_]+) (\{.*\})$/.exec(line) ?? []
    if (method) await call(method, path!, body === undefined ? {} : { body: JSON.parse(body) })
    else if (tool) answer = await use(tool, JSON.parse(given!))
    else {
      const expected = line.replace(/^→ /, '').replaceAll('http://127.0.0.1:4010', server.url)
      expect(answer, line).toMatchObject(JSON.parse(expected))
      checked++
    }
  }
  expect(checked).toBeGreaterThan(1)
})

test('docs/ai-agents.md has three dialogues, and names every tool', async () => {
  await using server = await serve(createGreenhouse())
  const { client } = await connectOverHttp(server.url)
  const { tools } = await client.listTools()
  expect(dialogues).toHaveLength(3)
  const [, table = ''] = page.split('## The tools')
  for (const { name } of tools) expect(table).toContain(`\`${name}\``)
})

test('the prompt of MCP and llms.txt lead to the same pages for a bug', async () => {
  await using server = await serve(createGreenhouse())
  const { client } = await connectOverHttp(server.url)
  const given = { name: 'reproduce_bug', arguments: { report: 'The page is empty' } }
  const { messages } = await client.getPrompt(given)
  const { text } = messages[0]!.content as { text: string }
  const led = Array.from(text.matchAll(/greenhouse:\/\/([\w-]+)/g), ([, name]) => name)
  const [, aboutBugs = ''] = /^To reproduce a bug:(.*)$/m.exec(readPage('public/llms.txt')) ?? []
  expect(led.length).toBeGreaterThan(3)
  expect(Array.from(aboutBugs.matchAll(/\]\(\/([^)]*)\)/g), ([, name]) => name)).toEqual(led)
  for (const name of led) {
    const { contents } = await client.readResource({ uri: `greenhouse://${name}` })
    expect((contents[0] as { text: string }).text).toBe(readPage(`${name}.md`))
  }
})

test('llms.txt links only pages that exist', () => {
  const links = [...readPage('public/llms.txt').matchAll(/\]\(\/([^)]*)\)/g)].map(
    ([, link]) => link!,
  )
  expect(links.length).toBeGreaterThan(15)
  const built = readdirSync(join(root, 'dist/docs')).map(
    (file) => `reference/${file.replace('.md', '')}`,
  )
  expect(links.filter((link) => ![...listPages(), ...built].includes(link))).toEqual([])
})
