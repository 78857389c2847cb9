import { expect } from 'vitest'
import { served, toRequest, key } from '../support/socket.ts'

const welcome: Record<string, string[]> = {
  'a program': [],
  'the address bar': ['Sec-Fetch-Site: none', 'Sec-Fetch-Mode: navigate'],
  'a page of this server': ['Sec-Fetch-Site: same-origin'],
  'a page of this server that creates': ['Sec-Fetch-Site: same-origin', 'Origin: http://192.168.1.5:4010'],
  'a page on another port': ['Origin: http://localhost:5173', 'Sec-Fetch-Site: same-site'],
  'a page on another name of this machine': ['Origin: http://localhost:5173', 'Sec-Fetch-Site: cross-site'],
  'an image of a page on another port': ['Sec-Fetch-Site: same-site', 'Sec-Fetch-Dest: image'],
}

for (const [who, marks] of Object.entries(welcome))
  served(`${who} is let in`, async ({ exchange }) => {
    const [reply] = await exchange(toRequest('GET /~mine/plants', [key, ...marks]))
    expect(reply).toMatchObject({ status: 200, headers: { 'x-greenhouse': 'world=mine; operation=plants.list' } })
  })

served(
  'a page that a server of this network serves may call that very server, also where browsers send no Sec-Fetch',
  async ({ exchange }) => {
    const ask = async (host: string, origin: string) =>
      (
        await exchange(
          `GET /plants HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\nConnection: close\r\n${key}\r\n\r\n`,
        )
      )[0]!.status
    expect(await ask('192.168.1.5:4010', 'http://192.168.1.5:4010')).toBe(200)
    expect(await ask('192.168.1.5:4010', 'http://192.168.1.5:3000')).toBe(403)
  },
)

served(
  'an origin that is named is let in, an image of its pages is not: it does not say whose it is',
  async ({ request }) => {
    expect((await request('GET /plants', ['Origin: https://shop.example', 'Sec-Fetch-Site: cross-site'])).status).toBe(
      200,
    )
    expect((await request('GET /plants', ['Sec-Fetch-Site: cross-site'])).status).toBe(403)
    expect((await request('GET /plants', ['Origin: http://shop.example'])).status).toBe(403)
  },
  { cors: ['https://shop.example'] },
)

served(
  'with * all are let in',
  async ({ request }) => {
    for (const marks of [
      ['Origin: https://shop.example', 'Sec-Fetch-Site: cross-site'],
      ['Sec-Fetch-Site: cross-site'],
      ['Origin: null'],
    ])
      expect((await request('GET /plants', marks)).status, marks.join()).toBe(200)
  },
  { cors: ['*'] },
)
