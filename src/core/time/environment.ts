import { timersAreFaked } from './system-time.ts'

const needed = [
  'AbortController',
  'MessageEvent',
  'TextDecoder',
  'TextEncoder',
  'URL',
  'URLSearchParams',
  'btoa',
] as const

const neededToFetch = ['Headers', 'ReadableStream', 'Response'] as const

/** Fails immediately, not at the first request, if Greenhouse cannot work in this environment. @throws Error */
export function assertUsable(): void {
  assertGlobals('start Greenhouse', needed)
  if (timersAreFaked)
    throw new Error(
      'Failed to start Greenhouse: timers were faked before it was loaded, so Greenhouse could never wait for anything. Import it at the top of the file, before mock.timers.enable().',
    )
}

export function assertFetchable(): void {
  assertGlobals('answer a Request', neededToFetch)
}

function assertGlobals(what: string, names: readonly string[]): void {
  const missing = names.filter((name) => !hasGlobal(name))
  if (missing.length > 0)
    throw new Error(
      `Failed to ${what}: there is no ${missing.join(', no ')} here. Node and browsers have them, but Jest's environment "jsdom" hides them: use the environment "jest-fixed-jsdom", or "node".`,
    )
}

/** Checks the property without reading it: Node loads some globals on first read, which takes milliseconds. */
function hasGlobal(name: string): boolean {
  const own = Object.getOwnPropertyDescriptor(globalThis, name)
  return own?.get !== undefined || (own ? own.value !== undefined : name in globalThis)
}
