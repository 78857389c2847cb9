/** How the client reaches the two services. */
export interface Settings {
  plantsUrl: string
  appsUrl: string
  key: string
}

/** The key is not accepted: the user has to fetch a new one, retrying is of no use. */
export class KeyRejectedError extends Error {
  override name = 'KeyRejectedError'
}

/** The plan's budget is spent. */
export class BudgetSpentError extends Error {
  override name = 'BudgetSpentError'

  readonly retryAfterSeconds: number

  constructor(retryAfterSeconds: number) {
    super(`The budget is spent. Try again in ${retryAfterSeconds} seconds.`)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The reply is not what the service promises. */
export class InvalidReplyError extends Error {
  override name = 'InvalidReplyError'
}

/** A plant as the list has it. */
export interface Plant {
  name: string
  tag?: string
}

/** A plant as it is created. */
export interface NewPlant extends Plant {
  id: number
}

function isPlant(value: unknown): value is Plant {
  if (typeof value !== 'object' || value === null) return false
  const { name, tag, ...others } = value as Record<string, unknown>
  return (
    typeof name === 'string' &&
    ['string', 'undefined'].includes(typeof tag) &&
    Object.keys(others).length === 0
  )
}

/** A client as an application would have it: it knows nothing of mocks. */
export class Client {
  readonly #settings: Settings

  constructor(settings: Settings) {
    this.#settings = settings
  }

  async plants(limit = 20): Promise<Plant[]> {
    const url = `${this.#settings.plantsUrl}/plants?limit=${limit}`
    const plants = await this.#call('GET', url)
    if (!Array.isArray(plants) || !plants.every(isPlant))
      throw new InvalidReplyError(`GET ${url}: the reply is no list of plants.`)
    return plants
  }

  async addPlant(plant: NewPlant): Promise<void> {
    await this.#call('POST', `${this.#settings.plantsUrl}/plants`, plant)
  }

  async appNames(): Promise<string[]> {
    const page = (await this.#call('GET', `${this.#settings.appsUrl}/apps`)) as {
      data: { name: string }[]
    }
    return page.data.map((app) => app.name)
  }

  async #call(method: string, url: string, body?: unknown): Promise<unknown> {
    const response = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${this.#settings.key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (response.status === 401)
      throw new KeyRejectedError(`${method} ${url}: the key was rejected.`)
    if (response.status === 429)
      throw new BudgetSpentError(Number(response.headers.get('retry-after')))
    if (!response.ok)
      throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`)
    return response.json()
  }
}
