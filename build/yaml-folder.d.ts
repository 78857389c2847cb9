declare module '*.yaml' {
  /** The parsed documents of a folder, by file name. */
  const documents: Record<string, unknown>
  export default documents

  /** Reads the files that would otherwise be read on first access. */
  export const readAhead: () => void
}
