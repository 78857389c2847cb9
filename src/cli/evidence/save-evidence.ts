import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { collectEvidence } from '../../evidence/collect.ts'
import { systemNow } from '../../core/time/clock.ts'
import type { Greenhouse } from '../../api/greenhouse.ts'

export function collectFor(greenhouse: Greenhouse, folder: string): () => void {
  const collector = collectEvidence(greenhouse)
  return () => {
    const text = JSON.stringify(collector.end())
    try {
      writeFileSync(join(folder, `${process.pid}-serve-${systemNow()}.json`), text)
    } catch {
      // The outer command has ended and no longer reads it.
    }
  }
}
