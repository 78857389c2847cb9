import type { Tone } from '../../components/index.ts'

const kinds: Readonly<Record<string, { readonly title: string; readonly tone: Tone }>> = {
  delivery: { title: 'Attempt', tone: 'note' },
  event: { title: 'Event', tone: 'note' },
  settlement: { title: 'Settlement', tone: 'good' },
  renewal: { title: 'Renewal', tone: 'good' },
  charge: { title: 'Charge', tone: 'warning' },
  cancellation: { title: 'Cancellation', tone: 'gone' },
  certificate: { title: 'Certificate', tone: 'good' },
  'dns-timeout': { title: 'DNS timeout', tone: 'bad' },
  quota: { title: 'Quota', tone: 'waiting' },
  reply: { title: 'Reply', tone: 'waiting' },
  scheduled: { title: 'Scheduled', tone: 'plain' },
}

export function kindOf(name: string): { readonly title: string; readonly tone: Tone } {
  return kinds[name] ?? { title: name, tone: 'plain' }
}
