import { sharedByBuilds } from '../core/definitions/across-builds.ts'

const files = sharedByBuilds('files', () => new WeakMap<object, string>())

export function setFile(data: object, file: string): void {
  files.set(data, file)
}

/** Returns the path of a scenario's file; `undefined` for a bundled scenario, or one from code. */
export function fileOf(data: object): string | undefined {
  return files.get(data)
}
