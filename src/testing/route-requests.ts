import type { APIRequestContext, APIResponse } from '@playwright/test'

export type TargetFinder = (
  url: URL,
) => { readonly url: string } | Promise<{ readonly url: string } | undefined> | undefined

const methods = ['fetch', 'get', 'post', 'put', 'patch', 'delete', 'head'] as const

type Method = (
  target: Parameters<APIRequestContext['fetch']>[0],
  options?: Parameters<APIRequestContext['fetch']>[1],
) => Promise<APIResponse>

const worldHeader = 'x-greenhouse-world'

/**
 * Routes requests of `request` and `page.request` to a test's world: those for which `findTarget` returns a target get its header.
 * Playwright itself can set headers only for all requests of a context.
 */
export function routeRequests(
  context: APIRequestContext,
  world: string,
  baseUrl: string | undefined,
  findTarget: TargetFinder,
): void {
  for (const name of methods) {
    const send = context[name].bind(context) as Method
    const routed: Method = async (target, options = {}) => {
      const given = typeof target === 'string' ? target : target.url()
      const to = URL.canParse(given, baseUrl) ? await findTarget(new URL(given, baseUrl)) : undefined
      if (!to) return send(target, options)
      const headers = { ...(typeof target === 'string' ? {} : target.headers()), ...options.headers }
      if (!Object.keys(headers).some((header) => header.toLowerCase() === worldHeader)) headers[worldHeader] = world
      const url = new URL(given, baseUrl).href
      if (to.url === url) return send(target, { ...options, headers })
      const response = await send(to.url, { ...toOptions(target), ...options, headers })
      // Reports the client's URL instead of the target's.
      Object.defineProperty(response, 'url', { value: () => url })
      return response
    }
    Object.defineProperty(context, name, { value: routed, configurable: true, writable: true })
  }
}

function toOptions(target: Parameters<Method>[0]): Parameters<Method>[1] {
  if (typeof target === 'string') return {}
  const data = target.postDataBuffer()
  return { method: target.method(), ...(data && { data }) }
}
