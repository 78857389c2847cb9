import { constants } from 'node:os'
import { expect, test } from 'vitest'
import { startServe } from '../support/cli.ts'
import { startServeProcess } from '../support/process.ts'
import { writeFolder } from '../support/folder.ts'
import { lacks } from '../support/lacks.ts'
import { openAll, openSocket, toGet as get } from '../support/socket.ts'
import { startReceiver } from '../webhooks/receiver.ts'

const unix = test.skipIf(lacks.signals)

type Running = Pick<
  Awaited<ReturnType<typeof startServe>>,
  'ready' | 'call' | 'kill' | 'stop' | 'ended'
>

/** Held back for ten minutes: an end that waited for it would not come in time. */
const slow = get('/plants', 'X-Greenhouse-Scenario: very-slow:ms=600000')

/** 9,500, or as many as the machine lets a process have. */
const openFiles = Number((process.report.getReport() as any).userLimits?.open_files?.soft) || 10_000
const mostSockets = Math.min(9_500, openFiles - 400)

const many = 'with 9,500 silent clients'

const loads: Record<string, (running: Running) => Promise<unknown>> = {
  'with receivers that never answer and events that wait for them': hang,
  'with replies that are held back, some of them on one connection': (running) =>
    openAll(portOf(running), 3, slow + slow),
  [many]: (running) => openAll(portOf(running), mostSockets, ''),
}

unix.each(Object.entries(loads))(
  'a server %s stops with exit code 0',
  async (state, load) => {
    // A process has descriptors for one end of so many connections.
    const running: Running = state === many ? await startServeProcess() : await startServe()
    await load(running)
    await running.call('/plants')
    expect(await running.stop()).toMatchObject({ code: 0, signal: null, stderr: '' })
  },
  120_000,
)

test('a handler that never answers or keeps timers does not stop the server from closing', async () => {
  const folder = writeFolder({
    'handlers.mjs': `
      import { http } from '${import.meta.resolve('msw')}'
      setInterval(() => {}, 1_000)
      export const handlers = [http.get('*/plants', () => new Promise((resolve) => setTimeout(resolve, 600_000)))]`,
  })
  const running = await startServeProcess(['--handlers', `${folder}/handlers.mjs`])
  await openAll(portOf(running), 2, get('/plants'))
  await running.call('/v1/apps')
  expect(await running.stop()).toMatchObject({ code: 0, signal: null, stderr: '' })
})

const signals = ['SIGTERM', 'SIGINT'] as const

for (const [first, second] of signals.flatMap((first) =>
  signals.map((second) => [first, second] as const),
))
  unix(`${second} after ${first} ends the server at once`, async () => {
    const running: Running =
      first === 'SIGTERM' && second === 'SIGINT' ? await startServeProcess() : await startServe()
    await openAll(portOf(running), 1, slow)
    const asked = async () =>
      (
        (await (await running.call('/__greenhouse/worlds/default/journal')).json()) as {
          data: unknown[]
        }
      ).data.length
    await expect.poll(asked).toBe(1)
    running.kill(first)
    // The first signal has arrived when no connection is accepted.
    const connects = () =>
      openSocket(portOf(running)).then(
        (socket) => socket.destroy(),
        () => undefined,
      )
    while (await connects()) await new Promise((resolve) => setImmediate(resolve))
    running.kill(second)
    expect(await running.ended).toMatchObject({ code: 128 + constants.signals[second], stderr: '' })
  })

function portOf({ ready }: Running): number {
  return Number(new URL(ready.plants_url).port)
}

async function hang({ call }: Running): Promise<void> {
  const receiver = await startReceiver(() => 'never')
  for (let hook = 0; hook < 4; hook++)
    await call('/v1/webhooks', {
      method: 'POST',
      body: JSON.stringify({ url: `${receiver.url}?${hook}` }),
    })
  for (let id = 9_000; id < 9_020; id++)
    await call('/plants', { method: 'POST', body: JSON.stringify({ id, name: 'Fern' }) })
  await expect.poll(() => receiver.received.length).toBe(4)
}
