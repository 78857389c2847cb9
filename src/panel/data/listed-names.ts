import type { Api } from './api.ts'

export async function readEventTypes(api: Api): Promise<readonly string[]> {
  const events = (await fieldsOf(api, 'webhooks'))['events']
  return (events?.items?.enum ?? []).map(String)
}

export async function readPlans(api: Api): Promise<readonly string[]> {
  const plan = (await fieldsOf(api, 'accounts'))['plan']
  return (plan?.enum ?? []).map(String)
}

async function fieldsOf(api: Api, collection: string) {
  return (await api.collections()).find(({ name }) => name === collection)?.schema.properties ?? {}
}
