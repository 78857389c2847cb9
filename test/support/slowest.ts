import type { Reporter, TestModule } from 'vitest/node'
import { report } from './report.ts'

/** Writes down which test files took longest, hooks included, where `.ci/run` prints it. */
export default class implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map((module) => ({
      path: module.relativeModuleId,
      seconds: module.diagnostic().duration / 1_000,
    }))
    const slowest = files.sort((one, other) => other.seconds - one.seconds).slice(0, 10)
    report('slowest', slowest.map(({ path, seconds }) => `${seconds.toFixed(1).padStart(6)} s  ${path}`).join('\n'))
  }
}
