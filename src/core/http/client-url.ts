import { withoutTrailingSlashes } from './request.ts'

/** The base URLs at which a client reaches the two areas. */
export interface ClientBases {
  readonly plants: string
  /** With its version. */
  readonly apps: string
}

/** The base URLs of a server. @param origin where it is: `http://127.0.0.1:4010`. */
export function toServerBases(origin: string): ClientBases {
  return { plants: origin, apps: `${origin}/v1` }
}

/** Makes a function that turns a path from the service's root into the URL that the client has: `/~checkout/v1/apps`. */
export function toClientUrl(bases: ClientBases): (path: string) => string {
  const [plants, apps] = [bases.plants, bases.apps].map(toParts) as [Parts, Parts]
  return (path) => {
    const [, world = '', rest = path] = /^(\/~[^/]+)?(\/.*)$/.exec(path) ?? []
    const [{ origin, folder }, below] = /^\/v1(?![^/?])/.test(rest) ? [apps, rest.slice(3)] : [plants, rest]
    return `${origin}${world}${folder}${below}`
  }
}

interface Parts {
  readonly origin: string
  readonly folder: string
}

function toParts(base: string): Parts {
  const { origin } = new URL(base)
  return { origin, folder: withoutTrailingSlashes(base).slice(origin.length) }
}
