import type { Answer, CallOptions, Client } from '../support/test-api.ts'

/** The apps of the accounts that tests use, by key. */
export const apps: Record<string, string> = {
  key_free: 'app_7sm4hb54ca5qj6nu',
  key_lite: 'app_ie2w6uf7yst6qjzf',
  key_pro: 'app_w33c4cwmhfyfktiv',
  key_pro_plus: 'app_tke6litpp3ba4sce',
}

export function pathOf(key = 'key_pro', id?: string): string {
  return `/v1/apps/${apps[key]}/deployments${id === undefined ? '' : '/' + id}`
}

/** Creates a deployment of an account's app. */
export function deploy(
  call: Client['call'],
  body: unknown,
  options: CallOptions = {},
): Promise<Answer> {
  return call('POST', pathOf(options.key ?? 'key_pro'), { ...options, body })
}

/** A deployment on a custom domain, and how to look at it and verify it. */
export async function deployed(call: Client['call'], domain = 'chat.example.com', key = 'key_pro') {
  const { body } = await deploy(call, { domain }, { key })
  const path = pathOf(key, body.id)
  return {
    id: body.id as string,
    path,
    created: body,
    look: async () => (await call('GET', path, { key })).body,
    verify: async () => (await call('POST', `${path}/verify`, { key })).body,
  }
}
