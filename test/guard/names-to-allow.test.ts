import { expect } from 'vitest'
import { key, served } from '../support/socket.ts'

/** The flags and the code that a message suggests. */
const told = (text: string) => [
  /--(?:cors|allow-host) (.+?)(?:, or|$)/.exec(text)?.[1],
  /(?:cors|allowHosts): \['(.+?)'\]/.exec(text)?.[1],
]

served('a refusal says what to allow, where it can be typed as it is', async ({ exchange }) => {
  const long = 'x'.repeat(100)
  for (const [header, allowed] of [
    ['Origin: https://attacker.example', 'https://attacker.example'],
    ['Origin: HTTP://attacker.example:81', 'HTTP://attacker.example:81'],
    [`Origin: https://${long}`, `https://${long}`],
    [`Origin: https://${long}x`, 'ORIGIN'],
    ['Origin: not-https://attacker.example', 'ORIGIN'],
    ['Origin: https://attacker.example/$(ls)', 'ORIGIN'],
    ['Origin: null', 'ORIGIN'],
    ['Host: attacker.example', 'attacker.example'],
    ['Host: under_score-1.test:4010', 'under_score-1.test'],
    [`Host: ${long}`, long],
    [`Host: ${long}x`, 'NAME'],
    ['Host: $(ls).example', 'NAME'],
    ['Host: attacker.example;', 'NAME'],
    ['Host: a,b', 'NAME'],
  ] as const) {
    const headers = header.startsWith('Host') ? [header] : ['Host: localhost', header]
    const [reply] = await exchange(['GET /plants HTTP/1.1', ...headers, key, 'Connection: close', '', ''].join('\r\n'))
    expect(told(JSON.parse(reply!.text).message), header).toEqual([allowed, allowed])
  }
})
