import { runCommandLine } from './command-line.ts'
import { supervisedName } from './process/supervision/link.ts'
import { findSupervised } from './process/supervision/find-supervised.ts'
import { withoutProxy } from './process/no-proxy.ts'
import { withCompleteWrites } from './output/whole-writes.ts'

export { runCommandLine }
export type { OutputStream } from './terminal.ts'

export async function runOwnCommandLine(): Promise<void> {
  // `fetch` reads them at each request with NODE_USE_ENV_PROXY. A proxy does not reach this machine.
  Object.assign(process.env, withoutProxy(process.env, ['localhost', '127.0.0.1', '[::1]', '::1']))
  const isSupervised = process.argv0 === supervisedName
  const supervised = isSupervised ? undefined : findSupervised(process)
  if (supervised !== undefined)
    return (await import('./process/supervision/supervisor.ts')).supervise(supervised, process)
  const { env, stdout, stderr } = process
  process.exitCode = await runCommandLine(process.argv.slice(2), {
    env,
    stdin: {
      // Reading `stdin` opens it, so it is read only on demand.
      get isTTY() {
        return process.stdin.isTTY
      },
    },
    stdout: withCompleteWrites(stdout),
    stderr: withCompleteWrites(stderr),
    stdio: 'inherit',
    signals: process,
    exit: (code) => process.exit(code),
    willExit: (code) => (process.exitCode = code),
    limitGarbage,
    supervisor: isSupervised
      ? (await import('./process/supervision/supervised.ts')).connectToSupervisor(process)
      : undefined,
  })
}

/** Limits garbage: the data has a limit, but by default V8 lets the heap grow to about twice that before it collects. */
async function limitGarbage(): Promise<void> {
  process.getBuiltinModule('node:v8').setFlagsFromString('--heap-growing-percent=20')
}
