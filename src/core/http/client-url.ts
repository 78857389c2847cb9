import { withoutTrailingSlashes } from './request.ts'

export interface ClientBases {
  readonly plants: string
  /** The version included: `http://127.0.0.1:4010/v1`. */
  readonly apps: string
}

export function toServerBases(origin: string): ClientBases {
  return { plants: origin, apps: `${origin}/v1` }
}

export function toClientUrl(bases: ClientBases): (path: string) => string {
  const [plants, apps] = [bases.plants, bases.apps].map(toParts) as [Parts, Parts]
  return (path) => {
    const [, world = '', rest = path] = /^(\/~[^/]+)?(\/.*)$/.exec(path) ?? []
    const [{ origin, folder }, below] = /^\/v1(?![^/?])/.test(rest) ? [apps, rest.slice(3)] : [plants, rest]
    return `${origin}${world}${folder}${below}`
  }
}

export function keyIn(world: string, key: string): string {
  return world === 'default' ? key : `${key}@${world}`
}

interface Parts {
  readonly origin: string
  readonly folder: string
}

function toParts(base: string): Parts {
  const { origin } = new URL(base)
  return { origin, folder: withoutTrailingSlashes(base).slice(origin.length) }
}

export function decode(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

export function decodeWherePossible(text: string): string {
  return decode(text) ?? text
}
