// Calls the service that `greenhouse-mock flip` serves, as the clients beside it do.
const headers = {
  authorization: `Bearer ${process.env.GREENHOUSE_KEY_PRO}`,
  'content-type': 'application/json',
}

/** Sends a request; gives its status, headers and parsed body. */
export async function send(method, url, body) {
  const reply = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const text = await reply.text()
  return {
    status: reply.status,
    headers: reply.headers,
    body: text === '' ? undefined : JSON.parse(text),
  }
}

export const plants = `${process.env.PLANTS_BASE_URL}/plants`
export const apps = `${process.env.APPS_BASE_URL}/apps`
