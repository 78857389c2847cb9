import { MutationObserver, QueryClient } from '@tanstack/query-core'
import axios from 'axios'
import axiosRetry, { exponentialDelay } from 'axios-retry'
import got from 'got'
import ky from 'ky'
import createClient from 'openapi-fetch'
import { Agent, fetch as undiciFetch, RetryAgent } from 'undici'

const toHeaders = (key) => ({ authorization: `Bearer ${key}` })

const withAxios = (retry) => (base, key) => {
  const client = axios.create({ baseURL: base, headers: toHeaders(key) })
  if (retry) axiosRetry(client, retry)
  return ({ method, path, body }) => client.request({ method, url: path, data: body })
}

const query = (base, key) => {
  const client = new QueryClient()
  const ask = async ({ method, path, body }) => {
    const reply = await fetch(base + path, {
      method,
      headers: { ...toHeaders(key), 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!reply.ok) throw new Error(String(reply.status))
    return reply.json()
  }
  return (request) =>
    request.method === 'GET'
      ? // As useQuery does by default; fetchQuery alone does not retry.
        client.fetchQuery({ queryKey: [request.path], retry: 3, queryFn: () => ask(request) })
      : new MutationObserver(client, { mutationFn: () => ask(request) }).mutate()
}

/** Functions that create a client, which sends a request. Their options are those of their documentation's first example. */
export const clients = {
  axios: withAxios(undefined),
  'axios-retry': withAxios({ retries: 3 }),
  'axios-retry, exponentialDelay': withAxios({ retries: 3, retryDelay: exponentialDelay }),
  ky: (base, key) => {
    const client = ky.create({ prefixUrl: base, headers: toHeaders(key), timeout: 15_000 })
    return ({ method, path, body }) => client(path.slice(1), { method, ...(body && { json: body }) })
  },
  got: (base, key) => {
    const client = got.extend({ prefixUrl: base, headers: toHeaders(key) })
    return ({ method, path, body }) => client(path.slice(1), { method, ...(body && { json: body }) })
  },
  'undici RetryAgent': (base, key) => {
    const dispatcher = new RetryAgent(new Agent())
    return ({ method, path, body }) =>
      undiciFetch(base + path, {
        dispatcher,
        method,
        headers: { ...toHeaders(key), 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
  },
  'openapi-fetch': (base, key) => {
    const client = createClient({ baseUrl: base, headers: toHeaders(key) })
    return ({ method, path, body }) => client[method](path, { ...(body && { body }) })
  },
  'React Query': query,
}
