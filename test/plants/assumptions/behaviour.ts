import type { Client } from '../../support/through.ts'

/** What one value of one assumption means: `[id, value, sentence, proof]`. The first of an id is the default. */
export type Behaviour = [id: string, value: string, sentence: string, prove: (client: Client) => Promise<void>]
