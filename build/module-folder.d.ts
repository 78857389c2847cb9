declare module '*.ts?all' {
  /** What the files of a folder export by default, in the order of their names. */
  const exported: readonly unknown[]
  export default exported
}
