import { expect } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse } from 'greenhouse-mock'
import { control, testControl } from '../support/control.ts'
import { readEvents } from '../support/events.ts'

const journal = '/worlds/default/journal'

async function serverOf(server: { readonly url: string }): Promise<string> {
  const stream = await readEvents(server)
  const { data } = await stream.until(({ type }) => type === 'gap')
  stream.close()
  return data.server
}

testControl('each server is another one, in its events and in its journals', async (first) => {
  const name = await serverOf(first.server)
  expect(await serverOf(first.server)).toBe(name)
  const { body } = await first.control('GET', journal)
  expect(body.journal.startsWith(`${name}.`)).toBe(true)
  await using again = await serve(createGreenhouse())
  expect(await serverOf(again)).not.toBe(name)
  expect((await control(again, 'GET', journal)).body.journal).not.toBe(body.journal)
})

testControl('a journal stays the same while its ids go on, and is another one where they begin anew', async (open) => {
  const read = async () => (await open.control('GET', journal)).body.journal
  const first = await read()
  await open.call('/plants')
  await open.control('DELETE', journal)
  expect(await read()).toBe(first)
  await open.control('PUT', '/worlds/default/snapshots/a')
  await open.control('POST', '/worlds/default/snapshots/a/restore')
  expect(await read()).toBe(first)
  await open.control('POST', '/worlds/default/reset')
  expect(await read()).not.toBe(first)
})
