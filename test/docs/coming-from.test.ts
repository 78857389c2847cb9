import { expect, test } from 'vitest'
import { createGreenhouse, type World } from 'greenhouse-mock'
import { greenhouseMatchers } from 'greenhouse-mock/matchers'
import { controlActions } from '../../src/control/actions/index.ts'
import { run } from '../support/cli.ts'
import { readPage } from './table.ts'

expect.extend(greenhouseMatchers)

/** What stands as code in the second column of the page's tables. */
const ours = readPage('coming-from.md')
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .flatMap((line) => {
    const [, , cell = ''] = line.split(/(?<!\\)\|/)
    return Array.from(cell.matchAll(/`([^`]+)`/g), ([, code]) => code!)
  })
const thatMatch = (pattern: RegExp) => [...new Set(ours.filter((code) => pattern.test(code)))]

const AsyncFunction = (async () => undefined).constructor as new (
  ...text: string[]
) => (world: World, check: typeof expect) => Promise<unknown>

/** A world that has received what the page's assertions name. */
async function createUsedWorld(): Promise<World> {
  const greenhouse = createGreenhouse()
  const headers = { authorization: 'Bearer key_pro', 'content-type': 'application/json' }
  const ask = (path: string, init = {}) =>
    greenhouse.fetch(`http://any${path}`, { headers, ...init })
  await ask('/plants')
  await ask('/v1/apps')
  await ask('/v1/apps')
  await ask('/plants', { method: 'POST', body: '{"id":77,"name":"Ficus"}' })
  return greenhouse.world()
}

test.each(thatMatch(/^(await )?(world\.\w+[.(]|expect\()/))(
  '%s works as it stands',
  async (code) => {
    await new AsyncFunction('world', 'expect', code)(await createUsedWorld(), expect)
  },
)

test.each(thatMatch(/^[a-z-]+:\w+=\w+$/))('%s is a scenario with its option', (text) => {
  createGreenhouse()
    .world()
    .use(text as 'slow:ms=1')
})

test.each(thatMatch(/^(npx greenhouse-mock|proxy|serve|--)/))(
  '%s has a command and flags that exist',
  async (text) => {
    const words = text.replace('npx greenhouse-mock ', '').split(' -- ')[0]!.split(' ')
    const command = words[0]!.startsWith('--') ? 'serve' : words[0]!
    const { stdout } = await run([command, '--help'])
    for (const flag of words.filter((word) => word.startsWith('--')))
      expect(stdout).toMatch(new RegExp(`${flag}(?![\\w-])`))
    expect(stdout).toContain(`greenhouse-mock ${command}`)
  },
)

test.each(thatMatch(/^(GET|POST|PUT) /))('%s is a route of the control API', (text) => {
  const path = text.replace('/__greenhouse', '').replace('…', '/worlds/default')
  const patterns = controlActions.map(
    (action) => new RegExp(`^${`${action.method} ${action.path}`.replace(/\{\w+\}/g, '[^/]+')}$`),
  )
  expect(patterns.some((pattern) => pattern.test(path))).toBe(true)
})

test('each tool that the page names has ten tasks', () => {
  const sections = readPage('coming-from.md').split('\n## ').slice(1)
  const rowsOf = (section: string) => section.match(/^\| (?!---)/gm)!.length - 1
  expect(sections.map(rowsOf)).toEqual(Array.from({ length: 9 }, () => 10))
})
