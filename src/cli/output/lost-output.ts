import { getSystemErrorMap } from 'node:util'
import { toReason } from '../../core/contract/errors.ts'
import { nextTurn } from '../../core/time/system-time.ts'
import { printError } from './print.ts'
import type { OutputStream, Terminal } from '../terminal.ts'

const notPrinted = 2

const brokenOutputs = new WeakSet<OutputStream>()

/**
 * Reports once on stderr that stdout cannot be written: the disk is full, the terminal is gone. A closed pipe (`| head
 * -1`) needs no report, and a broken stderr cannot have one. Later output is dropped. @param name of the command:
 * `greenhouse-mock openapi`
 */
export function reportWriteErrors({ stdout, stderr }: Pick<Terminal, 'stdout' | 'stderr'>, name: string): void {
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || brokenOutputs.has(stdout)) return
    brokenOutputs.add(stdout)
    printError({ stderr }, `${name}: could not write to stdout: ${toSystemReason(error)}\n`)
  })
  stderr.on('error', () => undefined)
}

export async function exitCodeAfterFlush({ stdout }: Pick<Terminal, 'stdout'>, code: number): Promise<number> {
  // A failed write is reported in the next turn.
  await nextTurn()
  return code === 0 && brokenOutputs.has(stdout) ? notPrinted : code
}

/** Returns why a call of the system failed: `no space left on device`. */
export function toSystemReason(error: unknown): string {
  const { errno } = error as NodeJS.ErrnoException
  return (errno === undefined ? undefined : getSystemErrorMap().get(errno)?.[1]) ?? toReason(error)
}
