import { expect, test } from 'vitest'
import { createHandlers } from 'greenhouse-mock/msw'
import { createGreenhouse } from 'greenhouse-mock'
import { faulty } from './among.ts'

const kinds = [
  { kind: 'reset' },
  { kind: 'empty-reply' },
  { kind: 'garbage' },
  { kind: 'truncate', at: 3, content_length: 'lying' },
]
const request = () => new Request('http://greenhouse.test/plants', { headers: { authorization: 'Bearer key_pro' } })

for (const fault of kinds)
  test(`${fault.kind} takes a connection: where there is none it says so, and what to use`, async () => {
    const greenhouse = createGreenhouse(faulty(fault))
    greenhouse.world().use('it')
    await expect(greenhouse.fetch(request())).rejects.toThrow(`Failed to produce the fault "${fault.kind}`)
    await expect(greenhouse.fetch(request())).rejects.toThrow('Use serve().')
    expect(() => createHandlers(greenhouse)).toThrow(RangeError)
    greenhouse.world().clear()
    createHandlers(greenhouse)
    expect(() => greenhouse.world().use('it')).toThrow(RangeError)
    expect((await greenhouse.fetch(request())).status).toBe(200)
  })

test('an honest truncation takes none', async () => {
  const greenhouse = createGreenhouse(faulty({ kind: 'truncate', at: 3, content_length: 'honest' }))
  createHandlers(greenhouse)
  greenhouse.world().use('it')
  expect(await (await greenhouse.fetch(request())).text()).toBe('[{"')
})
