import { toJson } from '../core/http/json.ts'
import type { Chunk, ChunksAnswer } from './answer.ts'
import type { EvidenceSummary } from './answers.ts'
import type { Call } from './call.ts'

/** The work of a request, as if it were this many bytes of text: it is judged. */
const work = 4_000

export async function showEvidence({ greenhouse, world }: Call): Promise<ChunksAnswer<EvidenceSummary>> {
  const { coverageOf, readEvidenceInSteps } = await import('../evidence/collect.ts')
  const { sumByOperation, sumOthers } = await import('../evidence/coverage.ts')
  return { chunks: toChunks() }

  function* toChunks(): Generator<Chunk> {
    const steps = readEvidenceInSteps([world])
    for (;;) {
      const { done, value } = steps.next()
      if (done) {
        const coverage = coverageOf(value, greenhouse)
        const { counts: _, ...sums } = coverage
        const shown: EvidenceSummary = {
          card: value.card,
          coverage: { ...sums, operations: sumByOperation(coverage), others: sumOthers(coverage) },
        }
        return yield [toJson(shown), 0]
      }
      yield ['', work]
    }
  }
}
