import { withoutTrailingSlashes } from './request.ts'

/** The base URLs that a client uses for the two areas. */
export interface ClientBases {
  readonly plants: string
  /** The version included: `http://127.0.0.1:4010/v1`. */
  readonly apps: string
}

/** Returns the base URLs of a server. @param origin of the server: `http://127.0.0.1:4010`. */
export function toServerBases(origin: string): ClientBases {
  return { plants: origin, apps: `${origin}/v1` }
}

/** Returns a function that converts a path from the service's root (`/~checkout/v1/apps`) into the client's URL. */
export function toClientUrl(bases: ClientBases): (path: string) => string {
  const [plants, apps] = [bases.plants, bases.apps].map(toParts) as [Parts, Parts]
  return (path) => {
    const [, world = '', rest = path] = /^(\/~[^/]+)?(\/.*)$/.exec(path) ?? []
    const [{ origin, folder }, below] = /^\/v1(?![^/?])/.test(rest) ? [apps, rest.slice(3)] : [plants, rest]
    return `${origin}${world}${folder}${below}`
  }
}

/** Returns a key in the form that selects a world: `key_pro@checkout`. */
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
