import { expect } from 'vitest'
import { served, toRequest } from '../support/socket.ts'
import { watchOutputs } from '../support/outputs.ts'

// In two parts each, so that no scanner takes them for real ones.
const secrets = [
  ['sk', 'live', '51QxGreenhouse0aBcDeF'].join('_'),
  ['rk', 'test', '51QxGreenhouse0aBcDeF'].join('_'),
  ['whsec', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'].join('_'),
  ['sk', 'proj', 'abcdefgh12345678'].join('-'),
  ['ghp', 'abcdefghijklmnopqrstuvwxyz0123456789'].join('_'),
  ['AKIA', 'IOSFODNN7EXAMPLE'].join(''),
  ['AIza', 'SyA1234567890abcdefghijklmnopqrstuv'].join(''),
  ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxIn0', 'c2lnbmF0dXJl'].join('.'),
]

served(
  'what looks like the key of a service is a fingerprint, whatever it is called',
  async ({ greenhouse, server, exchange }) => {
    const outputs = await watchOutputs(greenhouse, server)
    for (const secret of secrets) {
      await exchange(toRequest(`GET /plants/${secret}?q=${secret}`, [`X-Whatever: ${secret}`]))
      await exchange(
        toRequest(
          'POST /plants',
          ['Content-Type: application/json', 'Authorization: Bearer key_pro'],
          JSON.stringify({ id: 77, name: secret, tag: 'x' }),
        ),
      )
      await exchange(toRequest('GET /plants', [`X-Whatever: ${secret}`]))
    }
    for (const [name, text] of Object.entries(await outputs.read()))
      for (const secret of secrets) expect(text, name).not.toContain(secret)
  },
)

served('errors do not repeat it', async ({ exchange, server }) => {
  for (const secret of secrets) {
    const replies = [
      ...(await exchange(toRequest('GET /plants', [`X-Greenhouse-Scenario: ${secret}`]))),
      ...(await exchange(toRequest('GET /plants', [`X-Greenhouse-World: ${secret} `.repeat(3)]))),
    ]
    for (const path of [
      secret,
      `worlds/${secret}`,
      `worlds/default/keys/${secret}`,
      `worlds/default/records/${secret}`,
      `worlds/default/snapshots/${secret}`,
      `worlds/default/journal?operation=${secret}`,
    ]) {
      const response = await fetch(`${server.url}/__greenhouse/${path}`)
      replies.push({ status: response.status, headers: {}, text: await response.text() })
    }
    for (const { status, text } of replies) {
      expect(status).toBeGreaterThanOrEqual(400)
      expect(text).not.toContain(secret)
    }
  }
})
