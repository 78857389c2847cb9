import { expect } from 'vitest'
import { testControl, expectControlError } from '../../support/control.ts'

const path = '/worlds/checkout/scenarios'

testControl(
  'the control API takes inline scenarios and gives them back as it takes them',
  async ({ control, call }) => {
    const active = [
      { respond: [{ on: 'apps.list', status: 500 }] },
      'flaky',
      { title: 'Apps are slow', fault: [{ kind: 'delay', on: 'apps.*', fixed: 5 }] },
    ]
    const { status, body } = await control('PUT', path, { active })
    expect(status).toBe(200)
    expect(body.active).toMatchObject([{ title: 'inline-1', ...(active[0] as object) }, { name: 'flaky' }, active[2]])
    expect((await control('GET', path)).body).toEqual(body)
    expect((await control('GET', '/worlds/checkout')).body.scenarios).toEqual([
      'inline-1',
      'flaky',
      'inline-apps-are-slow',
    ])
    const reply = await call('/~checkout/v1/apps')
    expect(reply.headers.get('x-greenhouse')).toBe(
      'world=checkout; operation=apps.list; scenario=flaky,inline-apps-are-slow; idle=inline-1',
    )
    expect((await control('PUT', path, body)).body).toEqual(body)
    expect((await control('PUT', '/worlds/other', { scenarios: body.active })).body.scenarios).toEqual([
      'inline-1',
      'flaky',
      'inline-apps-are-slow',
    ])
  },
)

testControl('large integers come as they went', async ({ control, call }) => {
  const text = '{"active":[{"title":"inline-1","respond":[{"status":200,"body":{"id":9007199254740993}}]}]}'
  expect((await control('PUT', path, text)).text).toBe(text)
  expect(await (await call('/~checkout/plants')).text()).toBe('{"id":9007199254740993}')
})

testControl('a mistake is told with its place in the body, and nothing changed', async ({ control, greenhouse }) => {
  const active = [
    'slow',
    {
      respond: [
        { on: 'apps.list', status: 500 },
        { on: ['apps.lst'], status: 500 },
      ],
    },
  ]
  const reply = await control('PUT', path, { active })
  const message = 'no operation is called "apps.lst". Did you mean "apps.list"?'
  expect([reply.status, reply.body.error]).toEqual([
    400,
    {
      code: 'invalid_request',
      message: `Failed to use an inline scenario: respond[1].on[0]: ${message}`,
      errors: [{ path: '/active/1/respond/1/on/0', message }],
    },
  ])
  expect(greenhouse.hasWorld('checkout')).toBe(false)
  expect((await control('PUT', path, { active: [{ repond: [] }] })).body.error).toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(/repond: there is no such field.*Did you mean "respond"\?/),
    errors: [{ path: '/active/0/repond' }],
  })
  expectControlError(await control('PUT', path, { active: [{}] }), 400, 'invalid_request', /or an inline scenario/)
  expectControlError(await control('PUT', path, { active: [5] }), 400, 'invalid_request', /or an inline scenario/)
  expectControlError(
    await control('PUT', '/worlds/checkout', { scenarios: [{ repond: [] }] }),
    400,
    'invalid_request',
    /Did you mean "respond"\?/,
  )
})

testControl('the journal names it, and is asked for what it changed', async ({ control, call, greenhouse }) => {
  await call('/plants')
  greenhouse.world().use({ title: 'no plants', respond: [{ on: 'plants.list', status: 200, body: [] }] })
  await call('/plants')
  await call('/v1/apps')
  const journal = '/worlds/default/journal'
  const [entry] = (await control('GET', `${journal}?scenario=inline-no-plants`)).body.data
  expect(entry).toMatchObject({
    id: 2,
    scenarios: ['inline-no-plants'],
    reason: 'scenario inline-no-plants answered instead',
    verdicts: [{ scenario: 'inline-no-plants', effect: 'respond.0', fired: true }],
  })
  greenhouse.world().clear()
  expect((await control('GET', `${journal}?scenario=inline-no-plants`)).body.data).toHaveLength(1)
  expectControlError(
    await control('GET', `${journal}?scenario=inline-no-plans`),
    400,
    'invalid_request',
    /There is no scenario "inline-no-plans".*Did you mean "inline-no-plants"\?/,
  )
})
