declare module '*.ts?all' {
  /** The default exports of a folder's files, in the order of their names. */
  const exported: readonly unknown[]
  export default exported
}
