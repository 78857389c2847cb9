import { expect } from 'vitest'
import { toFingerprint } from '../../src/core/secrets/secret-finder.ts'
import { testControl, expectControlError, stateOf } from '../support/control.ts'

const path = '/worlds/default/records'

testControl('keeps integers of 64 bits exact, in and out', async ({ control, call, greenhouse }) => {
  const ids = ['9007199254740993', '-9223372036854775808', '9223372036854775807', '1']
  const text = `[${ids.map((id) => `{"id":${id},"name":"n","account":"acct_pro"}`).join(',')}]`
  expect(await control('PUT', `${path}/plants`, `{"data":${text}}`)).toMatchObject({
    status: 200,
    text: `{"data":${text}}`,
  })
  expect((await control('GET', `${path}/plants`)).text).toBe(`{"data":${text}}`)
  expect(
    greenhouse
      .world('default')
      .records.plants.all()
      .map(({ id }) => String(id)),
  ).toEqual(ids)
  expect(await (await call('/plants')).text()).not.toContain('9007199254740992')
  expect((await control('PUT', `${path}/plants`, text)).status).toBe(200)
})

testControl('gives back every collection as it was read', async ({ control, greenhouse }) => {
  const before = stateOf(greenhouse)
  for (const collection of ['accounts', 'keys', 'plants', 'apps']) {
    const { text } = await control('GET', `${path}/${collection}`)
    expect(await control('PUT', `${path}/${collection}`, text)).toMatchObject({ status: 200, text })
  }
  expect(stateOf(greenhouse)).toEqual(before)
})

testControl('shows keys as fingerprints only', async ({ control, greenhouse }) => {
  const secrets = greenhouse
    .world('default')
    .records.keys.all()
    .map(({ secret }) => secret)
  const { text, body } = await control('GET', `${path}/keys`)
  for (const secret of secrets) expect(text).not.toContain(`"${secret}"`)
  expect(body.data.map(({ secret }: { secret: string }) => secret)).toEqual(secrets.map(toFingerprint))
})

testControl('takes apps also as fixture files write them', async ({ control, greenhouse }) => {
  const apps = [{ id: 'app_1', account: 'acct_pro', name: 'one', created_at: '2026-01-01T00:00:00Z' }]
  expect((await control('PUT', `${path}/apps`, { data: apps })).status).toBe(200)
  const at = Date.parse('2026-01-01T00:00:00Z')
  expect(greenhouse.world('default').records.apps.all()).toEqual([
    { id: 'app_1', account: 'acct_pro', name: 'one', created_at: at, updated_at: at },
  ])
})

testControl(
  'shows the secrets of webhooks as fingerprints, and takes these back for them',
  async ({ control, call, greenhouse }) => {
    const made = (await (
      await call('/v1/webhooks', {
        method: 'POST',
        body: JSON.stringify({ url: 'http://127.0.0.1:9/hook?token=Zq7marker0aBcDeF' }),
      })
    ).json()) as { id: string; secret: string }
    const { secret } = (await (await call(`/v1/webhooks/${made.id}/rotate-secret`, { method: 'POST' })).json()) as {
      secret: string
    }
    const before = stateOf(greenhouse)
    const { body, text } = await control('GET', `${path}/webhooks`)
    expect(text).not.toMatch(/whsec_|Zq7marker/)
    expect(body.data.find(({ id }: { id: string }) => id === made.id)).toMatchObject({
      secret: toFingerprint(secret),
      former_secrets: [{ secret: toFingerprint(made.secret) }],
      url: expect.stringMatching(/\?token=fp_/),
    })
    expect(await control('PUT', `${path}/webhooks`, text)).toMatchObject({ status: 200, body })
    expect({ ...greenhouse.world().records.webhooks.get(made.id) }).toMatchObject({
      secret,
      former_secrets: [{ secret: made.secret }],
      url: expect.stringContaining('Zq7marker'),
    })
    expect(stateOf(greenhouse)).toMatchObject(before as object[])
    const unknown = [{ ...body.data[0], secret: 'fp_000000000000' }]
    expectControlError(
      await control('PUT', `${path}/webhooks`, { data: unknown }),
      400,
      'invalid_request',
      /no secret with the fingerprint fp_000000000000/,
    )
  },
)

testControl('shows a key of any length as a fingerprint', async ({ control, greenhouse }) => {
  await greenhouse.world().records.keys.create({ secret: 'k', account: 'acct_pro' })
  expect((await control('GET', `${path}/keys`)).body.data.at(-1).secret).toBe(toFingerprint('k'))
})
