import { expect, test } from 'vitest'
import { cases } from '../coverage/cases/index.ts'
import { toSent } from '../coverage/ways.ts'
import type { Sent } from '../malformations/requests.ts'
import { soaks } from '../support/soak.ts'
import type { Client as Caller } from '../support/test-api.ts'
import { compareWorlds, controlAll, sendToAll } from './all-builds.ts'
import { openBuilds } from './all-builds.ts'
import type { Asked } from './client.ts'
import { createRemoteWorld } from './all-builds.ts'

/** Every success, and of the refusals every third, since most are declared alike. At full size, all ways to each status. */
const chosen = Object.entries(cases)
  .flatMap(([operation, ways]) =>
    Object.entries(ways).flatMap(([status, asked]) =>
      (soaks ? asked : asked.slice(0, 1)).map(([what, ask]) => ({ operation, status, what, ask })),
    ),
  )
  .filter(({ status }, index) => soaks || status.startsWith('2') || index % 3 === 0)

test('CommonJS and the command answer every operation with its statuses as the source does', async () => {
  const { builds, world: source, close } = await openBuilds()
  const astray: string[] = []
  try {
    const { world, flush } = createRemoteWorld(builds, source)
    const call = async (...sent: Sent) => {
      await flush()
      const { head, body } = await sendToAll(builds, toAsked(sent))
      return { status: Number(head.slice(9, 12)), text: body, body: body === '' ? undefined : JSON.parse(body) }
    }
    for (const { operation, status, what, ask } of chosen) {
      await controlAll(builds, 'POST', '/reset')
      const sent = await toSent(ask, call as unknown as Caller['call'], world)
      await flush()
      const { head, body } = await sendToAll(builds, toAsked(sent))
      if (head.slice(9, 12) !== status) astray.push(`${operation} ${status}, ${what}: ${head.slice(0, 30)} ${body}`)
      await controlAll(builds, 'GET', '/journal')
    }
    await compareWorlds(builds)
  } finally {
    await close()
  }
  expect(astray).toEqual([])
})

function toAsked([method, target, { key = 'key_pro', body, headers = {} } = {}]: Sent): Asked {
  const typed = body === undefined ? {} : { 'content-type': 'application/json' }
  const authorized = key === null ? {} : { authorization: `Bearer ${key}` }
  return {
    method,
    target,
    headers: Object.entries({ ...authorized, ...typed, ...headers }),
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  }
}
