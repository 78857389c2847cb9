import type { Client } from '../../support/test-api.ts'

/** The meaning of a value of an assumption: `[id, value, sentence, proof]`. The first of an id is the default. */
export type Behaviour = [id: string, value: string, sentence: string, prove: (client: Client) => Promise<void>]
