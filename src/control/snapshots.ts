import { suggest } from '../core/definitions/suggest.ts'
import type { Call } from './call.ts'
import { ControlError } from './errors.ts'

/** Returns the name of the snapshot in the path. @throws ControlError 404 for an unknown name. */
export function findSnapshot({ world, snapshot }: Call): string {
  if (world.snapshots.includes(snapshot)) return snapshot
  throw new ControlError(
    404,
    'unknown_snapshot',
    `The world "${world.name}" has no snapshot "${snapshot}".${suggest(snapshot, world.snapshots)}`,
  )
}
