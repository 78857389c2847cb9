import type { Api } from './api.ts'

/** Reads the types of events that webhooks can subscribe to from the schema of their collection. */
export async function readEventTypes(api: Api): Promise<readonly string[]> {
  const events = (await fieldsOf(api, 'webhooks'))['events']
  return (events?.items?.enum ?? []).map(String)
}

/** Reads the plans of accounts from the schema of their collection. */
export async function readPlans(api: Api): Promise<readonly string[]> {
  const plan = (await fieldsOf(api, 'accounts'))['plan']
  return (plan?.enum ?? []).map(String)
}

async function fieldsOf(api: Api, collection: string) {
  return (await api.collections()).find(({ name }) => name === collection)?.schema.properties ?? {}
}
