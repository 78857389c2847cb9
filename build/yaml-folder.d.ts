declare module '*.yaml' {
  /** The parsed documents of a folder, by file name. */
  const documents: Record<string, unknown>
  export default documents

  /** Reads now what would be read when it is first looked at. */
  export const readAhead: () => void
}
