import { expect, test } from 'vitest'
import { run, startServe } from '../support/cli.ts'
import { startReceiver } from '../webhooks/receiver.ts'

test('trigger sends an event in a running server and prints which webhooks received it', async () => {
  const receiver = await startReceiver()
  const { ready, call, stop } = await startServe()
  const at = ['--server', ready.plants_url]
  expect(await run(['trigger', 'plant.created', ...at])).toMatchObject({
    code: 0,
    stdout:
      'plant.created: no enabled webhook subscribes to it in the world "default". Create one with POST /v1/webhooks.\n',
  })
  const made = await call('/v1/webhooks', {
    method: 'POST',
    body: JSON.stringify({ url: receiver.url, events: ['plant.created'] }),
  })
  expect(made.status).toBe(201)
  const { code, stdout } = await run([
    'trigger',
    'plant.created',
    '--data',
    '{"id":9007199254740993,"name":"Fern"}',
    ...at,
  ])
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(
      new RegExp(`^plant\\.created del_\\w{16} → ${receiver.url}: succeeded, 200 in [\\d.]+ ms\\n$`),
    ),
  ])
  expect(receiver.received.map(({ body }) => body)).toEqual([
    expect.stringContaining('"data":{"id":9007199254740993,"name":"Fern"}'),
  ])
  await stop()
})

test('trigger says what is wrong, with exit code 2', async () => {
  const { ready, stop } = await startServe()
  const at = ['--server', ready.plants_url]
  const failures: [args: string[], message: RegExp][] = [
    [['plant.creatd', ...at], /plant\.creatd.*Did you mean "plant\.created"/],
    [['plant.created', '--data', '{', ...at], /--data: /],
    [['plant.created', '--data', '[]', ...at], /--data: expected a JSON object/],
    [['plant.created', '--account', 'acct_nobody', ...at], /acct_nobody/],
  ]
  for (const [args, message] of failures)
    expect(await run(['trigger', ...args])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(message),
    })
  await stop()
})

test('a host is asked only where --webhook-allow names it', async () => {
  const receiver = await startReceiver()
  // Systems take it for this machine; for Greenhouse it is a host as any other.
  const url = receiver.url.replace('127.0.0.1', '0.0.0.0')
  const trigger = async (...flags: string[]) => {
    const { ready, call, stop } = await startServe(flags)
    const made = await call('/v1/webhooks', {
      method: 'POST',
      body: JSON.stringify({ url, events: ['plant.created'] }),
    })
    const { id } = (await made.json()) as { id: string }
    await run(['trigger', 'plant.created', '--server', ready.plants_url])
    const { data } = (await (await call(`/v1/webhooks/${id}/deliveries`)).json()) as {
      data: { attempts: { status: number | null; error: string | null }[] }[]
    }
    await stop()
    return data[0]!.attempts
  }
  expect(await trigger()).toMatchObject([
    { status: null, error: expect.stringMatching(/^Blocked: .*--webhook-allow 0\.0\.0\.0/) },
  ])
  expect(receiver.received).toHaveLength(0)
  expect(await trigger('--webhook-allow', '0.0.0.0')).toMatchObject([{ status: 200, error: null }])
  expect(receiver.received).toHaveLength(1)
})
