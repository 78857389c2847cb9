import { useQuery } from '@tanstack/react-query'

export const appsUrl = 'https://api.example.com/v1'

class ServiceError extends Error {
  readonly status: number
  readonly retryAfter: number

  constructor({ status, headers }: Response) {
    super(`The service answered ${status}.`)
    this.status = status
    this.retryAfter = Number(headers.get('retry-after') ?? 1)
  }
}

async function listApps(key: string): Promise<string[]> {
  const reply = await fetch(`${appsUrl}/apps`, { headers: { authorization: `Bearer ${key}` } })
  if (!reply.ok) throw new ServiceError(reply)
  const { data } = (await reply.json()) as { data: { name: string }[] }
  return data.map(({ name }) => name)
}

export function AppNames({ apiKey, retryDelay = 1_000 }: { apiKey: string; retryDelay?: number }) {
  const { data, error } = useQuery<string[], ServiceError>({
    queryKey: ['apps', apiKey],
    queryFn: () => listApps(apiKey),
    // A 4xx stays what it is; a 5xx may pass.
    retry: (count, { status }) => status >= 500 && count < 3,
    retryDelay,
  })
  if (error?.status === 429) return <p role="alert">Try again in {error.retryAfter} seconds.</p>
  if (error) return <p role="alert">{error.message}</p>
  return <p role="status">{data?.join(', ') ?? 'Loading …'}</p>
}
