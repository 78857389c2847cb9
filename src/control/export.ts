import type { LiveWorld } from '../core/world/live-world.ts'
import { exportFile, type ExportedFile } from '../greenhouse/inspect/export.ts'
import { allCollections, type Collection } from '../greenhouse/inspect/collections.ts'
import { liveOf } from '../greenhouse/assembly/live.ts'
import type { Part, PartsAnswer } from './answer.ts'
import type { FixtureFile, List } from './answers.ts'
import type { Call } from './call.ts'
import { findCollection } from './records.ts'

export function exportWorld({ world }: Call): PartsAnswer<List<FixtureFile>> {
  return { parts: toParts(filesOf(liveOf(world), allCollections(liveOf(world))).filter(({ size }) => size > 0)) }
}

export function exportCollection(call: Call): PartsAnswer<List<FixtureFile>> {
  const { live, definition } = findCollection(call.world, call.param('collection'))
  return { parts: toParts(filesOf(live, [definition])) }
}

function filesOf(live: LiveWorld, definitions: readonly Collection[]): ExportedFile[] {
  const now = live.clock.now()
  return definitions.map((definition) => exportFile(live, definition, { now }))
}

/** The extra work of a line, as if it were this many bytes of text: it is parsed again to check that nothing is lost. */
const work = 400

function* toParts(files: readonly ExportedFile[]): Generator<Part> {
  let before = '{"data":['
  for (const exported of files) {
    yield [`${before}{"file":${JSON.stringify(exported.file)},"text":"`, 0]
    for (const line of exported.lines) yield [JSON.stringify(line).slice(1, -1), line.length + work]
    yield [`","records":${exported.size},"hidden":${exported.hidden}}`, 0]
    before = ','
  }
  yield [(before === ',' ? '' : before) + ']}', 0]
}
