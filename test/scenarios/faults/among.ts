import type { GreenhouseOptions } from 'greenhouse-mock'
import { adapters } from '../../support/adapters.ts'
import { through, type Client } from '../../support/through.ts'

/** Runs a test through the adapters that have a connection of their own, so that things can go wrong on it. */
export function throughConnections(
  title: string,
  run: (client: Client) => Promise<void>,
  options: GreenhouseOptions = {},
): void {
  through(
    title,
    run,
    options,
    adapters.filter(({ name }) => name === 'node server' || name === 'express'),
  )
}

/** Runs a test through all that can fail a request: @mswjs/http-middleware can't carry `HttpResponse.error()`. */
export function throughFailing(
  title: string,
  run: (client: Client) => Promise<void>,
  options: GreenhouseOptions = {},
): void {
  through(
    title,
    run,
    options,
    adapters.filter(({ name }) => name !== 'http-middleware'),
  )
}

/** Options with one scenario called `it`, of these faults. */
export function faulty(...fault: Record<string, unknown>[]): GreenhouseOptions {
  return { scenarios: { it: { title: 'It', description: 'It.', covers: 'It.', fault } } }
}
