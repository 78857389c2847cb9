import type { Argv } from 'yargs'
import * as values from './flag-values.ts'
import { fromEnvironment, once } from './flags.ts'

/** Which running server is meant, and which of its worlds, as the flags say it. */
export interface ServerArguments {
  server: string | undefined
  world: string | undefined
  token: string | undefined
}

/** The same once what the flags leave open has come from the environment. */
export interface Target {
  readonly server: string
  readonly world: string
  readonly token: string | undefined
}

const standard = { server: 'http://127.0.0.1:4010', world: 'default' }

/** The flags that say which server is meant. */
export function withServerOptions<T>(args: Argv<T>) {
  return args
    .option('server', {
      type: 'string',
      requiresArg: true,
      coerce: once('server', values.serverUrl),
      describe: 'URL of the running server',
      defaultDescription: `GREENHOUSE_URL, or ${standard.server}`,
    })
    .option('world', {
      type: 'string',
      requiresArg: true,
      coerce: once('world', values.world),
      describe: 'World of the server',
      defaultDescription: `GREENHOUSE_WORLD, or ${standard.world}`,
    })
    .option('token', {
      type: 'string',
      requiresArg: true,
      coerce: once('token', values.secret),
      describe: 'Secret that the server was started with',
      defaultDescription: 'GREENHOUSE_TOKEN',
    })
}

/** The server and the world that are meant: flags win over the environment. @throws UsageError for an invalid value of a variable. */
export function toTarget({ server, world, token }: ServerArguments): Target {
  return {
    server: server ?? fromEnvironment('GREENHOUSE_URL', values.serverUrl) ?? standard.server,
    world: world ?? fromEnvironment('GREENHOUSE_WORLD', values.world) ?? standard.world,
    token: token ?? fromEnvironment('GREENHOUSE_TOKEN', values.secret),
  }
}

/** Calls the control API for a world and gives what it answers. @throws Error that says why it did not work and what to do. */
export async function callControl(
  { server, world, token }: Target,
  method: string,
  path: string,
  body?: unknown,
  toText: (value: unknown) => string = JSON.stringify,
): Promise<unknown> {
  const reply = await fetch(new URL(`/__greenhouse/worlds/${world}${path}`, server), {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: toText(body) }),
  }).catch((error: Error) => {
    const reason = (error.cause as NodeJS.ErrnoException | undefined)?.code ?? error.message
    throw new Error(
      `Failed to reach a Greenhouse at ${server}: ${reason}. Start one with greenhouse serve, or name another server with --server or GREENHOUSE_URL.`,
    )
  })
  if (reply.ok) return reply.status === 204 ? undefined : reply.json()
  const message = await reply.json().then(
    (body: { error?: { message?: unknown } }) => body.error?.message,
    () => undefined,
  )
  if (typeof message !== 'string')
    throw new Error(
      `Failed to use the server at ${server}: it answered ${reply.status}, which is not an answer of Greenhouse. Name another server with --server or GREENHOUSE_URL.`,
    )
  throw new Error(message)
}
