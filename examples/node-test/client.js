/** The key is not accepted: retrying is of no use. */
export class KeyRejectedError extends Error {}

/** The plan's requests are spent. */
export class BudgetSpentError extends Error {
  constructor(retryAfterSeconds) {
    super(`No requests left. Try again in ${retryAfterSeconds} seconds.`)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** A client as an application has it: it knows nothing of mocks. */
export function createClient({ plantsUrl, appsUrl, key }) {
  async function call(method, url, body) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const response = await fetch(url, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    if (response.status === 401)
      throw new KeyRejectedError(`${method} ${url}: the key was rejected.`)
    if (response.status === 429)
      throw new BudgetSpentError(Number(response.headers.get('retry-after')))
    if (!response.ok)
      throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`)
    return response.json()
  }
  return {
    plants: () => call('GET', `${plantsUrl}/plants`),
    addPlant: (plant) => call('POST', `${plantsUrl}/plants`, plant),
    appNames: async () => (await call('GET', `${appsUrl}/apps`)).data.map(({ name }) => name),
  }
}
