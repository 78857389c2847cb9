const plants = 'https://plants.example.com/plants'
const headers = { authorization: 'Bearer key_pro', 'content-type': 'application/json' }

/** Adds a plant at the production URL, and returns how many visits added one. */
export async function visit(): Promise<number> {
  const body = JSON.stringify({ id: Date.now(), name: 'Visit', tag: 'visit' })
  await fetch(plants, { method: 'POST', headers, body, cache: 'no-store' })
  const listed = await fetch(plants, { headers, cache: 'no-store' })
  const all = (await listed.json()) as { tag?: string }[]
  return all.filter(({ tag }) => tag === 'visit').length
}
