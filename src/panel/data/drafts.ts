import type { Live } from './live.ts'
import type { ControlEvents } from './shapes.ts'

export type FormDrafts = Map<string, Map<string, unknown>>

export function createDrafts(live: Live): FormDrafts {
  const drafts: FormDrafts = new Map()
  live.onRestart(() => drafts.clear())
  live.on(['world'], (events) => {
    for (const { world, change } of events.map(({ data }) => data as ControlEvents['world']))
      if (change === 'deleted' || change === 'dropped')
        for (const key of drafts.keys()) if (key.startsWith(`${world} `)) drafts.delete(key)
  })
  return drafts
}
