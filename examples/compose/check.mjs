// Stands for your tests: it asks the mock as a service beside it would.
const { PLANTS_BASE_URL, APPS_BASE_URL, GREENHOUSE_URL, GREENHOUSE_TOKEN } = process.env

async function ask(url, token) {
  const reply = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}: ${await reply.text()}`)
  return reply.json()
}

const plants = await ask(`${PLANTS_BASE_URL}/plants`, 'key_shop')
const { data: apps } = await ask(`${APPS_BASE_URL}/apps`, 'key_shop')
const { version } = await ask(`${GREENHOUSE_URL}/__greenhouse/health`, GREENHOUSE_TOKEN)
console.log(JSON.stringify({ plants, apps: apps.length, version: typeof version }))
