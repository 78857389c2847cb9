import { expect, test } from 'vitest'
import { logRequests } from '../../src/cli/output/request-log.ts'
import { createGreenhouse } from '../../src/index.ts'

/** Whether the log of a request has colours. */
async function hasColours(isTTY: boolean, env: Record<string, string>): Promise<boolean> {
  const greenhouse = createGreenhouse()
  let text = ''
  const end = logRequests(
    greenhouse,
    'pretty',
    { isTTY, writableLength: 0, write: (more: string) => (text += more) } as never,
    env,
  )
  await greenhouse.fetch(new Request('http://x/plants'))
  end()
  expect(text).toContain('401')
  return text.includes('\x1b[')
}

test('the log is coloured in a terminal, unless NO_COLOR or TERM=dumb; FORCE_COLOR overrides', async () => {
  expect(await hasColours(true, {})).toBe(true)
  expect(await hasColours(false, {})).toBe(false)
  expect(await hasColours(true, { NO_COLOR: '1' })).toBe(false)
  expect(await hasColours(true, { NO_COLOR: '' })).toBe(true)
  expect(await hasColours(true, { TERM: 'dumb' })).toBe(false)
  expect(await hasColours(false, { FORCE_COLOR: '1' })).toBe(true)
  expect(await hasColours(false, { FORCE_COLOR: '', NO_COLOR: '1' })).toBe(true)
  expect(await hasColours(true, { FORCE_COLOR: '0' })).toBe(false)
})

test("times in the log are those of the machine, and never jump with a world's clock", async () => {
  const greenhouse = createGreenhouse({ now: '2040-01-01T00:00:00Z' })
  const lines: any[] = []
  const end = logRequests(
    greenhouse,
    'json',
    {
      writableLength: 0,
      write: (text: string | Buffer) =>
        lines.push(
          ...String(text)
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line)),
        ),
    } as never,
    {},
  )
  const before = Date.now()
  await greenhouse.fetch(new Request('http://x/plants'))
  greenhouse.world().clock.set('2030-01-01T00:00:00Z')
  await greenhouse.fetch(new Request('http://x/plants'))
  end()
  expect(lines.map(({ at }) => at.slice(0, 4))).toEqual(['2040', '2030'])
  for (const { time } of lines) expect(Date.parse(time)).toBeGreaterThanOrEqual(before)
})
