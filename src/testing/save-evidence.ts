import { findNode } from '../core/contract/across-builds.ts'
import { collectEvidence } from '../evidence/collect.ts'
import type { WorldsReport, FlipSettings } from '../contract/flip/index.ts'
import type { Greenhouse } from '../api/greenhouse.ts'

const reports = new WeakMap<Greenhouse, (() => void)[]>()
let saved = 0

export function joinFlip() {
  const text = findNode()?.env['GREENHOUSE_FLIP']
  if (!text) return undefined
  const consulted = new Set<string>()
  return { ...(JSON.parse(text) as FlipSettings), consulted, onAssumptionRead: (id: string) => void consulted.add(id) }
}

/**
 * Collects what `greenhouse-mock flip` and `greenhouse-mock run` report about tests. `run` requests it with GREENHOUSE_EVIDENCE.
 */
export function collectForRun(greenhouse: Greenhouse, flip: ReturnType<typeof joinFlip>): void {
  const saves: (() => void)[] = []
  const folder = findNode()?.env['GREENHOUSE_EVIDENCE']
  if (folder) {
    let collector = collectEvidence(greenhouse)
    saves.push(() => {
      save(folder, collector.end())
      collector = collectEvidence(greenhouse)
    })
  }
  if (flip) {
    let requests = 0
    greenhouse.observe(() => void requests++)
    saves.push(() => {
      save(flip.folder, { requests, consulted: [...flip.consulted] } satisfies WorldsReport)
      requests = 0
    })
  }
  reports.set(greenhouse, saves)
}

/** Saves what was collected since the last time. The command merges all files. */
export function saveEvidence(greenhouse: Greenhouse): void {
  for (const run of reports.get(greenhouse) ?? []) run()
}

export function closeWithEvidence(greenhouse: Greenhouse): void {
  saveEvidence(greenhouse)
  greenhouse.close()
}

function save(folder: string, data: object): void {
  const { writeFileSync } = process.getBuiltinModule('node:fs')
  const { join } = process.getBuiltinModule('node:path')
  const { threadId } = process.getBuiltinModule('node:worker_threads')
  writeFileSync(join(folder, `${process.pid}-${threadId}-${++saved}.json`), JSON.stringify(data))
}
