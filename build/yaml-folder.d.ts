declare module '*.yaml' {
  /** The parsed documents of a folder, by file name. */
  const documents: Record<string, unknown>
  export default documents
}
