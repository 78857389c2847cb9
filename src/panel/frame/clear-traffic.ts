import { confirmed, toast } from '../components/index.ts'
import type { Panel } from '../data/panel.ts'

export async function clearTraffic({ api, world }: Panel): Promise<void> {
  const name = world.name.peek()
  const isWanted = await confirmed({
    title: 'Clear the traffic?',
    text: `This removes all requests from the journal of the world ${name}. Data, quotas and scenarios stay.`,
    action: 'Clear',
  })
  if (!isWanted) return
  await api.clearJournal(name)
  toast({ text: `Cleared the traffic of ${name}` })
}
