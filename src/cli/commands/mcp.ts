import { once } from 'node:events'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import { ControlApi } from '../../control/client/control-api.ts'
import type { McpServerOptions } from '../../control/mcp/server.ts'
import { afterIfAlive } from '../../core/time/clock.ts'
import { toReason } from '../../core/contract/errors.ts'
import { nextTurn } from '../../core/time/system-time.ts'
import { defineCommand } from '../command.ts'
import { UsageError, printError, type Terminal } from '../terminal.ts'
import {
  type ArgumentsOf,
  type Flags,
  servingFlags,
  toOwnUrl,
  variablesEpilogue,
} from '../flags/flags.ts'
import { logRequests } from '../output/request-log.ts'
import { RemoteServer, serverFlags } from '../running-server.ts'
import { shutDown, waitForSignal } from '../process/shutdown.ts'
import { startServing } from './start-serving.ts'

const flags = {
  ...servingFlags,
  server: {
    ...serverFlags.server,
    describe: 'Control the server at this URL, and start none',
    defaultDescription: 'none: it starts a Greenhouse',
  },
  world: serverFlags.world,
} satisfies Flags

export const mcpCommand = defineCommand({
  command: 'mcp',
  describe: 'Let a coding agent use a Greenhouse: an MCP server on stdin and stdout',
  flags,
  epilogue: variablesEpilogue,
  examples: [
    ['mcp', 'Start a Greenhouse, and control it'],
    ['mcp --server http://127.0.0.1:4010', 'Control one that runs'],
  ],
  run: serveAgent,
})

async function serveAgent(args: ArgumentsOf<typeof flags>, terminal: Terminal) {
  // Stdout may have messages of the protocol only.
  const quiet = {
    ...terminal,
    stdout: terminal.stderr,
  }
  const { serving, api, world } = await openMcp(args, quiet)
  const stopped = waitForSignal(terminal)
  const endLog = serving && logRequests(serving.greenhouse, args.log, terminal.stderr, terminal.env)
  const connection = await connectAgent(
    {
      api,
      world,
      hideSecrets: serving?.greenhouse.service.redact,
    },
    terminal,
  )
  printError(
    terminal,
    `greenhouse-mock mcp: ${serving ? 'serving at' : 'controls'} ${api.server}, and waits for messages of MCP on stdin.\n`,
  )
  await Promise.race([stopped, connection.ended])
  await shutDown(terminal, serving?.save() ?? 0, async () => {
    await connection.close()
    const code = await serving?.close(true)
    endLog?.()
    return code
  })
}

async function openMcp(args: ArgumentsOf<typeof flags>, terminal: Terminal) {
  if (args.server !== undefined) {
    const other = terminal.given?.find((name) => !ofServer.includes(name))
    if (other !== undefined)
      throw new UsageError(
        `--${other}: the server at ${args.server} runs already. Give it the flag there, or leave out --server.`,
      )
    const api = new RemoteServer(args, terminal)
    return {
      serving: undefined,
      api,
      world: api.world,
    }
  }
  const serving = await startServing(args, terminal)
  const { controlFetch } = await import('../../control/answer-call.ts')
  const api = new ControlApi(toOwnUrl(serving.server.url), {
    fetch: controlFetch(serving.greenhouse),
  })
  return {
    serving,
    api,
    world: args.world ?? serving.world,
  }
}

const ofServer = ['server', 'token', 'world', 'config']

const maxMessage = 2 ** 20

/**
 * The most that waits for a client to read it, in bytes, and the most calls that are answered at
 * once.
 */
const unread = {
  bytes: maxMessage,
  calls: 32,
}

/**
 * Passes on one message at a time, and reads no further while a client does not read the answers.
 */
async function feed(
  from: Readable,
  to: PassThrough,
  answers: Terminal['stdout'],
  calls: ReadonlySet<unknown>,
) {
  for await (const chunk of from as AsyncIterable<Buffer>) {
    for (let start = 0; start < chunk.length;) {
      const end = chunk.indexOf(10, start) + 1 || chunk.length
      to.write(chunk.subarray(start, end))
      start = end
      await nextTurn()
      while (calls.size >= unread.calls)
        await Promise.race(calls as ReadonlySet<Promise<unknown>>).catch(() => undefined)
      if (answers.writableLength > unread.bytes) await once(answers, 'drain')
    }
  }
}

/** How long calls that are being answered have after the end of stdin, in milliseconds. */
const lastCalls = 1_000

async function connectAgent(options: McpServerOptions, terminal: Terminal) {
  const [{ createMcpServer }, { serveStdio, StdioServerTransport }] = await Promise.all([
    import('../../control/mcp/server.ts'),
    import('@modelcontextprotocol/server/stdio'),
  ])
  const input = new PassThrough()
  const calls = new Set<Promise<unknown>>()
  const transport = new StdioServerTransport(input, terminal.stdout as Writable, {
    maxBufferSize: maxMessage,
  })
  const ended = new Promise<void>((resolve) => {
    const close = transport.close.bind(transport)
    // This holds after a message that is too long, too, and when stdout is closed.
    transport.close = () => close().then(resolve)
    const end = async () => {
      afterIfAlive(lastCalls, resolve)
      do {
        // A message becomes a call within some turns.
        for (let turn = 0; turn < 10; turn++) await nextTurn()
        await Promise.allSettled(calls)
      } while (calls.size > 0)
      // The last reply is written now.
      await nextTurn()
      resolve()
    }
    const { stream } = terminal.stdin
    if (stream) void feed(stream, input, terminal.stdout, calls).then(end, end)
    else resolve()
  })
  const onerror = (error: Error) =>
    printError(terminal, `greenhouse-mock mcp: ${toReason(error)}\n`)
  const handle = serveStdio(() => createMcpServer({ ...options, calls }), { transport, onerror })
  return {
    ended,
    close: () => handle.close(),
  }
}
