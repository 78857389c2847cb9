import { isTime, toTimestamp } from '../../core/time/time-text.ts'

type ResetUnit = 'epoch-seconds' | 'delta-seconds' | 'epoch-milliseconds' | 'iso-8601'

/** Parses X-RateLimit-Reset; its size shows the unit. */
export function readReset(text: string, at: number): { unit: ResetUnit; resetsAt: number } | undefined {
  if (isTime(text)) return { unit: 'iso-8601', resetsAt: toTimestamp(text) }
  const number = text.trim() === '' ? NaN : Number(text)
  if (!(number >= 0)) return undefined
  if (number > 1e11) return { unit: 'epoch-milliseconds', resetsAt: number }
  if (number > 1e8) return { unit: 'epoch-seconds', resetsAt: number * 1_000 }
  return { unit: 'delta-seconds', resetsAt: at + number * 1_000 }
}
