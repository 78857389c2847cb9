import type { Greenhouse } from 'greenhouse-mock'
import { toInit, type CallOptions } from '../support/test-api.ts'

export const requestOf = (path: string, method = 'GET', options: CallOptions = {}) =>
  new Request(`http://greenhouse.test${path}`, toInit(method, options))

/** Sends requests of every kind, so that each view has something to show. */
export async function fillWorld(greenhouse: Greenhouse): Promise<void> {
  const send = async (...sent: Parameters<typeof requestOf>) => (await greenhouse.fetch(requestOf(...sent))).text()
  const withScenario = (name: string) => ({ headers: { 'x-greenhouse-scenario': name } })
  greenhouse.world().snapshot('filled')
  await send('/plants?limit=3')
  await send('/v1/apps?limt=3', 'GET', { key: 'key_free', ...withScenario('rate-limited-plan') })
  await send('/plants', 'POST', { body: '{"id":9007199254740993,"name":"Ficus"}' })
  await send('/plants', 'POST', { body: '{"name":1}' })
  await send('/plants', 'GET', { key: 'key_revoked' })
  await send('/v1/appz')
  await send('/v1/apps', 'GET', withScenario('server-error'))
}

/** Creates a webhook of key_pro's account at a receiver, and freezes the clock. Returns its id and secret. */
export async function listenAt(greenhouse: Greenhouse, url: string, events: readonly string[]) {
  greenhouse.world().clock.freeze()
  const made = await greenhouse.fetch(requestOf('/v1/webhooks', 'POST', { body: { url, events } }))
  return (await made.json()) as { readonly id: string; readonly secret: string }
}

/** Texts that would run, or break out, if they were treated as markup: 500 different ones. */
export const markups: readonly string[] = toMarkups()

function toMarkups(): string[] {
  const acts = ['img src=x onerror', 'svg onload', 'iframe onload src=/', 'details open ontoggle', 'body onload']
  const ways = ['', '">', "'>", '</script>', '</style>', '-->', '</title>', '</textarea>', '`}', '{{']
  const ends = ['', ' ', '/', '//', '\t', ' x=', ' <b', '&gt;', '\u2028', '%3E']
  return ways.flatMap((way) =>
    acts.flatMap((act) => ends.map((end) => `${way}<${act}="globalThis.broken=['ran']"${end}><b id=strange>`)),
  )
}
