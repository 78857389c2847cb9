import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { expectRefusal } from './refusal.ts'

const fifty = Array.from({ length: 50 }, (_, index) => index)

testApi('of 50 identical creations at once exactly one succeeds', async ({ call }) => {
  for (const id of ['1007', '9223372036854775807']) {
    const answers = await Promise.all(
      fifty.map((index) => call('POST', '/plants', { key: 'key_lite', body: `{"id":${id},"name":"${index}"}` })),
    )
    const created = answers.filter(({ status }) => status === 200)
    expect(created).toHaveLength(1)
    for (const answer of answers) if (answer !== created[0]) expectRefusal(answer, 400)
    expect((await call('GET', '/plants?limit=9', { key: 'key_lite' })).body).toContainEqual(created[0]!.body)
  }
  expect((await call('GET', '/plants', { key: 'key_lite' })).body).toHaveLength(2)
})

testApi('of 50 identical creations at once by two accounts exactly one succeeds', async ({ call }) => {
  const keys = ['key_lite', 'key_pro_plus']
  const answers = await Promise.all(
    fifty.map((index) => call('POST', '/plants', { key: keys[index % 2]!, body: { id: 1007, name: 'Ficus' } })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
})

testApi('of 50 identical deletions at once exactly one succeeds', async ({ call }) => {
  const answers = await Promise.all(fifty.map(() => call('DELETE', '/plants/101')))
  expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array<number>(49).fill(404)])
})

testApi('50 different creations at once all succeed', async ({ call }) => {
  const answers = await Promise.all(
    fifty.map((index) => call('POST', '/plants', { key: 'key_lite', body: { id: 1000 + index, name: `${index}` } })),
  )
  expect(answers.every(({ status }) => status === 200)).toBe(true)
  expect((await call('GET', '/plants', { key: 'key_lite' })).body).toHaveLength(50)
})
