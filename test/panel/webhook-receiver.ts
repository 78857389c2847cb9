import type { Greenhouse } from 'greenhouse-mock'

/** Creates a webhook of key_pro's account at a receiver, and freezes the clock. Returns its id and secret. */
export async function listenAt(greenhouse: Greenhouse, url: string, events: readonly string[]) {
  greenhouse.world().clock.freeze()
  const made = await greenhouse.fetch(
    new Request('http://greenhouse.test/v1/webhooks', {
      method: 'POST',
      headers: { authorization: 'Bearer key_pro', 'content-type': 'application/json' },
      body: JSON.stringify({ url, events }),
    }),
  )
  return (await made.json()) as { readonly id: string; readonly secret: string }
}
