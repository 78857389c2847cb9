export interface Plant {
  name: string
  tag?: string
}

export const plantsUrl = 'https://plants.example.com'

export async function listPlants(key: string): Promise<Plant[]> {
  const reply = await fetch(`${plantsUrl}/plants`, { headers: { authorization: `Bearer ${key}` } })
  if (reply.status === 401) throw new Error('Please sign in again.')
  if (!reply.ok) throw new Error('The service is not available.')
  return reply.json() as Promise<Plant[]>
}
