import type { Greenhouse } from 'greenhouse-mock'
import { toInit } from '../support/test-api.ts'

export const path = '/__greenhouse/worlds/default/journal'
export const ask = (port: number, target: string) =>
  `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`

/** Sends a body that is rejected and fills an entry. */
export const fill = (greenhouse: Greenhouse, count: number) =>
  greenhouse.fetch(
    new Request(
      'http://x/plants',
      toInit('POST', { body: `{"name":"${String(count).padEnd(60_000, 'x')}` }),
    ),
  )
