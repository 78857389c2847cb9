import { join } from 'node:path'
import type { Greenhouse } from '../../api/greenhouse.ts'
import { toCaseText } from '../../cases/text.ts'
import type { World } from '../../api/world.ts'
import { createFolder, writeFile } from '../output/write-file.ts'

const max = 1_000

/**
 * Saves each world that gets requests as a case, when it is deleted or at the end. Returns a function that stops this and returns
 * a message, or throws if a case can't be written. @throws Error if the folder can't be created
 */
export function saveCases(greenhouse: Greenhouse, folder: string): () => string {
  const saved = new Set<string>()
  let left = 0
  let failure: unknown
  createFolder(folder)
  const end = greenhouse.observeChanges((change) => {
    if (change.type === 'world-ends') save(greenhouse.findWorld(change.world)!)
  })
  return () => {
    end()
    for (const name of greenhouse.worlds()) save(greenhouse.findWorld(name)!)
    if (failure !== undefined) throw failure
    const count = saved.size === 1 ? '1 case' : `${saved.size || 'no'} cases`
    return `Saved ${count} in ${folder}${left > 0 ? `; ${left} more were left out` : ''}.\n`
  }

  function save(world: World): void {
    if (world.journal.size === 0) return
    if (saved.size >= max && !saved.has(world.name)) left++
    else
      try {
        writeFile(join(folder, `${world.name}.case.yaml`), toCaseText(world.toCase()))
      } catch (error) {
        failure ??= error
      }
    if (left === 0) saved.add(world.name)
  }
}
