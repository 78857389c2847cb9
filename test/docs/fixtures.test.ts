import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { collections } from '../../src/api/assembly/catalogue.ts'
import { createGreenhouse } from 'greenhouse-mock'
import { loadFixtures } from 'greenhouse-mock/node'
import { writeFolder } from '../support/folder.ts'

const shown = /```yaml\n(.*?)```/s.exec(readFileSync(new URL('../../docs/fixtures.md', import.meta.url), 'utf8'))![1]!

test('the fixtures in docs/fixtures.md load, and have every collection that files can fill', async () => {
  const fixtures = loadFixtures(writeFolder({ 'shown.yaml': shown }))
  expect(Object.keys(fixtures)).toEqual(
    expect.arrayContaining(collections.map(({ name }) => name).filter((name) => name !== 'deliveries')),
  )
  const greenhouse = createGreenhouse({ fixtures })
  const reply = await greenhouse.fetch(
    new Request('http://any/v1/apps/app_one/conversations/conv_one/messages', {
      headers: { authorization: 'Bearer key_me' },
    }),
  )
  expect((await reply.json()).data.map(({ content }: { content: string }) => content)).toEqual(['Hi!', 'Hello'])
})
