import { sharedByBuilds } from '../core/definitions/across-builds.ts'

const files = sharedByBuilds('files', () => new WeakMap<object, string>())

/** Remembers which file a scenario was read from. */
export function keepFile(data: object, file: string): void {
  files.set(data, file)
}

/** The path of the file that a scenario was read from; `undefined` for one of the package, or from code. */
export function fileOf(data: object): string | undefined {
  return files.get(data)
}
