import type { Argv } from 'yargs'
import * as values from './flag-values.ts'
import { once } from './flags.ts'

/** Which running server is meant, and which of its worlds. */
export interface ServerArguments {
  server: string
  world: string
  token: string | undefined
}

/** The flags that say so. */
export function withServerOptions<T>(args: Argv<T>) {
  return args
    .option('server', { type: 'string', requiresArg: true, coerce: once('server', values.serverUrl), describe: 'URL of the running server', default: 'http://127.0.0.1:4010' })
    .option('world', { type: 'string', requiresArg: true, coerce: once('world', values.world), describe: 'World of the server', default: 'default' })
    .option('token', { type: 'string', requiresArg: true, coerce: once('token', values.secret), describe: 'Secret that the server was started with' })
}

/** Calls the control API for a world and gives what it answers. @throws Error that says why it did not work and what to do. */
export async function callControl({ server, world, token }: ServerArguments, method: string, path: string, body?: unknown, toText: (value: unknown) => string = JSON.stringify): Promise<unknown> {
  const reply = await fetch(new URL(`/__greenhouse/worlds/${world}${path}`, server), {
    method,
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: toText(body) }),
  }).catch((error: Error) => {
    const reason = (error.cause as NodeJS.ErrnoException | undefined)?.code ?? error.message
    throw new Error(`Failed to reach a Greenhouse at ${server}: ${reason}. Start one with greenhouse serve, or name another with --server.`)
  })
  if (reply.ok) return reply.status === 204 ? undefined : reply.json()
  const message = await reply.json().then((body: { error?: { message?: unknown } }) => body.error?.message, () => undefined)
  if (typeof message !== 'string') throw new Error(`Failed to use the server at ${server}: it answered ${reply.status}, and not as a Greenhouse does. Name another with --server.`)
  throw new Error(message)
}
