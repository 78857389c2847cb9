/** The parts of Jest's configuration that are read or extended. */
export interface JestConfig {
  readonly preset?: string | null | undefined
  readonly rootDir?: string | undefined
  readonly projects?: readonly unknown[] | undefined
  readonly transform?: object | undefined
  readonly transformIgnorePatterns?: readonly string[] | undefined
  readonly testEnvironmentOptions?: object | undefined
}
