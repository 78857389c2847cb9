import type { Reporter, TestModule } from 'vitest/node'
import { report } from './report.ts'

/** Prints the cost of a run, and of the most expensive files. `.ci/run` prints more of the list. */
export default class implements Reporter {
  #started = performance.now()

  onInit(): void {
    this.#started = performance.now()
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules
      .map((module) => ({
        path: module.relativeModuleId,
        seconds: module.meta().processorTime ?? 0,
      }))
      .sort((one, other) => other.seconds - one.seconds)
    const tests = modules.reduce((sum, module) => sum + [...module.children.allTests()].length, 0)
    const total = files.reduce((sum, { seconds }) => sum + seconds, 0)
    const toLines = (count: number) =>
      files
        .slice(0, count)
        .map(({ path, seconds }) => `${seconds.toFixed(1).padStart(6)} s  ${path}`)
        .join('\n')
    report('dearest', toLines(files.length))
    const elapsed = (performance.now() - this.#started) / 1_000
    console.log(
      `\n${tests} tests in ${elapsed.toFixed(0)} s, ${total.toFixed(0)} s of processor time in the files. The dearest:\n${toLines(5)}`,
    )
  }
}
