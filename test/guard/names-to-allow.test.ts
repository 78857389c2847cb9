import { expect } from 'vitest'
import { key, served } from '../support/socket.ts'

const page = (origin: string) =>
  `GET /plants HTTP/1.1\r\nHost: localhost\r\nOrigin: ${origin}\r\n${key}\r\nConnection: close\r\n\r\n`
const host = (name: string) => `GET /plants HTTP/1.1\r\nHost: ${name}\r\n${key}\r\nConnection: close\r\n\r\n`

/** The flags and the code that a message suggests. */
const told = (text: string) => [
  /--(?:cors|allow-host) (.+?)(?:, or|$)/.exec(text)?.[1],
  /(?:cors|allowHosts): \['(.+?)'\]/.exec(text)?.[1],
]

served('a refusal names what to allow, if that can be typed as it is', async ({ exchange }) => {
  for (const [ask, name, allowed] of [
    [page, 'https://attacker.example', 'https://attacker.example'],
    [page, 'HTTP://attacker.example:81', 'HTTP://attacker.example:81'],
    [page, 'https://' + 'x'.repeat(100), 'https://' + 'x'.repeat(100)],
    [page, 'https://' + 'x'.repeat(101), 'ORIGIN'],
    [page, 'not-https://attacker.example', 'ORIGIN'],
    [page, 'https://attacker.example/$(ls)', 'ORIGIN'],
    [page, 'null', 'ORIGIN'],
    [host, 'attacker.example', 'attacker.example'],
    [host, 'under_score-1.test:4010', 'under_score-1.test'],
    [host, 'x'.repeat(100), 'x'.repeat(100)],
    [host, 'x'.repeat(101), 'NAME'],
    [host, '$(ls).example', 'NAME'],
    [host, 'attacker.example;', 'NAME'],
    [host, 'a,b', 'NAME'],
  ] as const) {
    const [reply] = await exchange(ask(name))
    expect(told(JSON.parse(reply!.text).message), name).toEqual([allowed, allowed])
  }
})
