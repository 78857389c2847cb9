/** The functions for tests and fake timers of the runner that runs this file. */
export const { test, fake, unfake, equal, hasReal, hidesRealTimers } = await import(
  /* @vite-ignore */ `./runners/${process.env.RUNNER}.mjs`
)
