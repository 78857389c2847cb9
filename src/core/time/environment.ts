import { timersAreFaked } from './system-time.ts'

/** What is needed besides the language itself. `greenhouse.fetch` needs `Request`, `Response`, `Headers` and `ReadableStream` besides. */
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

/** Fails at once when Greenhouse can't work in this environment, not only at the first request. @throws Error */
export function assertUsable(): void {
  assertThere('start Greenhouse', needed)
  if (timersAreFaked)
    throw new Error(
      'Failed to start Greenhouse: timers were faked before it was loaded, so Greenhouse could never wait for anything. Import it at the top of the file, before mock.timers.enable().',
    )
}

/** @throws Error when there is nothing here to answer a `Request` with. */
export function assertFetchable(): void {
  assertThere('answer a Request', neededToFetch)
}

function assertThere(what: string, names: readonly string[]): void {
  const missing = names.filter((name) => !isThere(name))
  if (missing.length > 0)
    throw new Error(
      `Failed to ${what}: there is no ${missing.join(', no ')} here. Node and browsers have them, but Jest's environment "jsdom" hides them: use the environment "jest-fixed-jsdom", or "node".`,
    )
}

/** Node loads some of its globals when they are first read, which takes milliseconds: that they can be read is enough. */
function isThere(name: string): boolean {
  const own = Object.getOwnPropertyDescriptor(globalThis, name)
  return own?.get !== undefined || (own ? own.value !== undefined : name in globalThis)
}
