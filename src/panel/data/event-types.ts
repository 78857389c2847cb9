import type { Api } from './api.ts'

/** The types of events that webhooks can listen to, as their collection says. */
export async function readEventTypes(api: Api): Promise<readonly string[]> {
  const webhooks = (await api.collections()).find(({ name }) => name === 'webhooks')
  return (webhooks?.schema.properties?.['events']?.items?.enum ?? []).map(String)
}
