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

served(
  'who is turned away is told to allow its origin, where that is one that can be allowed',
  async ({ exchange }) => {
    for (const [origin, allowed] of [
      ['https://attacker.example', 'https://attacker.example'],
      ['HTTP://attacker.example:81', 'HTTP://attacker.example:81'],
      ['https://' + 'x'.repeat(100), 'https://' + 'x'.repeat(100)],
      ['https://' + 'x'.repeat(101), 'ORIGIN'],
      ['not-https://attacker.example', 'ORIGIN'],
      ['https://attacker.example/$(ls)', 'ORIGIN'],
      ['null', 'ORIGIN'],
    ] as const) {
      const [reply] = await exchange(page(origin))
      expect(told(JSON.parse(reply!.text).message), origin).toEqual([allowed, allowed])
    }
  },
)

served('who asks for a foreign host is told to allow it, where it can be typed as it is', async ({ exchange }) => {
  for (const [name, allowed] of [
    ['attacker.example', 'attacker.example'],
    ['under_score-1.test:4010', 'under_score-1.test'],
    ['x'.repeat(100), 'x'.repeat(100)],
    ['x'.repeat(101), 'NAME'],
    ['$(ls).example', 'NAME'],
    ['attacker.example;', 'NAME'],
    ['a,b', 'NAME'],
  ] as const) {
    const [reply] = await exchange(host(name))
    expect(told(JSON.parse(reply!.text).message), name).toEqual([allowed, allowed])
  }
})
