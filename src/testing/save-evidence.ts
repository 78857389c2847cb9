import { collectEvidence, type EvidenceCollector } from '../evidence/collect.ts'
import type { Greenhouse } from '../greenhouse/greenhouse.ts'

const collectors = new WeakMap<Greenhouse, { collector: EvidenceCollector; folder: string }>()
let saved = 0

/** Collects evidence of tests, if `greenhouse-mock run` asks for it with GREENHOUSE_EVIDENCE. */
export function collectForRun(greenhouse: Greenhouse): void {
  const folder = globalThis.process?.env?.['GREENHOUSE_EVIDENCE']
  if (folder) collectors.set(greenhouse, { collector: collectEvidence(greenhouse), folder })
}

/** Writes the evidence of tests for `greenhouse-mock run`, which adds up that of all processes, and closes the Greenhouse. */
export function closeWithEvidence(greenhouse: Greenhouse): void {
  const collecting = collectors.get(greenhouse)
  if (collecting) {
    const { writeFileSync } = process.getBuiltinModule('node:fs')
    const { join } = process.getBuiltinModule('node:path')
    const { threadId } = process.getBuiltinModule('node:worker_threads')
    const file = join(collecting.folder, `${process.pid}-${threadId}-${++saved}.json`)
    writeFileSync(file, JSON.stringify(collecting.collector.end()))
  }
  greenhouse.close()
}
