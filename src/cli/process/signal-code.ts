/** Returns the number of a signal: 15 for SIGTERM. Loads `node:os` on first use: no start needs it. */
export function numberOfSignal(signal: NodeJS.Signals): number {
  return process.getBuiltinModule('node:os').constants.signals[signal]
}

export function signalCode(signal: NodeJS.Signals): number {
  return 128 + numberOfSignal(signal)
}
