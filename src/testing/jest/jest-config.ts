/** What is read of a configuration of Jest's, and added to. All else stays as it is. */
export interface JestConfig {
  readonly preset?: string | null | undefined
  readonly rootDir?: string | undefined
  readonly projects?: readonly unknown[] | undefined
  readonly transform?: object | undefined
  readonly transformIgnorePatterns?: readonly string[] | undefined
  readonly testEnvironmentOptions?: object | undefined
}
