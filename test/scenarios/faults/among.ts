import type { GreenhouseOptions } from 'greenhouse-mock'
import { tested, testApi, type OwnClient } from '../../support/test-api.ts'

/** Runs a test through a server, whose connections things can go wrong on. */
export function throughConnections(
  title: string,
  run: (client: OwnClient) => Promise<void>,
  options: GreenhouseOptions = {},
): void {
  testApi(
    title,
    options,
    run,
    tested.filter(({ name }) => name === 'node server'),
  )
}

/** Options with one scenario called `it`, of these faults. */
export function faulty(...fault: Record<string, unknown>[]): GreenhouseOptions {
  return { scenarios: { it: { title: 'It', description: 'It.', covers: 'It.', fault } } }
}
