import type { Greenhouse, GreenhouseOptions } from 'greenhouse-mock'
import type { Send } from '../../support/adapters.ts'

/** Scenarios in which chance, counting and both decide. */
export const chancy: GreenhouseOptions['scenarios'] = {
  chancy: {
    title: 'T',
    description: 'D',
    covers: 'C',
    respond: [
      { on: 'plants.list', status: 503, probability: 0.3 },
      { on: 'plants.list', status: 502, probability: 0.5, after: 5, every: 2 },
      { on: 'plants.list', status: 418, probability: 0.2, times: 3 },
    ],
  },
}

const list: RequestInit = { headers: { authorization: 'Bearer key_pro' } }

/** The statuses of so many lists, one after the other. */
export async function statusesOf(send: Send, count = 60, path = '/plants'): Promise<number[]> {
  const statuses: number[] = []
  for (let request = 0; request < count; request++) statuses.push((await send(path, list)).status)
  return statuses
}

/** Returns the sequence directly from the core. */
export function fromCore(greenhouse: Greenhouse, path?: string): Promise<number[]> {
  return statusesOf((path, init) => greenhouse.fetch(new Request(`http://any${path}`, init)), 60, path)
}
