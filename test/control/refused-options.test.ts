import { expect } from 'vitest'
import { testControl } from '../support/control.ts'

testControl('a refused option is named by its place, and what is active stays', async ({ control, greenhouse }) => {
  greenhouse.world().use('flaky')
  const { status, body } = await control('PUT', '/worlds/default/scenarios', {
    active: ['flaky', { name: 'slow', ms: '1.5s' }],
  })
  expect(status).toBe(400)
  expect(body.error).toEqual({
    code: 'invalid_request',
    message: 'Failed to use "slow": the option "ms" takes a whole number of milliseconds, 0 or more; "1.5s" was given.',
    errors: [
      { path: '/active/1/ms', message: 'it takes a whole number of milliseconds, 0 or more; "1.5s" was given.' },
    ],
  })
  expect(greenhouse.world().scenarios).toEqual(['flaky'])
})

testControl('so is one that an effect cannot take, and one that there is not', async ({ control }) => {
  const put = async (choice: object) =>
    (await control('PUT', '/worlds/default/scenarios', { active: [choice] })).body.error.errors
  expect(await put({ name: 'slow', on: 'plnts.list' })).toEqual([
    { path: '/active/0/on', message: expect.stringMatching(/^it can't be "plnts.list": .*Did you mean/) },
  ])
  const message = 'there is no account "acct_por". Did you mean "acct_pro"?'
  expect(await put({ name: 'purchase-declined', account: 'acct_por' })).toEqual([
    { path: '/active/0/account', message: `it can't be "acct_por": ${message}` },
  ])
  expect(await put({ respond: [{ status: 500, where: { account: 'acct_por' } }] })).toEqual([
    { path: '/active/0/respond/0/where/account', message },
  ])
  expect(await put({ name: 'slow', sm: 1 })).toEqual([
    { path: '/active/0/sm', message: 'there is no such option, only ms, on.' },
  ])
})
