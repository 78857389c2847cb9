import { createFetcher } from './test-api.ts'

/** An environment without what is for these tests: the command takes it for a slip. */
export function withoutOurs({ GREENHOUSE_TEST: _, ...env }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return env
}

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

/** The first line of `serve --log json`. */
export interface Ready {
  event: string
  plants_url: string
  apps_url: string
  panel_url: string
  keys: Record<string, { plan: string; account: string; note?: string }>
  scenarios: string[]
}

export function toServed(
  ready: Ready,
  { kill, ended }: { kill: (signal: NodeJS.Signals) => void; ended: Promise<Ended> },
) {
  return {
    ready,
    stop(signal: NodeJS.Signals = 'SIGTERM') {
      kill(signal)
      return ended
    },
    call: createFetcher(ready.plants_url),
  }
}
