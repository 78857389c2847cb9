import type { GreenhouseOptions } from 'greenhouse-mock'
import { tested, throughOwn, type OwnClient } from '../../support/through.ts'

/** Runs a test through a server, whose connections things can go wrong on. */
export function throughConnections(
  title: string,
  run: (client: OwnClient) => Promise<void>,
  options: GreenhouseOptions = {},
): void {
  throughOwn(
    title,
    run,
    options,
    tested.filter(({ name }) => name === 'node server'),
  )
}

/** Options with one scenario called `it`, of these faults. */
export function faulty(...fault: Record<string, unknown>[]): GreenhouseOptions {
  return { scenarios: { it: { title: 'It', description: 'It.', covers: 'It.', fault } } }
}
